import AnvilJSON
import Foundation
import Rounds

/// Measures decoding and encoding typed models by every implementation and peer. Freeing the results is included.
struct JSONSuite: CaseVisitor {
  let rounds: Int
  let corpora: String
  private(set) var figures: [Figure] = []

  init(rounds: Int, corpora: String) {
    self.rounds = rounds
    self.corpora = corpora
    Peer.noteAbsent()
  }

  mutating func visit<Case: BenchmarkCase>(_ name: String, _ case: Case.Type, _ data: Data) throws {
    let value = try JSONDecoder().decode(Case.Model.self, from: data)
    let file = FileManager.default.temporaryDirectory.appending(path: "anvil-bench-\(UUID().uuidString).json")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let peers = try Peer.all(for: name, file: file)
    for peer in peers { try peer.check(value, of: name) }
    try decode(name, `case`, data, peers)
    try encode(name, `case`, value, peers)
  }

  private mutating func decode<Case: BenchmarkCase>(
    _ name: String, _ case: Case.Type, _ data: Data, _ peers: [Peer]
  ) throws {
    let implementations = Implementations.decoders(of: `case`)
    try Agreement.check(implementations, on: name, data)
    var contenders = try (implementations.map(\.name) + [SingleRun.parsing]).map {
      try contender($0, "json.decode", name)
    }
    contenders += peers.map { peer in
      Contender(implementation: peer.title, round: { try peer.seconds("decode", $0) })
    }
    figures += try measure(
      suite: "json.decode", test: name, bytes: data.count, rounds: rounds, contenders: contenders)
  }

  private mutating func encode<Case: BenchmarkCase>(
    _ name: String, _ case: Case.Type, _ value: Case.Model, _ peers: [Peer]
  ) throws {
    let implementations = Implementations.encoders(of: `case`)
    try Agreement.check(implementations, on: name, value)
    let bytes = try JSONEncoder().encode(value).count
    var contenders = try implementations.map { try contender($0.name, "json.encode", name) }
    contenders += peers.filter(\.encodes).map { peer in
      Contender(implementation: peer.title, round: { try peer.seconds("encode", $0) })
    }
    figures += try measure(
      suite: "json.encode", test: name, bytes: bytes, rounds: rounds, contenders: contenders)
  }

  /// Another process of this program, which runs rounds of one implementation.
  private func contender(_ implementation: String, _ suite: String, _ test: String) throws -> Contender {
    let process = try RoundProcess(
      Tool.ownPath,
      [
        "rounds", "--corpora", corpora, "--suite", suite, "--case", test, "--implementation", implementation,
      ])
    return Contender(implementation: implementation) { try process.seconds("\($0)") }
  }
}

/// Checks that every implementation does the same work: its result is equal to Foundation's.
enum Agreement {
  static func check<Model: Equatable>(
    _ implementations: [DecodingImplementation<Model>], on name: String, _ data: Data
  ) throws {
    guard let expected = try implementations.first?.decode(data) else { return }
    for implementation in implementations where try implementation.decode(data) != expected {
      throw BenchmarkError("\(implementation.name) decodes \(name) to other values than Foundation")
    }
  }

  static func check<Model: Codable & Equatable>(
    _ implementations: [EncodingImplementation<Model>], on name: String, _ value: Model
  ) throws {
    for implementation in implementations {
      guard try JSONDecoder().decode(Model.self, from: implementation.encoder(value)()) == value else {
        throw BenchmarkError("\(implementation.name) encodes \(name) to another document than Foundation")
      }
    }
  }
}

import Foundation
import Rounds

/// Another library. `setup-peers` documents its commands.
struct Peer {
  let name: String
  private let process: RoundProcess

  /// The peers that `setup-peers` has installed, ready for the case `test` with the document in `file`.
  static func all(for test: String, file: URL) throws -> [Peer] {
    try installed().map { try Peer($0, test, file) }
  }

  /// The message about peers that are not installed, printed once in each run.
  static func noteAbsent() {
    let names = Set(installed().map(\.lastPathComponent))
    for name in known where !names.contains(name) {
      Console.note("\(name): not set up, left out (Benchmarks/setup-peers)")
    }
  }

  private static let known = ["serde_json", "simdjson", "msgspec", "orjson"]

  private static func installed() -> [URL] { known.compactMap(program(named:)) }

  /// The program of the peer `name`; `nil` if `setup-peers` has not installed it.
  static func program(named name: String) -> URL? {
    var folder = URL(filePath: Tool.ownPath)
    while folder.path() != "/", folder.lastPathComponent != ".build" { folder.deleteLastPathComponent() }
    let program = folder.appending(path: "peers/bin/\(name)")
    return FileManager.default.isExecutableFile(atPath: program.path()) ? program : nil
  }

  private init(_ program: URL, _ test: String, _ file: URL) throws {
    name = program.lastPathComponent
    process = try RoundProcess(program.path(), [test, file.path()])
  }

  /// The implementation's name in a table.
  var title: String { name == "orjson" ? "orjson (untyped)" : name }

  /// `true` if the peer also writes JSON.
  var encodes: Bool { name != "simdjson" }

  /// Prints a message if the peer reads the document `test` as a value other than `value`: serde_json, as Debian builds
  /// it, rounds some doubles of canada to a neighbour of the nearest.
  func check<Model: Decodable & Equatable>(_ value: Model, of test: String) throws {
    guard encodes else { return }
    let text = try process.ask("text")
    if try JSONDecoder().decode(Model.self, from: Data(text.utf8)) != value {
      Console.note("\(name): its values of \(test) are not quite Foundation's")
    }
  }

  /// The seconds for each of `repetitions` decodings or encodings.
  func seconds(_ order: String, _ repetitions: Int) throws -> Double {
    try process.seconds("\(order) \(repetitions)")
  }
}

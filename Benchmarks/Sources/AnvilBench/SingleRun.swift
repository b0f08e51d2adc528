import AnvilJSON
import Foundation
import Rounds

/// One implementation on one case: what a process of its own does.
struct SingleRun: CaseVisitor {
  /// How often it is done.
  enum Repetitions {
    /// So many times and nothing else: what counts are taken of.
    case times(Int)
    /// As often as each line of the standard input says; the answer is how many seconds each took.
    case asAsked
  }

  /// `json.decode` or `json.encode`.
  var suite: String
  var implementation: String
  var repetitions: Repetitions

  /// The implementation that makes a document of a text, and no model.
  static let parsing = "Anvil parse to JSON"
  /// The decoder that says all that is wrong with a text, given one that is right.
  static let explaining = "Anvil decodeAll"

  mutating func visit<Case: BenchmarkCase>(_ name: String, _ case: Case.Type, _ data: Data) throws {
    if suite == "json.encode" {
      let value = try JSON.Decoder().decode(Case.Model.self, from: data)
      let encoder = Implementations.encoders(of: `case`).first { $0.name == implementation }
      guard let encoder else { throw BenchmarkError("no implementation is called \(implementation)") }
      let encode = try encoder.encoder(value)
      try run { _ = try encode() }
    } else if implementation == Self.parsing {
      try run { _ = try JSON(parsing: data) }
    } else {
      var decoders = Implementations.decoders(of: `case`)
      #if !WITHOUT_DIAGNOSIS
      decoders.append(Implementations.explaining(Case.Model.self))
      #endif
      let decoder = decoders.first { $0.name == implementation }
      guard let decoder else { throw BenchmarkError("no implementation is called \(implementation)") }
      try run { try decoder.run(data) }
    }
  }

  private func run(_ body: () throws -> Void) throws {
    switch repetitions {
    case .times(let count): for _ in 0..<count { try body() }
    case .asAsked:
      while let line = readLine(), let count = Int(line) {
        let start = Self.processorSeconds()
        for _ in 0..<count { try body() }
        print((Self.processorSeconds() - start) / Double(max(count, 1)))
        fflush(nil)
      }
    }
  }

  /// How long the thread has had a processor: what other programs do on the machine meanwhile does not count.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

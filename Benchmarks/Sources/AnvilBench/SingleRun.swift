import AnvilJSON
import Foundation
import Rounds

/// The work of a separate process: one implementation on one case.
struct SingleRun: CaseVisitor {
  /// The number of repetitions.
  enum Repetitions {
    /// So many times and nothing else, for counting allocations and instructions.
    case times(Int)
    /// As often as each line of standard input says. The reply is the seconds for each repetition.
    case asAsked
  }

  /// `json.decode` or `json.encode`.
  var suite: String
  var implementation: String
  var repetitions: Repetitions

  /// The implementation that parses a text into a document, without a model.
  static let parsing = "Anvil parse to JSON"
  /// The decoder that finds all problems of a text, on a valid text.
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

  /// The processor time of the thread, which does not include other programs.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

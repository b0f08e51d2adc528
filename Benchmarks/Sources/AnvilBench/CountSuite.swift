import CAllocations
import Foundation
import Rounds

/// Counts allocations and instructions for each document, which do not depend on how busy the machine is.
struct CountSuite: CaseVisitor {
  var corpora: String
  private let counter: InstructionCounter?
  private(set) var figures: [Figure] = []

  init(corpora: String) {
    self.corpora = corpora
    counter = InstructionCounter(of: Tool.ownPath)
    if counter == nil { Console.note("valgrind is not installed: no instructions") }
    if anvil_allocation_count() < 0 { Console.note("allocations are not counted on this system") }
  }

  mutating func visit<Case: BenchmarkCase>(_ name: String, _ case: Case.Type, _ data: Data) throws {
    for decoder in Implementations.decoders(of: `case`) {
      try count("json.decode", name, decoder.name, bytes: data.count) { try decoder.run(data) }
    }
    let value = try JSONDecoder().decode(Case.Model.self, from: data)
    for implementation in Implementations.encoders(of: `case`) {
      let encode = try implementation.encoder(value)
      try count("json.encode", name, implementation.name, bytes: data.count) { _ = try encode() }
    }
  }

  /// Removes the temporary files.
  func cleanUp() { counter?.cleanUp() }

  private mutating func count(
    _ suite: String, _ name: String, _ implementation: String, bytes: Int, _ run: () throws -> Void
  ) throws {
    let figure = { metric, value in
      Figure(suite: suite, test: name, implementation: implementation, metric: metric, value: value)
    }
    // One-time work, such as the creation of metadata, is done in the first runs.
    for _ in 0..<3 { try run() }
    let before = anvil_allocation_count()
    for _ in 0..<4 { try run() }
    if before >= 0 { figures.append(figure(.allocations, Double(anvil_allocation_count() - before) / 4)) }
    guard let counter else { return }
    let options = ["--corpora", corpora, "--suite", suite, "--case", name, "--implementation", implementation]
    let instructions = try counter.perDocument(options, repetitions: bytes < 10_000 ? 200 : 2)
    figures.append(figure(.instructions, instructions))
  }
}

import CAllocations
import Foundation
import Rounds

/// Allocations and instructions for each document: what does not depend on how busy the machine is.
struct CountSuite: CaseVisitor {
  var corpora: String
  private let valgrind: String?
  /// This program without what is known for debuggers, over which some versions of valgrind stumble.
  private let program: URL
  private(set) var figures: [Figure] = []

  init(corpora: String) {
    self.corpora = corpora
    valgrind = Tool.path(of: "valgrind")
    program = FileManager.default.temporaryDirectory.appending(path: "anvil-bench-\(UUID().uuidString)")
    if valgrind != nil { Self.copyStripped(to: program) }
    if valgrind == nil { Console.note("valgrind is not installed: no instructions") }
    if anvil_allocation_count() < 0 { Console.note("allocations are not counted on this system") }
  }

  mutating func visit<Model: BenchmarkModel>(_ name: String, _ model: Model.Type, _ data: Data) throws {
    for decoder in Implementations.decoders(of: model) {
      try count("json.decode", name, decoder.name, bytes: data.count) { _ = try decoder.decode(data) }
    }
    let value = try JSONDecoder().decode(model, from: data)
    for encoder in Implementations.encoders(of: model) {
      try count("json.encode", name, encoder.name, bytes: data.count) { _ = try encoder.encode(value) }
    }
  }

  /// Removes what it wrote.
  func cleanUp() { try? FileManager.default.removeItem(at: program) }

  private static func copyStripped(to program: URL) {
    if let strip = Tool.path(of: "strip"), (try? Tool.run(strip, ["-g", "-o", program.path(), Tool.ownPath])) != nil {
      return
    }
    try? FileManager.default.copyItem(atPath: Tool.ownPath, toPath: program.path())
  }

  private mutating func count(
    _ suite: String, _ name: String, _ implementation: String, bytes: Int, _ run: () throws -> Void
  ) throws {
    let figure = { metric, value in
      Figure(suite: suite, test: name, implementation: implementation, metric: metric, value: value)
    }
    // What is made once, such as metadata, is made in the first runs.
    for _ in 0..<3 { try run() }
    let before = anvil_allocation_count()
    for _ in 0..<4 { try run() }
    if before >= 0 { figures.append(figure(.allocations, Double(anvil_allocation_count() - before) / 4)) }
    guard let valgrind else { return }
    let few = bytes < 10_000 ? 200 : 2
    let arguments = [
      "run", "--corpora", corpora, "--suite", suite, "--case", name, "--implementation", implementation, "--iterations",
    ]
    let once = try Self.instructions(valgrind, [program.path()] + arguments + ["\(few)"])
    let twice = try Self.instructions(valgrind, [program.path()] + arguments + ["\(2 * few)"])
    // The difference of two counts is without the start of the process.
    figures.append(figure(.instructions, (twice - once) / Double(few)))
  }

  /// How many instructions the program and arguments of `call` execute.
  private static func instructions(_ valgrind: String, _ call: [String]) throws -> Double {
    let output = try Tool.run(valgrind, ["--tool=callgrind", "--callgrind-out-file=/dev/null"] + call)
    // "==123== Collected : 456"
    guard let line = output.error.split(separator: "\n").first(where: { $0.contains("Collected : ") }),
      let count = line.split(separator: " ").last.flatMap({ Double($0) })
    else { throw BenchmarkError("valgrind counted nothing:\n\(output.error)") }
    return count
  }
}

import Foundation

/// Counts the instructions that a program executes outside the kernel. Requires valgrind.
package struct InstructionCounter {
  private let valgrind: String
  /// A copy of the program without debug information, which some versions of valgrind cannot read.
  private let program: URL

  /// A counter for this program or a build of it; `nil` where valgrind is not installed.
  package init?(of path: String) {
    guard let valgrind = Tool.path(of: "valgrind") else { return nil }
    self.valgrind = valgrind
    program = FileManager.default.temporaryDirectory.appending(path: "anvil-bench-\(UUID().uuidString)")
    if let strip = Tool.path(of: "strip"), (try? Tool.run(strip, ["-g", "-o", program.path(), path])) != nil { return }
    try? FileManager.default.copyItem(atPath: path, toPath: program.path())
  }

  /// Removes the temporary files.
  package func cleanUp() { try? FileManager.default.removeItem(at: program) }

  /// The instructions of one repetition. With `arguments(count)`, the program runs `count` repetitions.
  package func perRepetition(_ count: Int, _ arguments: (Int) -> [String]) throws -> Double {
    let once = try instructions(arguments(count))
    let twice = try instructions(arguments(2 * count))
    // The difference of two counts excludes the start of the process.
    return (twice - once) / Double(count)
  }

  private func instructions(_ arguments: [String]) throws -> Double {
    let output = try Tool.run(
      valgrind, ["--tool=callgrind", "--callgrind-out-file=/dev/null", program.path()] + arguments)
    // "==123== Collected : 456"
    guard let line = output.error.split(separator: "\n").first(where: { $0.contains("Collected : ") }),
      let count = line.split(separator: " ").last.flatMap({ Double($0) })
    else { throw BenchmarkError("valgrind counted nothing:\n\(output.error)") }
    return count
  }
}

import Foundation

/// How many instructions a program executes outside the kernel, where valgrind is installed.
package struct InstructionCounter {
  private let valgrind: String
  /// The program without what is known for debuggers, over which some versions of valgrind stumble.
  private let program: URL

  /// A counter for this program or a build of it; `nil` where valgrind is not installed.
  package init?(of path: String) {
    guard let valgrind = Tool.path(of: "valgrind") else { return nil }
    self.valgrind = valgrind
    program = FileManager.default.temporaryDirectory.appending(path: "anvil-bench-\(UUID().uuidString)")
    if let strip = Tool.path(of: "strip"), (try? Tool.run(strip, ["-g", "-o", program.path(), path])) != nil { return }
    try? FileManager.default.copyItem(atPath: path, toPath: program.path())
  }

  /// Removes what it wrote.
  package func cleanUp() { try? FileManager.default.removeItem(at: program) }

  /// The instructions of one repetition of what the program does `count` times when its arguments are `arguments(count)`.
  package func perRepetition(_ count: Int, _ arguments: (Int) -> [String]) throws -> Double {
    let once = try instructions(arguments(count))
    let twice = try instructions(arguments(2 * count))
    // The difference of two counts is without the start of the process.
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

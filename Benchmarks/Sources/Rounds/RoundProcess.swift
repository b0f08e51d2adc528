import Foundation

/// A process that runs a round for each line that it reads, and replies with a line.
///
/// Each implementation has a separate process, so that other implementations do not affect its heap.
package final class RoundProcess {
  private let name: String
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  /// Makes the C library keep freed memory, as it does in processes with a larger heap. Otherwise, depending on the
  /// sizes, each repetition may map its pages again, which takes up to a third of its time.
  private static let steadyHeap = ["MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_MMAP_THRESHOLD_": "33554432"]

  package init(_ path: String, _ arguments: [String]) throws {
    name = ([path] + arguments).joined(separator: " ")
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(Self.steadyHeap) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Sends `line` and returns the reply, a number of seconds.
  package func seconds(_ line: String) throws -> Double {
    let answer = try ask(line)
    guard let seconds = Double(answer) else { throw BenchmarkError("\(name) answers \(answer.prefix(80))") }
    return seconds
  }

  /// Sends `line` and returns the reply.
  package func ask(_ line: String) throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    while true {
      if let end = unread.firstIndex(of: 0x0A) {
        let answer = String(decoding: unread[..<end], as: UTF8.self)
        unread = Data(unread[(end + 1)...])
        return answer
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw BenchmarkError("\(name) has ended") }
      unread += more
    }
  }
}

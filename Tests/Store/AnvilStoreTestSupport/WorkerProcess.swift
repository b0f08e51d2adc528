#if os(Linux) || os(macOS)
internal import Foundation

/// A run of `AnvilStoreWorker`. Waiting for it does not block a thread of the concurrency pool.
package final class WorkerProcess {
  private let process = Process()
  private let output: URL
  private let endings: AsyncStream<Void>

  /// Starts the worker, which the build puts beside the tests.
  package init(_ arguments: String...) throws {
    output = FileManager.default.temporaryDirectory.appending(path: "anvil-worker-\(UUID().uuidString)")
    try Data().write(to: output)
    let (endings, continuation) = AsyncStream.makeStream(of: Void.self)
    self.endings = endings
    #if os(macOS)
    // A program of the toolchain runs the tests, which are in a bundle beside the worker.
    let folder: URL? = Bundle(for: WorkerProcess.self).bundleURL.deletingLastPathComponent()
    #else
    let folder = Bundle.main.executableURL?.deletingLastPathComponent()
    #endif
    process.executableURL = folder?.appending(path: "AnvilStoreWorker")
    process.arguments = arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
  }

  deinit {
    try? FileManager.default.removeItem(at: output)
  }

  /// Kills the process with SIGKILL.
  package func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
  }

  /// Returns the complete lines that the process has written so far.
  package func lines() throws -> [String] {
    // What follows the last line break may be cut off.
    String(decoding: try Data(contentsOf: output), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Waits until the process has written that many lines, or has ended.
  package func waitForLines(_ count: Int) async throws {
    while process.isRunning, try lines().count < count { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Waits for the end and returns the exit status, `nil` when a signal ended the process, and the lines that were written.
  package func end() async throws -> (status: Int32?, lines: [String]) {
    for await _ in endings {}
    return (process.terminationReason == .exit ? process.terminationStatus : nil, try lines())
  }
}
#endif

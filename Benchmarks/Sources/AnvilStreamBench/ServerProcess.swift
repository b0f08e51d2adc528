import Anvil
import AnvilTesting
import Foundation

/// A loopback server in a separate process, so that the figures do not include its work.
final class ServerProcess {
  let url: URL
  private let process = Process()
  private let input = Pipe()

  /// Starts another process of this program, which serves an array of `byteCount` bytes or more at `/records` and
  /// counts the bytes sent to `/upload`.
  init(byteCount: Int) throws {
    let output = Pipe()
    let path =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    process.executableURL = URL(filePath: path)
    process.arguments = ["serve", "--bytes", "\(byteCount)"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let url = URL(string: line.trimmingCharacters(in: .whitespacesAndNewlines)), url.host() != nil else {
      throw BenchmarkError("the server says \(line.debugDescription)")
    }
    self.url = url
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The work of the process: serves until its input is closed, by its parent or because its parent has ended.
  static func serve(byteCount: Int) throws {
    let server = try LoopbackServer(requestBodies: .counted)
    server.on(.get, "/records") { _ in
      .chunked(RecordArray(byteCount: byteCount), headers: [.contentType: .applicationJSON])
    }
    server.on(.put, "/upload") { .text("\($0.bodyByteCount)") }
    FileHandle.standardOutput.write(Data("\(server.url.absoluteString)\n".utf8))
    _ = try FileHandle.standardInput.readToEnd()
    server.stop()
  }
}

/// An error that ends a run.
struct BenchmarkError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

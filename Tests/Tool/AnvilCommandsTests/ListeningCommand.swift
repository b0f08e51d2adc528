import AnvilCommands
import Foundation
import Synchronization
import Testing

/// Runs a command that listens while `body` runs. `body` receives the URL in the first line. The command is then ended as by a signal.
@discardableResult
func withListening(
  arguments: [String], environment: [String: String] = [:], body: (URL) async throws -> Void
) async throws -> Outcome {
  try await withListening(arguments: arguments, environment: environment, lineCount: 1) { (url: URL, _) async throws in
    try await body(url)
  }
}

/// Runs a command that listens while `body` runs. `body` also receives the first lines.
@discardableResult
func withListening(
  arguments: [String], environment: [String: String] = [:], lineCount: Int, body: (URL, [String]) async throws -> Void
) async throws -> Outcome {
  let (lines, line) = AsyncStream<String>.makeStream()
  let error = Mutex("")
  let console = Console(
    output: .pipe { line.yield(String(decoding: $0, as: UTF8.self)) },
    error: .pipe { data in error.withLock { $0 += String(decoding: data, as: UTF8.self) } }, environment: environment)
  let task = Task {
    let status = await AnvilCommand.run(arguments: arguments, console: console)
    line.finish()
    return status
  }
  var output: [String] = []
  for await text in lines {
    output.append(text.trimmingCharacters(in: .newlines))
    if output.count == lineCount { break }
  }
  do {
    let url = try #require(
      URL(string: output.first?.replacing("listening on ", with: "") ?? ""),
      "\(output)\(error.withLock { $0 })")
    try await body(url, output)
  } catch {
    task.cancel()
    _ = await task.value
    throw error
  }
  task.cancel()
  return Outcome(
    status: await task.value, output: output.map { "\($0)\n" }.joined(), error: error.withLock { $0 })
}

import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import AnvilURLSession
import Foundation
import Testing

/// Uploads that end early: their temporary files, and paths that are not files. See also `TransportContractTests`.
@Suite(.timeLimit(.minutes(15))) struct CancellationTests {
  let transport = TransportService(session: URLTransportSession())

  private func execute(
    _ request: HTTP.Request
  ) async -> Result<TransportSuccess, TransportFailure> {
    await transport.execute(request, options: TransportOptions(timeout: .seconds(240)))
  }

  // MARK: Races that would trap in Foundation

  private func race(_ count: Int, _ request: @escaping @Sendable () -> HTTP.Request) async {
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        group.addTask {
          let task = Task { await execute(request()) }
          try? await Task.sleep(for: .microseconds(index % 40 * 50))
          task.cancel()
          _ = await task.value
        }
      }
    }
  }

  @Test func uploadsCanBeCancelledAtAnyTime() async throws {
    let server = try LoopbackServer()
    server.on(.put, "/") { .text("\($0.body.count)") }
    let url = server.url
    let small = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let large = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(count: 300_000).write(to: small)
    try Data(count: 17 << 20).write(to: large)
    defer {
      try? FileManager.default.removeItem(at: small)
      try? FileManager.default.removeItem(at: large)
    }
    let before = try uploads()
    await race(150) { HTTP.Request(method: .put, url: url, body: .file(small)) }
    await race(24) { HTTP.Request(method: .put, url: url, body: .file(large)) }
    let success = try await execute(HTTP.Request(method: .put, url: url, body: .file(large))).get()
    #expect(success.body.string == "\(17 << 20)")
    // Temporary files are deleted with their transfers, shortly after the results.
    try await waitUntil { try uploads().subtracting(before).isEmpty }
  }

  private func uploads() throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path())
    return Set(names.filter { $0.hasPrefix("anvil-upload-") })
  }

  // MARK: While the request's body is made ready

  @Test func aPipeIsRejectedAsAFile() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    // Safety: the path is a NUL-terminated copy for the length of the call.
    let made = unsafe mkfifo(path, 0o600)
    try #require(made == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let server = try LoopbackServer()
    let failure = await execute(HTTP.Request(method: .put, url: server.url, body: .file(URL(filePath: path)))).failure
    #expect(
      failure?.error.underlyingError as? HTTP.BodyError
        == .unreadableFile(
          name: URL(filePath: path).lastPathComponent, reason: "not a regular file"))
  }
}

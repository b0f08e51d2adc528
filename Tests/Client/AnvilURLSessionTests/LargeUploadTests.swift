import AnvilClient
import AnvilHTTP
import AnvilTesting
import AnvilURLSession
import Foundation
import Synchronization
import Testing

/// Bodies larger than what is held in memory, sent through the real URLSession.
@Suite(.timeLimit(.minutes(15))) struct LargeUploadTests {
  private static let size = 200 << 20

  private let transport = TransportService(session: URLTransportSession())
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer(requestBodies: .counted)
    server.on(.put, "/") { .text("\($0.bodyByteCount)") }
  }

  /// Sends `body` and checks that all of it came, and was reported.
  private func upload(_ body: HTTP.Body) async throws {
    let last = Mutex<TransferProgress?>(nil)
    let options = TransportOptions(
      timeout: .seconds(240),
      progressHandler: { progress in
        if progress.direction == .sent { last.withLock { $0 = progress } }
      })
    let request = HTTP.Request(method: .put, url: server.url, body: body)
    #expect(try await transport.execute(request, options: options).get().body.string == "\(Self.size)")
    #expect(
      last.withLock { $0 } == TransferProgress(direction: .sent, byteCount: Self.size, totalByteCount: Self.size))
    #if canImport(FoundationNetworking)
    #expect(server.requests.last?.headers[.transferEncoding] == "chunked")
    #endif
  }

  @Test func aLargeFileIsUploadedCompletely() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    #expect(FileManager.default.createFile(atPath: url.path(), contents: nil))
    defer { try? FileManager.default.removeItem(at: url) }
    let file = try FileHandle(forWritingTo: url)
    try file.truncate(atOffset: UInt64(Self.size))
    try file.close()
    try await upload(.file(url))
  }

  @Test(arguments: [nil, size])
  func aLargeSequenceIsUploadedCompletely(length: Int?) async throws {
    let left = Mutex(Self.size >> 16)
    let chunks = AsyncStream<Data> {
      let isLeft = left.withLock { left in
        left -= 1
        return left >= 0
      }
      return isLeft ? Data(count: 1 << 16) : nil
    }
    try await upload(.stream(chunks, length: length))
  }

  #if canImport(FoundationNetworking)
  @Test func temporaryFilesAreReadableByTheUserOnly() async throws {
    let folder = FileManager.default.temporaryDirectory
    let permissions = Mutex<[Int?]>([])
    let options = TransportOptions(progressHandler: { progress in
      guard progress.direction == .sent, progress.byteCount > 0, permissions.withLock(\.isEmpty) else { return }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
      let found = names.filter { $0.hasPrefix("anvil-upload-") }.compactMap { name in
        // Another test's file may be gone by now.
        try? FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path())
      }
      permissions.withLock { $0 = found.map { ($0[.posixPermissions] as? NSNumber)?.intValue } }
    })
    let chunks = AsyncStream<Data> { continuation in
      for _ in 0..<320 { continuation.yield(Data(count: 1 << 16)) }
      continuation.finish()
    }
    let request = HTTP.Request(method: .put, url: server.url, body: .stream(chunks))
    _ = try await transport.execute(request, options: options).get()
    let found = permissions.withLock { $0 }
    #expect(!found.isEmpty && found.allSatisfy { $0 == 0o600 })
  }
  #endif
}

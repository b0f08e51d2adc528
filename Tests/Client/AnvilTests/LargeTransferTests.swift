import Anvil
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Files that are too large for memory, over the platform's default session and real connections.
///
/// 200 MB, and 2 GB where `ANVIL_LARGE_TRANSFERS` is set. Then memory is looked at, too: run so by itself, as the peak is the
/// process's.
@Suite(.serialized, .timeLimit(.minutes(15))) struct LargeTransferTests {
  private static let isLarge = ProcessInfo.processInfo.environment["ANVIL_LARGE_TRANSFERS"] != nil
  private static let size = isLarge ? 2_000_000_000 : 200_000_000

  private let folder: URL
  private let target: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "anvil-large-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    target = folder.appending(path: "big.iso")
  }

  @Test func anInterruptedDownloadIsComplete() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try LoopbackServer()
    let attempts = Mutex(0)
    server.on(.get, "/big.iso") { request in
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      let range = request.headers[.range]?.rawValue.dropFirst("bytes=".count).dropLast()
      let first = range.flatMap { Int($0) } ?? 0
      let rest = Self.size - first
      // The body is shorter than announced until the sixth attempt.
      let content = GeneratedContent(range: first..<(attempt < 6 ? first + rest / 3 + attempt : Self.size))
      var headers: HTTP.Headers = [.eTag: "\"v1\""]
      if range != nil { headers[.contentRange] = "bytes \(first)-\(Self.size - 1)/\(Self.size)" }
      return .status(range == nil ? 200 : 206, headers: headers, length: rest, body: content)
    }
    let reports = Mutex<(last: TransferProgress?, falls: Int)>((nil, 0))
    var options = DownloadOptions()
    options.backoff = ExponentialBackoff(base: .milliseconds(10))
    options.progressHandler = { report in
      reports.withLock { seen in
        if let last = seen.last, last.byteCount > report.byteCount { seen.falls += 1 }
        seen.last = report
      }
    }
    let memory = try PeakMemory()
    let started = ContinuousClock.now
    let response = try await Gateway(baseURL: server.url).request("big.iso")
      .download(to: target, options: options)
    memory.report("download", of: Self.size, in: ContinuousClock.now - started, isLarge: Self.isLarge)

    #expect(response.body.length == Self.size)
    #expect(server.requests.count == 6)
    #expect(server.requests.dropFirst().allSatisfy { $0.headers[.ifRange] == "\"v1\"" })
    #expect(reports.withLock { $0.falls } == 0)
    #expect(reports.withLock { $0.last }?.byteCount == Self.size)
    #expect(reports.withLock { $0.last }?.totalByteCount == Self.size)
    #expect(try GeneratedContent(range: 0..<Self.size).isContent(of: target))
  }

  /// The copy is the state that a process leaves if it is killed at that moment.
  @Test func downloadResumesAfterTheProcessWasKilled() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let size = 80_000_000
    let server = try LoopbackServer()
    server.on(.get, "/big.iso") { request in
      let range = request.headers[.range]?.rawValue.dropFirst("bytes=".count).dropLast()
      let first = range.flatMap { Int($0) } ?? 0
      var headers: HTTP.Headers = [.eTag: "\"v1\""]
      if range != nil { headers[.contentRange] = "bytes \(first)-\(size - 1)/\(size)" }
      return .status(
        range == nil ? 200 : 206, headers: headers, length: size - first, body: GeneratedContent(range: first..<size))
    }
    let copy = folder.appending(path: "copy.iso")
    let copied = Mutex<Result<Void, any Error>?>(nil)
    var options = DownloadOptions()
    options.progressHandler = { [target] report in
      guard report.byteCount > 50_000_000, copied.withLock({ $0 == nil }) else { return }
      let result = Result {
        for suffix in ["anvilpart", "anvilpart.json"] {
          try FileManager.default.copyItem(
            at: target.appendingPathExtension(suffix), to: copy.appendingPathExtension(suffix))
        }
      }
      copied.withLock { $0 = result }
    }
    let gateway = Gateway(baseURL: server.url)
    _ = try await gateway.request("big.iso").download(to: target, options: options)
    try #require(copied.withLock { $0 }).get()
    _ = try await gateway.request("big.iso").download(to: copy)
    let range = try #require(server.requests.last?.headers[.range]?.rawValue)
    let first = try #require(Int(range.dropFirst("bytes=".count).dropLast()))
    #expect((32_000_000..<50_000_000).contains(first))
    #expect(try GeneratedContent(range: 0..<size).isContent(of: copy))
  }

  /// The server stops during the upload, and another one replaces it.
  @Test func anInterruptedUploadIsSentAgain() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    // Sparse: all of it is a hole.
    try Data().write(to: target)
    let file = try FileHandle(forWritingTo: target)
    try file.truncate(atOffset: UInt64(Self.size))
    try file.close()
    let servers = [try LoopbackServer(requestBodies: .counted), try LoopbackServer(requestBodies: .counted)]
    for server in servers { server.on(.put, "/big.iso") { _ in .status(201) } }

    let failover = Failover(to: servers[1].url("/big.iso"))
    var policy = RetryPolicy()
    policy.backoff = ExponentialBackoff(base: .milliseconds(10))
    let gateway = Gateway(
      baseURL: servers[0].url,
      backend: BackendService(
        transportService: TransportService(interceptors: [RetryInterceptor(policy: policy), failover])))
    var request = gateway.request("big.iso", method: .put)
    request.body = .file(target)
    request.timeout = .seconds(400)
    let last = Mutex<TransferProgress?>(nil)
    request.progressHandler = { report in
      guard report.direction == .sent else { return }
      last.withLock { $0 = report }
      if report.byteCount > Self.size / 2, failover.isFirst {
        // Stopping waits for the server's threads, and this may be the session's.
        Thread.detachNewThread { servers[0].stop() }
      }
    }
    let memory = try PeakMemory()
    let started = ContinuousClock.now
    let response = try await request.execute().value
    memory.report("upload", of: Self.size * 3 / 2, in: ContinuousClock.now - started, isLarge: Self.isLarge)

    #expect(response.code == 201)
    #expect(servers[0].requests.isEmpty)
    #expect(servers[1].requests.map(\.bodyByteCount) == [Self.size])
    #expect(last.withLock { $0 }?.fraction == 1)
  }
}

/// Sends every attempt but the first to another server.
private final class Failover: Interceptor {
  private let other: URL
  private let attempts = Mutex(0)

  init(to other: URL) { self.other = other }

  var isFirst: Bool { attempts.withLock { $0 } == 1 }

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    let attempt = attempts.withLock { attempts in
      attempts += 1
      return attempts
    }
    var request = request
    if attempt > 1 { request.url = other }
    return try await next.send(request, options: options)
  }
}

/// Bytes that differ from place to place: blocks of an odd length, each with its number at its beginning.
private struct GeneratedContent: Sequence, Sendable {
  private static let blockSize = 262_147
  private static let block = Data((0..<blockSize).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 &>> 13) })

  let range: Range<Int>

  func makeIterator() -> AnyIterator<Data> {
    var place = range.lowerBound
    return AnyIterator {
      guard place < range.upperBound else { return nil }
      let (number, offset) = place.quotientAndRemainder(dividingBy: Self.blockSize)
      var block = Self.block
      for index in 0..<8 { block[index] = UInt8(truncatingIfNeeded: number &>> (index * 8)) }
      let part = block.dropFirst(offset).prefix(range.upperBound - place)
      place += part.count
      return Data(part)
    }
  }

  /// Returns whether the file at `url` consists of exactly these bytes.
  func isContent(of url: URL) throws -> Bool {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    for block in self {
      guard try file.read(upToCount: block.count) == block else { return false }
    }
    return try file.read(upToCount: 1) == nil
  }
}

/// The growth of the process's peak memory since this was created.
private struct PeakMemory {
  private let start: Int

  init() throws {
    #if os(Linux)
    // Forgets the peak so far.
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    #endif
    start = Self.peak
  }

  /// In kB; 0 where it is not known.
  private static var peak: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// Holds the growth to some tens of megabytes where it is known.
  func report(_ name: String, of count: Int, in time: Duration, isLarge: Bool) {
    guard isLarge else { return }
    let growth = Self.peak - start
    print("\(name): \(count) bytes in \(time), \(growth) kB more memory at the peak, from \(start) kB")
    #if os(Linux)
    #expect(start > 0)
    #expect(growth < 50_000)
    #endif
  }
}

import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// The files that a download keeps for the next one, and errors of the file system.
@Suite(.timeLimit(.minutes(15))) struct DownloadFileTests {
  private let folder: TemporaryFolder
  private let content = Data.random(100_000)
  private let origin: Origin

  init() throws {
    folder = try TemporaryFolder()
    origin = try Origin(content)
  }

  private func download(
    _ request: HTTP.Request? = nil, to target: URL? = nil, options: DownloadOptions = .impatient
  ) async -> Result<TransportSuccess, TransportFailure> {
    await origin.service.download(request ?? origin.request, to: target ?? folder.target, options: options)
  }

  private func expectWhole() throws {
    #expect(try Data(contentsOf: folder.target) == content)
    #expect(try folder.names == ["big.iso"])
  }

  /// Starts a download that is cut short after 50,000 bytes.
  private func leaveHalf() async throws {
    origin.change { $0.cuts = [50_000] }
    var options = DownloadOptions.impatient
    options.fruitlessAttemptLimit = 1
    origin.change { state in
      state.answers = [{ _ in nil }, { _ in .status(403) }]
    }
    #expect(await download(options: options).failure != nil)
    #expect(try Data(contentsOf: folder.part) == content.prefix(50_000))
  }

  // MARK: Names

  /// A file system allows names of 255 bytes, to which the suffixes of the partial file do not fit.
  @Test(arguments: [
    String(repeating: "a", count: 255), String(repeating: "a", count: 241), String(repeating: "é", count: 127),
    String(repeating: "👩‍👩‍👧", count: 14), "x" + String(repeating: "日", count: 82) + ".iso",
  ])
  func aFileMayHaveALongName(name: String) async throws {
    let target = folder.url.appending(path: name)
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [{ _ in nil }, { _ in .status(403) }]
    }
    #expect(await download(to: target).failure?.error.code == .clientError(.forbidden))
    #expect(try folder.names.count == 2)
    // The next call finds the part, and downloads to other names with the same beginning do not.
    let other = folder.url.appending(path: "b" + name.dropFirst())
    _ = try await download(to: other).get()
    #expect(origin.ranges.last == "-")
    _ = try await download(to: target).get()
    #expect(origin.ranges.last == "bytes=50000-")
    #expect(try Set(folder.names) == [name, other.lastPathComponent])
    for file in [target, other] { #expect(try Data(contentsOf: file) == content) }
  }

  @Test func longNamesThatDifferAtTheirEndsHaveDifferentParts() async throws {
    let names = ["a", "b"].map { String(repeating: "x", count: 254) + $0 }
    for name in names {
      origin.change { state in
        state.cuts = [50_000]
        state.answers = [{ _ in nil }, { _ in .status(403) }]
      }
      #expect(await download(to: folder.url.appending(path: name)).failure != nil)
    }
    #expect(try folder.names.count == 4)
  }

  // MARK: Later calls

  @Test func theNextCallResumesACancelledDownload() async throws {
    let reached = AsyncStream<Void>.makeStream()
    let first = content.prefix(50_000)
    let (body, writer) = TransportBody.makeStream()
    let held = HeldSession(body: body, headers: [.eTag: "\"v1\"", .contentLength: "100000"])
    var options = DownloadOptions.impatient
    options.progressHandler = { if $0.byteCount == 50_000 { reached.continuation.yield() } }
    let task = Task { [origin, folder, options] in
      await TransportService(session: held).download(origin.request, to: folder.target, options: options)
    }
    writer.yield(first)
    for await _ in reached.stream { break }
    task.cancel()
    #expect(await task.value.failure?.error.code == .cancelled)
    #expect(try Data(contentsOf: folder.part) == first)

    let second = try await download().get().response
    #expect(second.code == 206)
    try expectWhole()
    #expect(origin.ranges == ["bytes=50000-"] && origin.validators == ["\"v1\""])
  }

  @Test func cancellingEndsTheDelayBetweenAttempts() async throws {
    let paused = AsyncStream<Void>.makeStream()
    struct Long: BackoffStrategy {
      let paused: AsyncStream<Void>.Continuation
      func delay(beforeAttempt attempt: Int) -> Duration {
        paused.yield()
        return .seconds(3_600)
      }
    }
    origin.change { $0.cuts = [50_000] }
    var options = DownloadOptions()
    options.backoff = Long(paused: paused.continuation)
    let task = Task { [options] in await download(options: options) }
    for await _ in paused.stream { break }
    task.cancel()
    #expect(await task.value.failure?.error.code == .cancelled)
    #expect(try folder.names == ["big.iso.anvilpart", "big.iso.anvilpart.json"])
  }

  /// If the process is killed, a record with bytes of another state would lead to a mixed file.
  @Test func theRecordIsRemovedBeforeOtherBytesAreWritten() async throws {
    try await leaveHalf()
    let next = Data.random(60_000, seed: 2)
    let record = folder.record.path()
    let isThere = Mutex<[Bool]>([])
    origin.change { state in
      (state.content, state.headers) = (next, [.eTag: "\"v2\""])
    }
    var options = DownloadOptions.impatient
    options.progressHandler = { _ in isThere.withLock { $0.append(FileManager.default.fileExists(atPath: record)) } }
    _ = try await download(options: options).get()
    #expect(try Data(contentsOf: folder.target) == next)
    #expect(isThere.withLock { $0.count > 1 && !$0.contains(true) })
  }

  @Test func theRecordIsRemovedWithItsBytes() async throws {
    try await leaveHalf()
    let (record, part) = (folder.record.path(), folder.part)
    let left = Mutex<[String]>([])
    origin.change { state in
      state.answers = [
        { _ in
          .status(
            206, headers: [.eTag: "\"v2\"", .contentRange: "bytes 50000-99999/100000"], body: Data(count: 50_000))
        },
        { _ in
          let size = (try? Data(contentsOf: part))?.count
          let hasRecord = FileManager.default.fileExists(atPath: record)
          left.withLock { $0.append("\(size.map(String.init) ?? "no") bytes\(hasRecord ? " and a record" : "")") }
          return nil
        },
      ]
    }
    _ = try await download().get()
    try expectWhole()
    #expect(left.withLock { $0 } == ["0 bytes"])
    #expect(origin.ranges.suffix(2) == ["bytes=50000-", "-"])
  }

  /// The files that a process leaves if it is killed after writing more bytes, or before writing its record.
  @Test(arguments: ["", "{", "null", "{}", "[1]", "\u{0}\u{0}", "{\"format\":1,\"count\":50000}"])
  func anInvalidRecordRestartsTheDownload(record: String) async throws {
    try await leaveHalf()
    try Data(record.utf8).write(to: folder.record)
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges.last == "-")
  }

  @Test(arguments: [
    ("\"count\":50000", "\"count\":50001"), ("\"count\":50000", "\"count\":-1"), ("\"count\":50000", "\"count\":0"),
    ("\"format\":1", "\"format\":2"), ("\\\"v1\\\"", "v1"), ("\\\"v1\\\"", "\\\"v1\\\"\\r\\nX: y"),
    ("\"total\":100000", "\"total\":49999"),
  ])
  func anInconsistentRecordRestartsTheDownload(part: String, replacement: String) async throws {
    try await leaveHalf()
    let record = String(decoding: try Data(contentsOf: folder.record), as: UTF8.self)
    let changed = record.replacing(part, with: replacement)
    try #require(changed != record)
    try Data(changed.utf8).write(to: folder.record)
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges.last == "-")
  }

  @Test func aPartOfOneByteIsResumed() async throws {
    origin.change { state in
      state.cuts = [1]
      state.answers = [{ _ in nil }, { _ in .status(403) }]
    }
    var options = DownloadOptions.impatient
    options.fruitlessAttemptLimit = 1
    #expect(await download(options: options).failure != nil)
    #expect(try Data(contentsOf: folder.part) == content.prefix(1))
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges.last == "bytes=1-")
  }

  @Test func aMissingRecordRestartsTheDownload() async throws {
    try await leaveHalf()
    try FileManager.default.removeItem(at: folder.record)
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges.last == "-")
  }

  @Test func bytesBeyondTheRecordAreDownloadedAgain() async throws {
    try await leaveHalf()
    let part = try FileHandle(forWritingTo: folder.part)
    try part.seekToEnd()
    try part.write(contentsOf: Data(count: 200_000))
    try part.close()
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges.last == "bytes=50000-")
  }

  @Test func aShortenedPartRestartsTheDownload() async throws {
    try await leaveHalf()
    try content.prefix(49_999).write(to: folder.part)
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges.last == "-")
  }

  @Test func aDifferentRequestRestartsTheDownload() async throws {
    try await leaveHalf()
    var request = HTTP.Request(url: try #require(URL(string: "https://files.example.com/other.iso")))
    _ = try await download(request).get()
    #expect(origin.ranges.last == "-")
    try await leaveHalf()
    request = origin.request
    request.headers[.acceptLanguage] = "fi"
    _ = try await download(request).get()
    #expect(origin.ranges.last == "-")
  }

  @Test func theRecordDoesNotRevealTheURL() async throws {
    origin.change { ($0.cuts, $0.answers) = ([50_000], [{ _ in nil }, { _ in .status(403) }]) }
    let url = try #require(URL(string: "https://files.example.com/big.iso?signature=hush"))
    #expect(await download(HTTP.Request(url: url)).failure != nil)
    let record = String(decoding: try Data(contentsOf: folder.record), as: UTF8.self)
    #expect(!record.contains("hush") && !record.contains("example"))
  }

  // MARK: Refusals

  @Test func anUnwritableTargetFailsBeforeAnythingIsSent() async throws {
    let missing = await download(to: folder.url.appending(path: "none/big.iso")).failure
    #expect(missing?.error.code == .fileNotWritten)
    #expect(missing?.error.reason == "the file big.iso cannot be written: No such file or directory")
    let taken = await download(to: folder.url).failure
    #expect(taken?.error.reason?.hasSuffix("something other than a regular file has this name") == true)
    let device = await download(to: URL(filePath: "/dev/null")).failure
    #expect(
      device?.error.reason == "the file null cannot be written: something other than a regular file has this name")
    let web = await download(to: origin.url).failure
    #expect(web?.error.reason == "the file big.iso cannot be written: the target is not a file URL with a file name")
    let newFolder = await download(to: URL(filePath: folder.url.path() + "/new/")).failure
    #expect(newFolder?.error.reason == "the file new cannot be written: its URL is that of a folder")
    for name in [String(repeating: "x", count: 256), String(repeating: "é", count: 128)] {
      let long = await download(to: folder.url.appending(path: name)).failure
      #expect(long?.error.reason == "the file \(name) cannot be written: File name too long")
    }
    for name in ["big.iso\0.txt", "\0"] {
      let cut = await download(to: folder.url.appending(path: name)).failure
      #expect(cut?.error.reason?.hasSuffix("cannot be written: its path contains a NUL") == true, "\(cut as Any)")
    }
    #expect(origin.session.requests.isEmpty)
    #expect(try folder.names == [])
  }

  @Test func aSymbolicLinkInPlaceOfThePartIsNotFollowed() async throws {
    let other = folder.url.appending(path: "other")
    try Data("theirs".utf8).write(to: other)
    try FileManager.default.createSymbolicLink(at: folder.part, withDestinationURL: other)
    #expect(await download().failure?.error.code == .fileNotWritten)
    #expect(try Data(contentsOf: other) == Data("theirs".utf8))
  }

  /// The record could remain with bytes of another state.
  @Test func aRecordThatCannotBeRemovedIsAFailure() async throws {
    try FileManager.default.createDirectory(at: folder.record, withIntermediateDirectories: false)
    #expect(await download().failure?.error.code == .fileNotWritten)
    #expect(try folder.names == ["big.iso.anvilpart.json"])
  }

  /// A program that cleans the folder, and perhaps downloads the same file.
  @Test(
    arguments: [
      { try? FileManager.default.removeItem(at: $0) },
      { try? Data("other".utf8).write(to: $0, options: .atomic) },
      { try? FileHandle(forWritingTo: $0).truncate(atOffset: 7) },
    ] as [@Sendable (URL) -> Void])
  func aPartThatAnotherProgramChangesIsNotTheFile(change: @Sendable (URL) -> Void) async throws {
    let (body, writer) = TransportBody.makeStream()
    let held = HeldSession(body: body, headers: [.eTag: "\"v1\"", .contentLength: "1000000"])
    let task = Task { [origin, folder] in
      await TransportService(session: held).download(origin.request, to: folder.target, options: .impatient)
    }
    writer.yield(Data(count: 1_000_000))
    await waitUntil { (try? Data(contentsOf: folder.part).count) == 1_000_000 }
    change(folder.part)
    writer.finish()
    let error = await task.value.failure?.error
    #expect(error?.code == .fileNotWritten)
    #expect(
      error?.reason == "the file big.iso cannot be written: its part file was replaced, shortened or removed")
    // The next call must not continue the bytes of another file.
    #expect(try !folder.names.contains { ["big.iso", "big.iso.anvilpart.json"].contains($0) })
  }

  @Test func twoDownloadsToOneFileDoNotMix() async throws {
    let begun = AsyncStream<Void>.makeStream()
    let (body, writer) = TransportBody.makeStream()
    let held = HeldSession(body: body, headers: [.contentLength: "100000"])
    var options = DownloadOptions.impatient
    options.progressHandler = { _ in begun.continuation.yield() }
    let first = Task { [origin, folder, options] in
      await TransportService(session: held).download(origin.request, to: folder.target, options: options)
    }
    for await _ in begun.stream { break }
    let second = await download().failure
    #expect(second?.error.reason == "the file big.iso cannot be written: another download is writing to it")
    writer.yield(content)
    writer.finish()
    _ = try await first.value.get()
    try expectWhole()
  }

  // MARK: Gateways

  @Test func gatewaysDownloadWithTheirOwnSettings() async throws {
    origin.change { $0.cuts = [50_000] }
    var gateway = Gateway(
      baseURL: try #require(URL(string: "https://files.example.com")),
      backend: BackendService(transportService: origin.service))
    gateway.headers = [.authorization: "Bearer hush"]
    let response = try await gateway.request("big.iso").download(to: folder.target, options: .impatient)
    #expect(response.body.fileURL == folder.target)
    try expectWhole()
    #expect(origin.ranges == ["-", "bytes=50000-"])
    #expect(origin.session.requests.map { $0.headers[.authorization] } == ["Bearer hush", "Bearer hush"])
  }
}

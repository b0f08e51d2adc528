import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Downloads that a server cuts short, and responses to range requests. Source: RFC 9110 §13.1.5, §14.
@Suite(.timeLimit(.minutes(15))) struct DownloadTests {
  private let folder: TemporaryFolder
  private let content = Data.random(100_000)
  private let origin: Origin

  init() throws {
    folder = try TemporaryFolder()
    origin = try Origin(content)
  }

  private func download(_ options: DownloadOptions = .impatient) async -> Result<TransportSuccess, TransportFailure> {
    await origin.service.download(origin.request, to: folder.target, options: options)
  }

  private func expectWhole(_ content: Data? = nil) throws {
    #expect(try Data(contentsOf: folder.target) == content ?? self.content)
    #expect(try folder.names == ["big.iso"])
  }

  // MARK: Whole

  @Test func theFileIsTheResponsesBody() async throws {
    origin.change { $0.headers.add(.contentType, "application/x-iso") }
    let response = try await download().get().response
    #expect(response.code == 200)
    #expect(response.body.fileURL == folder.target)
    #expect(response.body.contentType == "application/x-iso")
    try expectWhole()
    #expect(origin.session.requests.map { $0.headers[.acceptEncoding] } == [.encodingIdentity])
  }

  @Test(arguments: [true, false]) func anEmptyBodyIsAnEmptyFile(statesLength: Bool) async throws {
    origin.change { ($0.content, $0.statesLength) = (Data(), statesLength) }
    _ = try await download().get()
    try expectWhole(Data())
  }

  @Test func theExistingFileIsKeptUntilTheDownloadIsComplete() async throws {
    try Data("old".utf8).write(to: folder.target)
    origin.change { $0.cuts = [10_000, 0, 0, 0, 0, 0, 0] }
    #expect(await download().failure?.error.code == .truncatedResponse)
    #expect(try Data(contentsOf: folder.target) == Data("old".utf8))
    _ = try await download().get()
    try expectWhole()
  }

  // MARK: Cut short

  @Test(arguments: 0..<20) func resumesWhereItWasInterrupted(seed: UInt64) async throws {
    let cuts = Data.random(Int(1 + seed % 5), seed: seed).map { Int($0) * 75 + 1 }
    origin.change { $0.cuts = cuts }
    #expect(try await download().get().response.code == 206)
    try expectWhole()
    let starts = cuts.indices.map { cuts[...$0].reduce(0, +) }
    #expect(origin.ranges == ["-"] + starts.map { "bytes=\($0)-" })
    #expect(origin.validators.dropFirst().allSatisfy { $0 == "\"v1\"" })
  }

  @Test func progressCoversTheWholeFile() async throws {
    origin.change { $0.cuts = [40_000, 1, 0, 20_000] }
    let reports = Mutex<[TransferProgress]>([])
    var options = DownloadOptions.impatient
    options.progressHandler = { report in reports.withLock { $0.append(report) } }
    _ = try await download(options).get()
    let counts = reports.withLock { $0 }.map(\.byteCount)
    #expect(counts == counts.sorted())
    #expect(counts.first == 0 && counts.last == content.count)
    #expect(reports.withLock { $0 }.allSatisfy { $0.totalByteCount == content.count && $0.direction == .received })
  }

  @Test func progressDecreasesOnlyOnARestart() async throws {
    let next = Data.random(50_000, seed: 2)
    origin.change { $0.cuts = [40_000] }
    let reports = Mutex<[TransferProgress]>([])
    var options = DownloadOptions.impatient
    options.progressHandler = { [origin] report in
      reports.withLock { $0.append(report) }
      if report.byteCount == 40_000 { origin.change { ($0.content, $0.headers) = (next, [.eTag: "\"v2\""]) } }
    }
    _ = try await download(options).get()
    try expectWhole(next)
    let counts = reports.withLock { $0 }.map(\.byteCount)
    #expect(zip(counts, counts.dropFirst()).filter { $0 > $1 }.map(\.1) == [0])
    #expect(counts.last == 50_000)
  }

  @Test func givesUpAfterAttemptsWithoutProgress() async throws {
    origin.change { $0.cuts = [5_000, 0, 0, 0, 6_000, 0, 0, 0] }
    var options = DownloadOptions.impatient
    options.fruitlessAttemptLimit = 3
    let failure = try #require(await download(options).failure)
    #expect(failure.error == TransportError(code: .truncatedResponse, phase: .body))
    #expect(origin.ranges == ["-"] + Array(repeating: "bytes=5000-", count: 3))
    #expect(try Data(contentsOf: folder.part) == content.prefix(5_000))
  }

  @Test(arguments: [TransportError.Code.noConnection, .hostNotFound, .connectionLost, .timedOut])
  func resumesAfterTransientErrors(code: TransportError.Code) async throws {
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [{ _ in nil }, { _ in .failure(TransportError(code: code)) }]
    }
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges == ["-", "bytes=50000-", "bytes=50000-"])
  }

  @Test func resumesAfterATransientStatus() async throws {
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [{ _ in nil }, { _ in .status(503) }]
    }
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges == ["-", "bytes=50000-", "bytes=50000-"])
  }

  @Test func aPermanentErrorEndsTheDownloadAndKeepsItsBytes() async throws {
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [{ _ in nil }, { _ in .status(403) }]
    }
    #expect(await download().failure?.error.code == .clientError(.forbidden))
    #expect(try folder.names == ["big.iso.anvilpart", "big.iso.anvilpart.json"])
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges == ["-", "bytes=50000-", "bytes=50000-"])
  }

  @Test func anIdleConnectionIsReplaced() async throws {
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [{ _ in nil }, { _ in .never }]
    }
    var options = DownloadOptions.impatient
    // Long enough that a busy machine does not reach it.
    options.idleTimeout = .milliseconds(400)
    _ = try await download(options).get()
    try expectWhole()
  }

  @Test func lastingSilenceIsATimeout() async throws {
    origin.change { $0.answers = [{ _ in .never }] }
    var options = DownloadOptions.impatient
    options.idleTimeout = .milliseconds(40)
    let failure = try #require(await download(options).failure)
    #expect(failure.error.code == .timedOut && failure.error.elapsed == .milliseconds(40))
  }

  @Test(arguments: [HTTP.Method.post, .put])
  func onlySafeRequestsAreRepeatedAfterTheHead(method: HTTP.Method) async throws {
    origin.change { $0.cuts = [50_000] }
    var request = origin.request
    request.method = method
    let result = await origin.service.download(request, to: folder.target, options: .impatient)
    #expect(result.failure?.error.code == .truncatedResponse)
    // Ranges are defined only for GET.
    #expect(origin.ranges == ["-"])
    #expect(try folder.names == [])
  }

  // MARK: Before the first head

  private func gateway(_ policy: RetryPolicy?) -> Gateway {
    var configuration = ClientConfiguration.bare
    configuration.clock = RecordingClock()
    configuration.retries = policy
    return Gateway(baseURL: origin.url, session: origin.session, configuration: configuration)
  }

  private static let ends: [@Sendable (HTTP.Request) -> StubSession.Reply?] = [
    { _ in .status(503) }, { _ in .failure(TransportError(code: .connectionLost, phase: .firstByte)) },
    { _ in .failure(TransportError(code: .noConnection)) },
  ]

  @Test(arguments: [nil, 1, 3], ends.indices)
  func attemptsBeforeTheHeadAreThoseOfTheRetryPolicy(attempts: Int?, end: Int) async throws {
    origin.change { $0.answers = Array(repeating: Self.ends[end], count: 20) }
    var policy = attempts.map { _ in RetryPolicy() }
    policy?.attemptLimit = attempts ?? 0
    var options = DownloadOptions.impatient
    options.idleTimeout = .unlimited
    await #expect(throws: AnyError.self) {
      try await gateway(policy).request().download(to: folder.target, options: options)
    }
    #expect(origin.session.requests.count == attempts ?? 1)
    origin.change { $0.answers = [] }
  }

  @Test(arguments: [([HTTP.Method.post], HTTP.Method.post, 2), ([], .get, 1), ([.post], .get, 1), ([.get], .post, 1)])
  func attemptsBeforeTheHeadHaveTheMethodsOfTheRetryPolicy(
    methods: [HTTP.Method], method: HTTP.Method, count: Int
  ) async throws {
    origin.change { $0.answers = [{ _ in .status(503) }] }
    var policy = RetryPolicy()
    policy.methods = Set(methods)
    let request = gateway(policy).request(method: method)
    var options = DownloadOptions.impatient
    options.idleTimeout = .unlimited
    _ = try? await request.download(to: folder.target, options: options)
    #expect(origin.session.requests.count == count)
  }

  /// Also in a call that resumes the bytes of an earlier one.
  @Test func aResumedDownloadBeginsAsTheRetryPolicyAllows() async throws {
    origin.change { $0.cuts = [5_000, 0, 0, 0, 0, 0, 0] }
    _ = await download()
    let count = origin.session.requests.count
    origin.change { $0.answers = [{ _ in .status(503) }, { _ in .status(503) }] }
    #expect(await download().failure?.error.code == .serverError(.serviceUnavailable))
    #expect(origin.session.requests.count == count + 1)
    _ = try await gateway(RetryPolicy()).request().download(to: folder.target)
    try expectWhole()
  }

  /// The server asks for a longer delay than no byte may arrive for.
  @Test func aDelayOfTheRetryPolicyIsNotSilence() async throws {
    origin.change { $0.answers = [{ _ in .status(503, headers: [.retryAfter: "50"]) }] }
    let clock = TestClock()
    let gateway = gateway(RetryPolicy()).configured { $0.clock = clock }
    var options = DownloadOptions.impatient
    options.idleTimeout = .seconds(8)
    options.fruitlessAttemptLimit = 1
    let response = try await clock.running(by: .seconds(1)) { [options, folder] in
      try await gateway.request().download(to: folder.target, options: options)
    }
    #expect(response.code == 200)
    #expect(origin.session.requests.count == 2)
  }

  /// The status is known, whatever happens to the text after it.
  @Test(arguments: [TransportError.Code.timedOut, .truncatedResponse, .connectionLost])
  func anInterruptedBodyDoesNotMakeAPermanentStatusTransient(code: TransportError.Code) async throws {
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [
        { _ in nil },
        { _ in .chunks([Data("no".utf8)], error: TransportError(code: code, phase: .body), status: 404) },
      ]
    }
    let failure = await download().failure
    #expect(failure?.error.code == code && failure?.response?.code == 404)
    #expect(origin.session.requests.count == 2)
  }

  // MARK: Another state of the resource

  @Test func restartsIfTheResourceHasChanged() async throws {
    let next = Data.random(60_000, seed: 2)
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [{ _ in nil }, { _ in .chunks([next], headers: [.eTag: "\"v2\"", .contentLength: "60000"]) }]
    }
    #expect(try await download().get().response.code == 200)
    try expectWhole(next)
    #expect(origin.validators == ["-", "\"v1\""])
  }

  /// With such servers, the file would mix the two states.
  @Test(arguments: [[:], [.eTag: "\"v2\""], [.eTag: "W/\"v1\""]] as [HTTP.Headers])
  func restartsIfTheRangeIsNotConfirmed(headers: HTTP.Headers) async throws {
    let next = Data.random(100_000, seed: 2)
    origin.change { state in
      state.knowsIfRange = false
      state.cuts = [50_000]
      state.answers = [
        { _ in nil },
        { _ in
          .chunks(
            [next.dropFirst(50_000)], status: 206,
            headers: headers.merging([.contentRange: "bytes 50000-99999/100000"]))
        }, { _ in .chunks([next], headers: headers) },
      ]
    }
    _ = try await download().get()
    try expectWhole(next)
    #expect(origin.ranges == ["-", "bytes=50000-", "-"])
  }

  @Test func restartsIfTheTotalDiffers() async throws {
    origin.change { state in
      state.cuts = [50_000]
      state.answers = [
        { _ in nil },
        { _ in
          .chunks([Data(count: 10)], status: 206, headers: [.eTag: "\"v1\"", .contentRange: "bytes 50000-50009/50010"])
        },
      ]
    }
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges == ["-", "bytes=50000-", "-"])
  }

  @Test(
    arguments: [
      [.eTag: "W/\"v1\""], [:], [.eTag: "v1"], [.eTag: "\"a\", \"b\""],
      [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"],
      [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "Sun, 06 Nov 1994 08:50:36 GMT"],
      [.lastModified: "Sunday, 06-Nov-94 08:49:37 GMT", .date: "Sun, 06 Nov 2005 08:50:37 GMT"],
      // A weak tag is still a tag: the date may not be sent. RFC 9110 §13.1.5.
      [
        .eTag: "W/\"v1\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "Tue, 06 Nov 2001 08:49:37 GMT",
      ],
      [.eTag: "\"v1\"", .contentEncoding: "gzip"],
    ] as [HTTP.Headers])
  func restartsWithoutAStrongValidator(headers: HTTP.Headers) async throws {
    origin.change { ($0.headers, $0.cuts) = (headers, [50_000]) }
    _ = try await download().get()
    try expectWhole()
    #expect(origin.ranges == ["-", "-"])
  }

  @Test func restartedAttemptsAreNotProgress() async throws {
    origin.change { ($0.headers, $0.cuts) = ([:], Array(1_000..<1_100)) }
    #expect(await download().failure?.error.code == .truncatedResponse)
    #expect(origin.ranges.count == 6)
    // A part that cannot be resumed is removed.
    #expect(try folder.names == [])
  }

  @Test func aSufficientlyOldDateIsAValidator() async throws {
    let modified: HTTP.HeaderValue = "Sun, 06 Nov 1994 08:49:37 GMT"
    origin.change { state in
      state.headers = [.lastModified: modified, .date: "Sun, 06 Nov 1994 08:50:37 GMT"]
      state.cuts = [50_000]
    }
    _ = try await download().get()
    try expectWhole()
    #expect(origin.validators == ["-", modified.rawValue])
  }
}

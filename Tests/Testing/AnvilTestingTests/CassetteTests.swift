import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Exchanges recorded once and answered from a file.
@Suite(.timeLimit(.minutes(15))) struct CassetteTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "cassette-\(UUID()).json")
  private let server: LoopbackServer
  private let stub = StubSession { Issue.record($0) }

  init() throws {
    server = try LoopbackServer()
    stub.answer(as: server)
    let count = Mutex(0)
    server.on(.get, "/count") { _ in .text("\(count.withLock { $0 += 1; return $0 })") }
    server.on(.get, "/item/:id") { .json(#"{"id":\#($0.parameters["id"] ?? "0")}"#) }
    server.on(.post, "/login") { _ in
      .status(
        201, headers: [.contentType: .applicationJSON, .setCookie: "sid=t0p", "X-Secret": "t0p"],
        body: Data(#"{"access_token":"t0p-answer"}"#.utf8))
    }
    server.on(.post, "/echo") { .status(200, body: $0.body) }
    server.on(.get, "/cut") { _ in .fault(.truncatedBody) }
  }

  private func service(_ mode: CassetteSession.Mode) throws -> (TransportService, CassetteSession) {
    let session = try CassetteSession(file: file, mode: mode) { Issue.record($0) }
    return (TransportService(session: session), session)
  }

  private func login(_ secret: String) throws -> HTTP.Request {
    HTTP.Request(
      method: .post, url: server.url("/login?api_key=\(secret)"), headers: [.authorization: "Bearer \(secret)"],
      body: HTTP.Body(Data(#"{"user":"ada","password":"\#(secret)"}"#.utf8), contentType: .applicationJSON))
  }

  @Test func replayedResponsesEqualTheRecordedOnes() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let (recording, _) = try service(.record(stub))
    for _ in 0..<2 { _ = try await recording.execute(HTTP.Request(url: server.url("/count"))).get() }
    _ = try await recording.execute(HTTP.Request(url: server.url("/item/7"))).get()
    let sent = server.requests.count

    let (replaying, session) = try service(.replay)
    #expect(try await replaying.execute(HTTP.Request(url: server.url("/item/7"))).get().body.string == #"{"id":7}"#)
    #expect(throws: CassetteError.self) { try session.verify() }
    var texts: [String?] = []
    for _ in 0..<2 {
      texts.append(try await replaying.execute(HTTP.Request(url: server.url("/count"))).get().body.string)
    }
    #expect(texts == ["1", "2"])
    try session.verify()
    #expect(server.requests.count == sent)
  }

  @Test func pagesWithSecretsInTheirLinksAreReplayed() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    server.on(.get, "/pages") { request in
      let page = request.query["page"].flatMap { Int($0) } ?? 1
      let link = page < 3 ? "</pages?key=t0p&page=\(page + 1)>; rel=\"next\"" : ""
      let headers: HTTP.Headers = [.link: HTTP.HeaderValue(rawValue: link), .contentType: .applicationJSON]
      return .status(200, headers: headers, body: Data("[\(page)]".utf8))
    }
    for mode in [CassetteSession.Mode.record(stub), .replay] {
      let session = try CassetteSession(file: file, mode: mode) { Issue.record($0) }
      let pages = Gateway(baseURL: server.url, session: session).request("pages", query: ["key": "t0p"])
        .pages(of: [Int].self, by: .linkHeader)
      var found: [Int] = []
      for try await item in pages.items() { found.append(item) }
      #expect(found == [1, 2, 3])
    }
  }

  @Test func progressIsReportedAsInTheRecording() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    for mode in [CassetteSession.Mode.record(stub), .replay] {
      let (service, _) = try service(mode)
      let reports = Mutex([String]())
      let options = TransportOptions(progressHandler: { progress in
        let total = progress.totalByteCount.map(String.init) ?? "-"
        reports.withLock { $0.append("\(progress.direction) \(progress.byteCount)/\(total)") }
      })
      let request = HTTP.Request(method: .post, url: server.url("/echo"), body: HTTP.Body("12345"))
      _ = try await service.execute(request, options: options).get()
      #expect(reports.withLock { $0 } == ["sent 0/5", "sent 5/5", "received 0/5", "received 5/5"])
    }
  }

  /// Counts the trailer fields of requests, as a server would.
  private struct TrailerCounter: TransportSession {
    func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
      let bytes = (try? await request.body.collect()) ?? Data()
      let text = "\(String(decoding: bytes, as: UTF8.self)) \(request.body.trailers?().count ?? 0)"
      let (body, writer) = TransportBody.makeStream()
      writer.yield(Data(text.utf8))
      writer.finish()
      return TransportResponse(head: HTTP.Response(request: request, status: 200, headers: [:]), body: body)
    }
  }

  @Test func trailersOfARecordedRequestAreSent() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    for mode in [CassetteSession.Mode.record(TrailerCounter()), .replay] {
      let chunks = AsyncStream<Data> {
        for text in ["a", "b"] { $0.yield(Data(text.utf8)) }
        $0.finish()
      }
      let request = HTTP.Request(
        method: .put, url: server.url("/digest"), body: .stream(chunks, trailers: { ["X-Digest": "1"] }))
      #expect(try await service(mode).0.execute(request).get().body.string == "ab 1")
    }
  }

  @Test func aByteOrderMarkIsRecorded() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let bytes = Data([0xEF, 0xBB, 0xBF, 0x61])
    let marked = StubSession { Issue.record($0) }
    marked.on(.get, server.url("/marked"), .status(200, headers: [.contentType: "text/csv"], body: bytes))
    for mode in [CassetteSession.Mode.record(marked), .replay] {
      let (service, _) = try service(mode)
      #expect(try await service.execute(HTTP.Request(url: server.url("/marked"))).get().body.data == bytes)
    }
  }

  @Test func secretsAreNotRecordedAndNotCompared() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let (recording, _) = try service(.record(stub))
    let first = try await recording.execute(login("t0p")).get()
    #expect(first.body.string == #"{"access_token":"t0p-answer"}"#)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(!text.contains("t0p"))
    #expect(text.contains("ada"))

    let (replaying, session) = try service(.replay)
    let replayed = try await replaying.execute(login("another")).get()
    #expect(replayed.response.code == 201)
    #expect(replayed.body.string == #"{"access_token":"<redacted>"}"#)
    try session.verify()
  }

  @Test func secretFormFieldsAreNotRecordedAndOnlyTheOwnerCanReadTheFile() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    func request(_ secret: String) -> HTTP.Request {
      let form = HTTP.Body.multipart([.text("ada", name: "user"), .text(secret, name: "password")])
      return HTTP.Request(method: .post, url: server.url("/login"), body: form)
    }
    let (recording, _) = try service(.record(stub))
    _ = try await recording.execute(request("t0p")).get()
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains("ada") && !text.contains("t0p"))
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)

    let (replaying, session) = try service(.replay)
    _ = try await replaying.execute(request("another")).get()
    try session.verify()
  }

  @Test(arguments: [
    ("/item/7?f[]=1&q=a+b", "/item/7?f%5B%5D=1&q=a%20b"), ("/item/%40ada?k=%c3%bc", "/item/@ada?k=%C3%BC"),
    ("/item/7?access%5Ftoken=one&x=,", "/item/7?access_token=two&x=%2C"),
  ])
  func equivalentURLsMatch(recorded: String, sent: String) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let (recording, _) = try service(.record(stub))
    _ = try await recording.execute(HTTP.Request(url: server.url(recorded))).get()
    let (replaying, session) = try service(.replay)
    _ = try await replaying.execute(HTTP.Request(url: server.url(sent))).get()
    try session.verify()
  }

  /// A form is compared like a query.
  @Test func equivalentFormsMatch() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    func request(_ text: String, _ type: HTTP.HeaderValue) -> HTTP.Request {
      HTTP.Request(method: .post, url: server.url("/echo"), body: HTTP.Body(Data(text.utf8), contentType: type))
    }
    let (recording, _) = try service(.record(stub))
    for type in [HTTP.HeaderValue.applicationFormURLEncoded, .textPlain] {
      _ = try await recording.execute(request("f[]=1&q=a+b&password=one", type)).get()
    }
    let session = try CassetteSession(file: file, mode: .replay) { _ in }
    let replaying = TransportService(session: session)
    let other = "f%5b%5D=1&q=a%20b&password=two"
    _ = try await replaying.execute(request(other, .applicationFormURLEncoded)).get()
    #expect(await replaying.execute(request(other, .textPlain)).failure != nil)
  }

  @Test func theErrorForARequestThatWasNotRecordedNamesWhatDiffers() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let (recording, _) = try service(.record(stub))
    _ = try await recording.execute(HTTP.Request(url: server.url("/item/7?page=1"))).get()
    let session = try CassetteSession(file: file, mode: .replay) { _ in }
    let failure = await TransportService(session: session).execute(HTTP.Request(url: server.url("/item/7?page=2")))
      .failure
    #expect(
      failure?.error.reason
        == "\(file.lastPathComponent) has no unused exchange for GET \(server.url("/item/7?page=2").absoluteString); "
        + "for this path it has GET (the query has page=2, not page=1)")
  }

  @Test func aRequestThatWasNotRecordedFailsAndIsReported() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let (recording, _) = try service(.record(stub))
    _ = try await recording.execute(HTTP.Request(method: .post, url: server.url("/echo"), body: HTTP.Body("a"))).get()
    let reports = Mutex<[String]>([])
    let session = try CassetteSession(file: file, mode: .replay) { error in
      reports.withLock { $0.append(error.description) }
    }
    let outcome = await TransportService(session: session)
      .execute(HTTP.Request(method: .post, url: server.url("/echo"), body: HTTP.Body("b")))
    guard case .failure(let failure) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(failure.error.code == .other)
    let expected =
      "\(file.lastPathComponent) has no unused exchange for POST \(server.url("/echo").absoluteString); "
      + "for this URL it has POST with a different body or method"
    #expect(reports.withLock { $0 } == [expected])
    #expect(failure.error.reason == expected)
  }

  /// A cancelled exchange is not recorded.
  @Test(arguments: TransportError.Code.Kind.allCases.compactMap(\.code).filter { $0 != .cancelled })
  func everyFailureIsReplayedWithItsCode(code: TransportError.Code) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let closed = try #require(URL(string: "http://127.0.0.1:1/"))
    stub.on(.get, closed, .failure(TransportError(code: code, phase: .connect, reason: "why")))
    let request = HTTP.Request(url: closed)
    let recorded = await (try service(.record(stub)).0).execute(request).failure
    let replayed = await (try service(.replay).0).execute(request).failure
    #expect(recorded?.error.code == code)
    #expect(replayed?.error == recorded?.error && replayed?.error.reason == "why")
  }

  @Test func failuresAreReplayedWithCodeAndPhase() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let closed = try #require(URL(string: "http://127.0.0.1:1/"))
    stub.on(.get, closed, .failure(TransportError(code: .noConnection, phase: .connect, reason: "refused")))
    let requests = [HTTP.Request(url: closed), HTTP.Request(url: server.url("/cut"))]
    let (recording, _) = try service(.record(stub))
    var recorded: [TransportFailure?] = []
    for request in requests { recorded.append(await recording.execute(request).failure) }
    #expect(recorded.map { $0?.error.code } == [.noConnection, .truncatedResponse])

    let (replaying, session) = try service(.replay)
    var replayed: [TransportFailure?] = []
    for request in requests { replayed.append(await replaying.execute(request).failure) }
    #expect(replayed.map { $0?.error } == recorded.map { $0?.error })
    #expect(replayed.map { $0?.response?.body.data } == recorded.map { $0?.response?.body.data })
    try session.verify()
  }

  @Test func aMissingFileIsRecordedOnce() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    for _ in 0..<3 {
      let (service, session) = try service(.replayOrRecord(stub))
      #expect(try await service.execute(HTTP.Request(url: server.url("/count"))).get().body.string == "1")
      try session.verify()
    }
    #expect(server.requests.count == 1)
  }

  @Test func concurrentRequestsReceiveTheirOwnResponses() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let server = server
    for mode in [CassetteSession.Mode.record(stub), .replay] {
      let (service, session) = try service(mode)
      await withTaskGroup(of: Void.self) { group in
        for id in 0..<100 {
          group.addTask {
            let body = try? await service.execute(HTTP.Request(url: server.url("/item/\(id)"))).get().body.string
            #expect(body == #"{"id":\#(id)}"#)
          }
        }
      }
      try session.verify()
    }
  }

  @Test func streamsAndFormsAreMatchedByTheirBytes() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    func requests() -> [HTTP.Request] {
      let chunks = AsyncStream<Data> {
        $0.yield(Data("streamed".utf8))
        $0.finish()
      }
      return [
        HTTP.Request(method: .post, url: server.url("/echo"), body: .stream(chunks)),
        HTTP.Request(method: .post, url: server.url("/echo"), body: .multipart([.text("Sunset", name: "title")])),
      ]
    }
    let (recording, _) = try service(.record(stub))
    for request in requests() { #expect(try await !recording.execute(request).get().body.isEmpty) }
    let (replaying, session) = try service(.replay)
    for request in requests() { _ = try await replaying.execute(request).get() }
    try session.verify()
  }

  @Test func hiddenBodiesAreToldApart() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    func request(_ bytes: [UInt8]) -> HTTP.Request {
      HTTP.Request(
        method: .post, url: server.url("/echo"),
        body: HTTP.Body(Data([0x1F, 0x8B] + bytes), contentType: .applicationJSON))
    }
    let (recording, _) = try service(.record(stub))
    for byte in UInt8(1)...2 { _ = try await recording.execute(request([byte])).get() }

    let (replaying, session) = try service(.replay)
    _ = try await replaying.execute(request([2])).get()
    #expect(throws: CassetteError.self) { try session.verify() }
    _ = try await replaying.execute(request([1])).get()
    try session.verify()
  }

  @Test func theOrderOfMembersIsNotCompared() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    func request(_ text: String) -> HTTP.Request {
      HTTP.Request(
        method: .post, url: server.url("/echo"), body: HTTP.Body(Data(text.utf8), contentType: .applicationJSON))
    }
    let (recording, _) = try service(.record(stub))
    _ = try await recording.execute(request(#"{"b":1,"a":{"d":[2,1],"c":null}}"#)).get()
    let (replaying, session) = try service(.replay)
    _ = try await replaying.execute(request(#"{"a":{"c":null,"d":[2,1]},"b":1}"#)).get()
    try session.verify()
  }

  @Test func valuesThatAreNoSecretsCanBeDecodedFromARecording() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    server.on(.get, "/session") { _ in
      .json(
        #"{"access_token":"t0p","token_type":"bearer","token_expires_at":"2026-01-01T00:00:00Z","#
          + #""session_id":"5F0C3A5E-2B1D-4C3A-9E55-0A1B2C3D4E5F","max_tokens":8,"#
          + #""session":{"begun":"2026-01-01T00:00:00.5+01:00","tokens":2,"n":7,"open":true}}"#)
    }
    let (recording, _) = try service(.record(stub))
    _ = try await recording.execute(HTTP.Request(url: server.url("/session"))).get()
    let (replaying, _) = try service(.replay)
    let text = try await replaying.execute(HTTP.Request(url: server.url("/session"))).get().body.string
    #expect(
      text == #"{"access_token":"<redacted>","token_type":"bearer","token_expires_at":"2026-01-01T00:00:00Z","#
        + #""session_id":"00000000-0000-0000-0000-000000000000","max_tokens":8,"#
        + #""session":{"begun":"2026-01-01T00:00:00.5+01:00","tokens":2,"n":0,"open":true}}"#)
  }

  /// Responds with `body` and `headers` as they are, and then with trailers.
  private struct Responder: TransportSession {
    var headers: HTTP.Headers = [:]
    var body = Data("a".utf8)
    var trailers: HTTP.Headers = [:]

    func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
      if !trailers.isEmpty { options.eventHandler?(.trailers(trailers)) }
      return TransportResponse(
        head: HTTP.Response(request: request, status: 200, headers: headers), body: TransportBody(body))
    }
  }

  @Test func trailersOfAResponseAreReplayed() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let session = Responder(trailers: ["RateLimit-Remaining": "1", "X-Token": "t0p"])
    var all: [[HTTP.Headers]] = []
    for mode in [CassetteSession.Mode.record(session), .replay] {
      let heard = Mutex<[HTTP.Headers]>([])
      let options = TransportOptions(eventHandler: { event in
        if case .trailers(let fields) = event { heard.withLock { $0.append(fields) } }
      })
      let request = HTTP.Request(url: server.url("/digest"))
      #expect(try await service(mode).0.execute(request, options: options).get().body.string == "a")
      all.append(heard.withLock { $0 })
    }
    #expect(
      all == [
        [["RateLimit-Remaining": "1", "X-Token": "t0p"]], [["RateLimit-Remaining": "1", "X-Token": "<redacted>"]],
      ])
  }

  @Test(
    arguments: [
      (Data([0x1F, 0x8B, 8, 0]), "gzip", nil, true), (Data([0x1F, 0x8B, 8, 0]), "gzip", "4", true),
      (Data([0x28, 0xB5, 0x2F, 0xFD]), "zstd", nil, true), (Data([9, 0xFF]), "br", "2", true),
      (Data("text".utf8), "gzip", nil, false), (Data("text".utf8), "br", "24", false),
      (Data("text".utf8), "identity", "4", false),
    ] as [(Data, HTTP.HeaderValue, HTTP.HeaderValue?, Bool)])
  func aBodyThatTheSessionDoesNotDecompressIsReplayedWithItsCoding(
    body: Data, coding: HTTP.HeaderValue, length: HTTP.HeaderValue?, isPacked: Bool
  ) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    var headers: HTTP.Headers = [.contentEncoding: coding, .contentType: .textPlain]
    headers[.contentLength] = length
    let request = HTTP.Request(url: server.url("/packed"))
    for mode in [CassetteSession.Mode.record(Responder(headers: headers, body: body)), .replay] {
      #expect(try await service(mode).0.execute(request).get().body.data == body)
    }
    let replayed = try await service(.replay).0.execute(request).get().response
    #expect(replayed.headers[.contentEncoding] == (isPacked ? coding : nil))
    #expect(replayed.headers[.contentLength] == (isPacked || coding == "identity" ? length : nil))
  }

  @Test func aBodyThatTheSessionDoesNotDecompressIsRecordedWithoutSecrets() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let text = String(repeating: #"{"token":"t0p","n":1}"# + "\n", count: 1_000)
    let packed = try #require(HTTP.Body(text).gzipped().data)
    let headers: HTTP.Headers = [
      .contentEncoding: "gzip", .contentType: "application/x-ndjson", .contentLength: "\(packed.count)",
    ]
    let request = HTTP.Request(url: server.url("/packed"))
    let (recording, _) = try service(.record(Responder(headers: headers, body: packed)))
    #expect(try await recording.execute(request).get().body.data == packed)
    let replayed = try await service(.replay).0.execute(request).get().response
    #expect(replayed.body.string == text.replacing("t0p", with: "<redacted>"))
    #expect(replayed.headers == [.contentType: "application/x-ndjson"])
  }

  @Test func bodiesInOtherCodingsAreRecordedWithoutSecretsToo() async throws {
    for (coding, packed) in Stored.codings(of: Data(#"{"token":"t0p","n":1,"m":2}"#.utf8)) {
      for length in [HTTP.HeaderValue(rawValue: "\(packed.count)"), nil] {
        defer { try? FileManager.default.removeItem(at: file) }
        var headers: HTTP.Headers = [
          .contentEncoding: HTTP.HeaderValue(rawValue: coding), .contentType: .applicationJSON,
        ]
        headers[.contentLength] = length
        let request = HTTP.Request(url: server.url("/packed"))
        let (recording, _) = try service(.record(Responder(headers: headers, body: packed)))
        #expect(try await recording.execute(request).get().body.data == packed)
        let replayed = try await service(.replay).0.execute(request).get().response
        #expect(replayed.body.string == #"{"token":"<redacted>","n":1,"m":2}"#)
        #expect(replayed.headers == [.contentType: .applicationJSON])
      }
    }
  }

  @Test func aFileMayHaveTheLongestName() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: String(repeating: "n", count: 255))
    defer { try? FileManager.default.removeItem(at: file) }
    let recording = TransportService(session: try CassetteSession(file: file, mode: .record(stub)))
    _ = try await recording.execute(HTTP.Request(url: server.url("/count"))).get()
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func aRecordingGrowsByItsExchanges() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("an older recording".utf8).write(to: file)
    let (recording, _) = try service(.record(stub))
    for number in 1...3 {
      _ = try await recording.execute(HTTP.Request(url: server.url("/item/\(number)"))).get()
      // After each exchange, the file is complete.
      let (replaying, session) = try service(.replay)
      for other in 1...number {
        let body = try await replaying.execute(HTTP.Request(url: server.url("/item/\(other)"))).get().body
        #expect(body.string == #"{"id":\#(other)}"#)
      }
      try session.verify()
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix("{\n  \"exchanges\" : [\n    {\n      \"request\""))
    #expect(text.split(separator: "\n").filter { $0 == "    }," }.count == 2)
  }

  @Test func aRecordingIsWholeAfterItsFileWasRemovedOrReplaced() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    func record(_ id: Int, _ service: TransportService) async throws {
      _ = try await service.execute(HTTP.Request(url: server.url("/item/\(id)"))).get()
    }
    func recorded() throws -> Int {
      try JSON(parsing: Data(contentsOf: file))["exchanges"]?.elements.count ?? 0
    }
    let (first, _) = try service(.record(stub))
    for id in 0..<2 { try await record(id, first) }
    let (second, _) = try service(.record(stub))
    try await record(2, second)
    #expect(try recorded() == 1)
    try await record(3, first)
    #expect(try recorded() == 3)
    try FileManager.default.removeItem(at: file)
    try await record(4, first)
    #expect(try recorded() == 4)
    let (replaying, _) = try service(.replay)
    try await record(4, replaying)
  }

  @Test func aCancelledTaskUsesNoExchange() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let (recording, _) = try service(.record(stub))
    _ = try await recording.execute(HTTP.Request(url: server.url("/count"))).get()
    let (replaying, session) = try service(.replay)
    let url = server.url("/count")
    let cancelled = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await replaying.execute(HTTP.Request(url: url))
    }
    await #expect(throws: TransportFailure.self) { try await cancelled.value.get() }
    #expect(throws: CassetteError.self) { try session.verify() }
    #expect(try await replaying.execute(HTTP.Request(url: url)).get().body.string == "1")
    try session.verify()
  }

  @Test(arguments: ["", "{", "[]", #"{"version":2,"exchanges":[]}"#])
  func aFileThatIsNotARecordingIsRejected(text: String) throws {
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    #expect(throws: CassetteError.self) { try CassetteSession(file: file, mode: .replay) }
  }

  @Test func aMissingFileIsRejected() {
    #expect(throws: CassetteError.self) { try CassetteSession(file: file, mode: .replay) }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

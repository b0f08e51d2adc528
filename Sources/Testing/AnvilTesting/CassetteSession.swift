public import AnvilBase
internal import AnvilBodies
public import AnvilClient
public import AnvilHTTP
internal import AnvilJSON
internal import AnvilServer
internal import Synchronization

/// A session that records exchanges with a real server in a file once, and from then on answers from that file.
///
///     let session = try CassetteSession(file: file, mode: .replay) { Issue.record($0) }
///     let backend = BackendService(transportService: TransportService(session: session))
///     …
///     try session.verify()
///
/// Requests are matched by method, URL and body. Equivalent URLs, such as those with `?f[]=1` and `?f%5B%5D=1`, and equivalent forms match.
/// Each recorded exchange answers once. Equal requests are answered in the order in which they were recorded, independently of other
/// requests, so that tests may send them concurrently. A request that the recording does not contain fails and is reported.
///
/// The file is JSON. Secrets, which the redaction specifies, are left out of the file. They are also left out of a request before it is
/// compared with the file, so a recording that was made with one token answers requests with another. Bodies that are neither JSON nor a
/// form are recorded unchanged; for this reason only the file's owner can read the file. Bodies are held in memory as a whole.
public final class CassetteSession: TransportSession {
  /// The source of the responses.
  public enum Mode: Sendable {
    /// Answers from the file.
    case replay
    /// Answers from the session, and records the exchanges in the file.
    case record(any TransportSession)
    /// Answers from the file if it exists; otherwise behaves like ``record(_:)``.
    case replayOrRecord(any TransportSession)
  }

  private struct Recorded: Sendable {
    let exchange: Cassette.Exchange
    let key: Cassette.Request.Key

    init(_ exchange: Cassette.Exchange) {
      self.exchange = exchange
      key = exchange.request.key
    }

    func difference(to url: NormalizedURL) -> String {
      url.difference(from: key.url).map { "\(key.method) (\($0))" } ?? key.method
    }
  }

  /// The exchanges that are still to be replayed, in the order in which they were recorded.
  private struct Unused: Sendable {
    private var recorded: [Recorded?]
    private var indices: [Cassette.Request.Key: ArraySlice<Int>]

    init(_ recorded: [Recorded]) {
      self.recorded = recorded
      indices = Dictionary(grouping: recorded.indices) { recorded[$0].key }.mapValues { $0[...] }
    }

    var all: [Recorded] { recorded.compactMap(\.self) }

    mutating func take(_ key: Cassette.Request.Key) -> Cassette.Exchange? {
      guard let index = indices[key]?.popFirst() else { return nil }
      return recorded[index].take()?.exchange
    }
  }

  /// The file while it is written.
  private struct Recording: Sendable {
    /// The text of the file without its end.
    var text = Data()
    /// The file with this text; `nil` if it must be written as a whole.
    var version: PrivateFile.Version?
  }

  private let file: URL
  private let recorded: (any TransportSession)?
  private let redaction: HTTP.Redaction
  private let onUnexpectedRequest: @Sendable (CassetteError) -> Void
  private let exchanges: Mutex<Unused>
  private let recording = Mutex(Recording())

  /// Creates a session for a recording.
  ///
  /// - Parameters:
  ///   - file: The recording, a JSON file.
  ///   - mode: The source of the responses.
  ///   - redaction: The parts of messages that are recorded and compared. Add fields and names that are specific to your API.
  ///   - onUnexpectedRequest: Called for a request that the file does not contain, before the request fails. By default, the
  ///     request is printed.
  /// - Throws: ``CassetteError`` if responses come from the file and it is missing or is not a recording.
  public init(
    file: URL, mode: Mode, redaction: HTTP.Redaction = HTTP.Redaction(queryValues: .shownUnlessSecret),
    onUnexpectedRequest: @escaping @Sendable (CassetteError) -> Void = { print("CassetteSession: \($0)") }
  ) throws(CassetteError) {
    self.file = file
    self.redaction = redaction
    self.onUnexpectedRequest = onUnexpectedRequest
    switch mode {
    case .replayOrRecord(let session) where !FileManager.default.fileExists(atPath: file.path),
      .record(let session):
      recorded = session
      exchanges = Mutex(Unused([]))
    case .replay, .replayOrRecord:
      recorded = nil
      exchanges = Mutex(Unused(try Self.read(file).map(Recorded.init)))
    }
  }

  /// Answers `request` from the file, or from the session that is being recorded.
  ///
  /// - Throws: ``TransportError``. An answer from the file throws the recorded error, or an error of code `other` with a ``CassetteError``
  ///   if the file does not contain the request. Recording throws the error of the recorded session, or `other` if the file cannot be
  ///   written. `requestBodyFailed` if the body of the request cannot be read.
  public func send(
    _ request: HTTP.Request, options: TransportOptions
  ) async throws(TransportError) -> TransportResponse {
    // Like any session, a cancelled task sends nothing, and uses no recorded exchange.
    guard !Task.isCancelled else { throw TransportError(code: .cancelled, phase: .firstByte) }
    var request = request
    let trailers = request.body.trailers
    // The comparison has consumed the stream, so its bytes are sent instead.
    if request.body.data == nil {
      request.body = HTTP.Body(try await request.body.bytes, contentType: request.body.contentType)
    }
    let key = Cassette.Request(request, redaction)
    if recorded != nil, let trailers, let data = request.body.data {
      let chunks = AsyncStream<Data> {
        $0.yield(data)
        $0.finish()
      }
      request.body = .stream(chunks, contentType: request.body.contentType, trailers: trailers)
    }
    if let recorded { return try await record(request, as: key, options, recorded) }
    guard let exchange = take(key) else { throw unexpected(key) }
    if let count = request.body.data?.count, count > 0 {
      var progress = ProgressCounter(.sent, total: count, handler: options.progressHandler)
      progress?.add(count)
      progress?.finish()
    }
    return try exchange.response(to: request, reportingTo: options.eventHandler)
  }

  /// Checks that every recorded exchange was used. Does nothing while recording.
  ///
  /// - Throws: ``CassetteError``, which lists the requests that were not made.
  public func verify() throws(CassetteError) {
    guard recorded == nil else { return }
    let unused = exchanges.withLock(\.all).map(\.exchange.request).map { "\($0.method) \($0.url)" }
    guard unused.isEmpty else {
      throw CassetteError(description: "recorded but not requested: \(unused.joined(separator: ", "))")
    }
  }

  private func take(_ request: Cassette.Request) -> Cassette.Exchange? {
    let key = request.key
    return exchanges.withLock { $0.take(key) }
  }

  private func unexpected(_ request: Cassette.Request) -> TransportError {
    let url = request.key.url
    let near = exchanges.withLock(\.all).filter { url.hasSimilarPath(to: $0.key.url) }
    let equal = near.filter { $0.key.url == url }
    let hint =
      if !equal.isEmpty {
        "; for this URL it has \(equal.map(\.key.method).joined(separator: ", ")) with a different body or method"
      } else if !near.isEmpty {
        "; for this path it has \(near.prefix(20).map { $0.difference(to: url) }.joined(separator: ", "))"
      } else {
        ""
      }
    let name = file.lastPathComponent
    let error = CassetteError(description: "\(name) has no unused exchange for \(request.method) \(request.url)\(hint)")
    onUnexpectedRequest(error)
    return TransportError(code: .other, reason: error.description, underlyingError: error)
  }
}

extension CassetteSession {
  /// Sends the request and adds the exchange to the file. An interrupted recording keeps all exchanges up to that point.
  private func record(
    _ request: HTTP.Request, as key: Cassette.Request, _ options: TransportOptions, _ session: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    var exchange = Cassette.Exchange(request: key)
    var options = options
    let trailers = Mutex<HTTP.Headers?>(nil)
    options.eventHandler = { [handler = options.eventHandler] event in
      if case .trailers(let fields) = event { trailers.withLock { $0 = fields } }
      handler?(event)
    }
    do throws(TransportError) {
      let response = try await session.send(request, options: options)
      var body = Data()
      var failure: TransportError?
      do throws(TransportError) {
        for try await chunk in response.body { body.append(chunk) }
      } catch {
        failure = error
      }
      exchange.response = Cassette.Response(response.head, body: body, redaction)
      exchange.response?.trailers = trailers.withLock { $0 }.map(redaction.recorded)
      exchange.failure = failure.map { Cassette.Failure($0) }
      if failure?.code != .cancelled { try keep(exchange) }
      let (stream, writer) = TransportBody.makeStream()
      writer.yield(body)
      writer.finish(failure)
      return TransportResponse(head: response.head, body: stream)
    } catch {
      if exchange.response == nil, error.code != .cancelled {
        exchange.failure = Cassette.Failure(error)
        try keep(exchange)
      }
      throw error
    }
  }

  private func keep(_ exchange: Cassette.Exchange) throws(TransportError) {
    do {
      let encoder = JSON.Encoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let text = try encoder.encode(Cassette(exchanges: [exchange]))
      try recording.withLock { try write(text, to: &$0) }
    } catch {
      throw TransportError(code: .other, reason: "the recording could not be written", underlyingError: error)
    }
  }

  /// The end of the file, after the last exchange.
  private static let end = Data("\n  ],\n  \"version\" : \(Cassette.version)\n}".utf8)

  /// Adds the text of a recording of one exchange to the file. The rest of the file is only written if it has changed since.
  private func write(_ text: Data, to recording: inout Recording) throws {
    let exchange = text.dropLast(Self.end.count)
    let bracket = recording.text.isEmpty ? nil : exchange.firstIndex(of: .openBracket)
    let addition = bracket.map { Data([.comma]) + exchange[($0 + 1)...] } ?? exchange
    recording.text += addition
    // After an error, the next exchange writes the whole file.
    guard let version = recording.version.take(),
      let next = try PrivateFile.replaceEnd(Self.end, of: file, version, with: addition + Self.end)
    else {
      recording.version = try PrivateFile.write(recording.text + Self.end, to: file)
      return
    }
    recording.version = next
  }

  private static func read(_ file: URL) throws(CassetteError) -> [Cassette.Exchange] {
    do {
      let cassette = try JSON.Decoder().decode(Cassette.self, from: Data(contentsOf: file))
      guard cassette.version == Cassette.version else {
        throw CassetteError(description: "version \(cassette.version) is not supported")
      }
      return cassette.exchanges
    } catch {
      throw CassetteError(description: "\(file.lastPathComponent) cannot be replayed: \(error)")
    }
  }
}

extension Cassette.Request {
  /// The parts of a request that are compared with a recording, in a form in which equivalent requests are equal.
  fileprivate struct Key: Hashable, Sendable {
    let method: String
    let url: NormalizedURL
    let body: Data
  }

  fileprivate var key: Key {
    let body = body?.data ?? Data()
    return Key(method: method, url: NormalizedURL(url), body: contentType?.comparable(body) ?? body)
  }

  init(_ request: HTTP.Request, _ redaction: HTTP.Redaction) {
    let type = request.headers.contentType ?? request.body.contentType
    let content = request.body.data ?? Data()
    let shown = redaction.shown(body: content, contentType: type)
    let body = Cassette.recorded(
      type?.withoutBoundary(content) ?? content, shown: type?.withoutBoundary(shown) ?? shown)
    let headers = redaction.recorded(request.headers).map { field in
      field.name.lowercased() == "content-type"
        ? Cassette.Field(name: field.name, value: HTTP.HeaderValue(rawValue: field.value).withoutBoundary) : field
    }
    self.init(
      method: request.method.rawValue, url: redaction.shown(request.url), headers: headers,
      body: body.isEmpty ? nil : Cassette.Content(body))
  }
}

extension Cassette.Response {
  /// The maximum number of bytes of a compressed body that is recorded decompressed.
  private static let sizeLimit = 256 << 20

  /// Creates the recorded form of a response. Fields that describe the transfer of the body are left out if they are not those of the
  /// recorded body, which contains no secrets and is decoded. A body that cannot be decoded keeps its coding.
  init(_ head: HTTP.Response, body: Data, _ redaction: HTTP.Redaction) {
    var fields = head.headers
    fields.remove(.transferEncoding)
    let (decoded, isEncoded) = head.decoding(body, upTo: Self.sizeLimit)
    let shown = redaction.shown(body: decoded, contentType: fields[.contentType])
    if shown != body || !isEncoded {
      fields.remove(.contentEncoding)
      if head.canHaveBody, head.announcedLength != shown.count { fields.remove(.contentLength) }
    }
    self.init(
      status: head.code, headers: redaction.recorded(fields), body: shown.isEmpty ? nil : Cassette.Content(shown))
  }
}

extension Cassette.Exchange {
  func response(
    to request: HTTP.Request, reportingTo handler: TransferEvent.Handler?
  ) throws(TransportError) -> TransportResponse {
    guard let response else {
      throw failure?.error ?? TransportError(code: .other, reason: "the exchange was recorded without a response")
    }
    var request = request
    request.body = .empty
    let head = HTTP.Response(
      request: request, status: HTTP.Status(code: response.status), headers: HTTP.Headers(recorded: response.headers))
    let (body, writer) = TransportBody.makeStream()
    if let content = response.body {
      guard let data = content.data else {
        let error = CassetteError(description: "a body is not valid Base64")
        throw TransportError(code: .other, reason: "\(error)", underlyingError: error)
      }
      writer.yield(data)
    }
    if let trailers = response.trailers { handler?(.trailers(HTTP.Headers(recorded: trailers))) }
    writer.finish(failure?.error)
    return TransportResponse(head: head, body: body)
  }
}

extension HTTP.Headers {
  fileprivate init(recorded fields: [Cassette.Field]) {
    self.init(fields.map { Field(HTTP.HeaderKey(rawValue: $0.name), HTTP.HeaderValue(rawValue: $0.value)) })
  }
}

extension HTTP.Body {
  fileprivate var bytes: Data {
    get async throws(TransportError) {
      do {
        return try await collect()
      } catch {
        throw TransportError(readingRequestBody: error)
      }
    }
  }
}

extension HTTP.Redaction {
  fileprivate func recorded(_ headers: HTTP.Headers) -> [Cassette.Field] {
    headers.map { Cassette.Field(name: $0.key.rawValue, value: shown($0)) }
  }
}

/// An error thrown if a recording is missing, is invalid, or does not contain a requested exchange.
public struct CassetteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the problem, with secrets left out.
  public let description: String
}

extension CassetteError: LocalizedError {
  /// The text of ``description``.
  public var errorDescription: String? { description }
}

extension Cassette.Failure {
  init(_ error: TransportError) {
    self.init(code: error.code.kind.rawValue, phase: error.phase?.rawValue, reason: error.reason)
  }

  var error: TransportError {
    TransportError(
      code: TransportError.Code.Kind(rawValue: code)?.code ?? .other,
      phase: phase.flatMap(TransportError.Phase.init(rawValue:)), reason: reason)
  }
}

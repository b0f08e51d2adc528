#if AsyncHTTPClient
internal import AnvilBase
public import AnvilClient
public import AnvilHTTP
public import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// A transport session that sends requests with an `HTTPClient` of async-http-client.
///
///     var configuration = HTTPClient.Configuration()
///     configuration.redirectConfiguration = .disallow
///     let session = AsyncHTTPSession(HTTPClient(configuration: configuration))
///     let gateway = Gateway("https://api.example.com", session: session)
///
/// The program configures the client and shuts it down. Its redirects must be off, because Anvil follows them and knows which credentials may be sent: a
/// response that the client has reached by a redirect fails with `TransportError.Code.redirectRefused`. `HTTPClient.shared` follows redirects, so it cannot be
/// used.
///
/// Since async-http-client 1.29, the client makes spans if a tracer is bootstrapped, and later versions send their context. With
/// `ClientConfiguration.addTracing`, turn them off by `configuration.tracing.tracer = nil`: otherwise a request has two `traceparent` fields.
///
/// The session adds no `Accept-Encoding` and decodes no content coding. Decompression is a part of the client's configuration.
///
/// The client reports neither informational responses nor trailers nor times, and it cannot send trailers. The phase of a timeout before the head is `send`
/// until the body has been read, and then `firstByte`; a timeout of the client's own has its phase.
///
/// The session passes the transport's contract (`TransportContract` of `AnvilTesting`). With async-http-client 1.33.1 and SwiftNIO 2.101.3, it differs from
/// Anvil's other sessions in these situations:
///
/// - The server closes the connection in the middle of a body: the error is the same, but the last bytes cannot be read, because the client discards what
///   the program has not requested yet. A download resumes earlier.
/// - The server closes an idle connection, and the client sends a request over it before it notices: the error is
///   `TransportError.Code.connectionLost`. The request is retried only if it can be sent twice.
/// - A server sends bytes without a request, and the client sends a request over that connection before it reads them: the bytes are taken for the response,
///   as in other clients that do not look at a connection before they use it.
/// - The client notices the closed connection, or such bytes, before it sends the request: the session sends the request again, over another connection,
///   whatever its method.
/// - A response has several `Content-Length` fields, or also `Transfer-Encoding`: the response is malformed, also if the lengths are equal, and its head is
///   not delivered.
/// - Chunk extensions have blanks beside the semicolon: the response is malformed.
/// - A field value is not UTF-8: U+FFFD replaces its bytes.
public struct AsyncHTTPSession: TransportSession {
  private let client: HTTPClient

  /// Creates a session that uses `client`.
  public init(_ client: HTTPClient) {
    self.client = client
  }

  /// Sends `request` and suspends until the response's head arrives.
  ///
  /// - Throws: `TransportError`; see `TransportSession`.
  public func send(
    _ request: HTTP.Request, options: TransportOptions
  ) async throws(TransportError) -> TransportResponse {
    try request.validateForSending()
    if request.body.trailers != nil {
      throw TransportError(code: .invalidRequest, reason: "AsyncHTTPClient cannot send trailer fields")
    }
    // The client sends some requests of a task that is already cancelled.
    if Task.isCancelled { throw TransportError(code: .cancelled, phase: .send) }
    let deadline = Deadline(after: options.timeout)
    if deadline.end == deadline.start { throw TransportError(code: .timedOut, phase: .send, elapsed: .zero) }
    var request = request
    try await request.checkEmptyBody(by: deadline)
    let upload = RequestUpload(request.body, options.progressHandler)
    let response: HTTPClientResponse
    do {
      response = try await execute(request, upload, until: deadline)
    } catch {
      throw (Task.isCancelled ? nil : upload.failure) ?? TransportError(error, upload, deadline)
    }
    guard response.history.count <= 1 else {
      throw TransportError(
        code: .redirectRefused,
        reason: "the HTTPClient followed a redirect: its redirectConfiguration has to be .disallow")
    }
    // No request asks for another protocol.
    if response.status.code == 101 { throw TransportError(code: .malformedResponse, phase: .firstByte) }
    // SwiftNIO keeps blanks at the end of a value, which are not part of it.
    let fields = response.headers.map { field in
      HTTP.Headers.Field(.init(rawValue: field.name), .init(rawValue: field.value.trimmingBlanks))
    }
    let head = HTTP.Response(
      request: request, status: HTTP.Status(code: Int(response.status.code)), headers: HTTP.Headers(fields))
    let limit = options.responseDelivery == .collected ? deadline : .never
    return TransportResponse(head: head, body: .reading(response.body, within: limit))
  }

  /// Executes `request`, and once more if the client has chosen a connection that was already closed.
  private func execute(
    _ request: HTTP.Request, _ upload: RequestUpload, until deadline: Deadline
  ) async throws -> HTTPClientResponse {
    let end = NIODeadline(deadline)
    do {
      return try await client.execute(HTTPClientRequest(request, upload), deadline: end)
    } catch ChannelError.ioOnClosedChannel where upload.isUnread {
      // The server has closed an idle connection, and the client's pool had not noticed. Nothing was sent.
      return try await client.execute(HTTPClientRequest(request, upload), deadline: end)
    }
  }
}

extension HTTPClientRequest {
  /// Creates the message of a request, whose body is read from `upload`.
  fileprivate init(_ request: HTTP.Request, _ upload: RequestUpload) {
    self.init(url: request.url.absoluteString)
    method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
    headers = NIOHTTP1.HTTPHeaders(request.headers.map { ($0.key.rawValue, $0.value.rawValue) })
    if !request.headers.contains(.userAgent) { headers.add(name: "User-Agent", value: "Anvil/\(AnvilVersion.current)") }
    guard !request.body.isEmpty else { return }
    body = .stream(
      UploadChunks(upload: upload), length: request.body.length.map { .known(Int64($0)) } ?? .unknown)
  }
}

/// The body of a request while it is sent.
private final class RequestUpload: Sendable {
  private enum Stage {
    case unread
    case reading
    case sent
    case failed(TransportError)
  }

  let body: HTTP.Body
  let progress: ProgressCounter?
  private let stage = Mutex(Stage.unread)

  init(_ body: HTTP.Body, _ handler: TransferProgress.Handler?) {
    self.body = body
    progress = body.isEmpty ? nil : ProgressCounter(.sent, total: body.length, handler: handler)
  }

  /// Whether the client has not begun to read the body, which it does after the head was sent.
  var isUnread: Bool {
    if case .unread = stage.withLock(\.self) { true } else { false }
  }

  /// The phase of an exchange that has no response yet.
  var phase: TransportError.Phase {
    if body.isEmpty { return .firstByte }
    return if case .sent = stage.withLock(\.self) { .firstByte } else { .send }
  }

  /// The error of reading the body; `nil` without an error.
  var failure: TransportError? {
    if case .failed(let error) = stage.withLock(\.self) { error } else { nil }
  }

  func begin() { stage.withLock { if case .unread = $0 { $0 = .reading } } }

  func finish() { stage.withLock { $0 = .sent } }

  func fail(_ error: any Error) {
    let error = TransportError(readingRequestBody: error)
    // A body that ends with its task has not failed.
    guard error.code != .cancelled else { return }
    stage.withLock { $0 = .failed(error) }
  }
}

/// The chunks of a request's body, as they are read.
private struct UploadChunks: AsyncSequence, Sendable {
  typealias Element = ByteBuffer

  struct AsyncIterator: AsyncIteratorProtocol {
    let upload: RequestUpload
    var chunks: HTTP.Body.AsyncIterator
    var progress: ProgressCounter?

    mutating func next() async throws -> ByteBuffer? {
      do {
        guard let chunk = try await chunks.next() else {
          progress?.finish()
          upload.finish()
          return nil
        }
        progress?.add(chunk.count)
        return ByteBuffer(bytes: chunk)
      } catch {
        upload.fail(error)
        throw error
      }
    }
  }

  let upload: RequestUpload

  func makeAsyncIterator() -> AsyncIterator {
    upload.begin()
    return AsyncIterator(upload: upload, chunks: upload.body.makeAsyncIterator(), progress: upload.progress)
  }
}

extension TransportBody {
  /// Returns a body that is read from `source` as fast as it is consumed, until `deadline`.
  fileprivate static func reading(_ source: HTTPClientResponse.Body, within deadline: Deadline) -> TransportBody {
    let gate = BackPressureGate()
    let tasks = TaskList()
    let (body, writer) = TransportBody.makeStream(
      onAbandon: {
        gate.end()
        tasks.cancel()
      },
      onFlow: { gate.set($0) })
    let reader = Task {
      do {
        for try await buffer in source {
          writer.yield(Data(buffer.readableBytesView))
          await gate.wait()
        }
        // A client that is cancelled may end the body instead of throwing.
        writer.finish(Task.isCancelled ? TransportError(code: .cancelled, phase: .body) : nil)
      } catch {
        writer.finish(TransportError(error, phase: .body, deadline))
      }
      tasks.cancel()
    }
    let timer = deadline.end.map { end in
      Task {
        guard (try? await Task.sleep(until: end, tolerance: .zero)) != nil else { return }
        writer.finish(TransportError(code: .timedOut, phase: .body, elapsed: deadline.elapsed))
        gate.end()
        tasks.cancel()
      }
    }
    tasks.add([reader] + [timer].compactMap { $0 })
    return body
  }
}

/// Tasks that end together.
private final class TaskList: Sendable {
  private struct State {
    var tasks: [Task<Void, Never>] = []
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Adds tasks, and cancels them if the list was cancelled before.
  func add(_ tasks: [Task<Void, Never>]) {
    let isCancelled = state.withLock { state in
      state.tasks += tasks
      return state.isCancelled
    }
    if isCancelled { cancel() }
  }

  func cancel() {
    let tasks = state.withLock { state in
      state.isCancelled = true
      defer { state.tasks = [] }
      return state.tasks
    }
    for task in tasks { task.cancel() }
  }
}

extension TransportError {
  /// Creates Anvil's error for an error of the client before the response's head.
  fileprivate init(_ error: any Error, _ upload: RequestUpload, _ deadline: Deadline) {
    if case ChannelError.ioOnClosedChannel = error, upload.isUnread {
      // In this phase, also a request that is not idempotent is retried.
      self.init(
        code: .connectionLost, phase: .queue, reason: "the HTTPClient chose a connection that was already closed",
        underlyingError: error)
    } else {
      self.init(error, phase: upload.phase, deadline)
    }
  }

  /// Creates Anvil's error for an error of the client in `phase`.
  fileprivate init(_ error: any Error, phase: Phase, _ deadline: Deadline) {
    switch error {
    case let error as TransportError: self = error
    case let error as HTTPClientError: self.init(error, phase: phase, deadline)
    case is CancellationError: self.init(code: .cancelled, phase: phase)
    case let error as NIOConnectionError:
      // Without an address, no connection was tried.
      let isUnknownHost = error.connectionErrors.isEmpty && (error.dnsAError != nil || error.dnsAAAAError != nil)
      self.init(code: isUnknownHost ? .hostNotFound : .noConnection, phase: .connect, underlyingError: error)
    case ChannelError.connectTimeout:
      self.init(code: .timedOut, phase: .connect, elapsed: deadline.elapsed, underlyingError: error)
    case HTTPParserError.invalidEOFState, ChannelError.ioOnClosedChannel, ChannelError.eof:
      self.init(code: phase == .body ? .truncatedResponse : .connectionLost, phase: phase, underlyingError: error)
    case is HTTPParserError: self.init(code: .malformedResponse, phase: phase, underlyingError: error)
    case let error as IOError:
      let isLost = [ECONNRESET, EPIPE].contains(error.errnoCode)
      self.init(
        code: phase == .body ? .truncatedResponse : isLost ? .connectionLost : .noConnection,
        phase: phase == .body || isLost ? phase : .connect, underlyingError: error)
    // NIOSSL is a dependency of the client, and would be one of this module only for the names of its errors.
    case _ where String(reflecting: type(of: error)).hasPrefix("NIOSSL."):
      self.init(code: .tlsFailure, phase: .tls, underlyingError: error)
    default: self.init(code: .other, phase: phase, reason: "\(type(of: error))", underlyingError: error)
    }
  }

  private init(_ error: HTTPClientError, phase: Phase, _ deadline: Deadline) {
    let (code, phase): (Code, Phase) =
      switch error {
      case .cancelled: (.cancelled, phase)
      case .connectTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout: (.timedOut, .connect)
      case .tlsHandshakeTimeout: (.timedOut, .tls)
      case .getConnectionFromPoolTimeout: (.timedOut, .queue)
      case .readTimeout: (.timedOut, phase == .body ? .body : .firstByte)
      case .writeTimeout: (.timedOut, .send)
      case .deadlineExceeded: (.timedOut, phase)
      case .remoteConnectionClosed, .uncleanShutdown, .requestStreamCancelled:
        (phase == .body ? .truncatedResponse : .connectionLost, phase)
      case .invalidProxyResponse, .proxyAuthenticationRequired: (.noConnection, .connect)
      case .bodyLengthMismatch: (.requestBodyFailed, .send)
      case .redirectLimitReached, .redirectCycleDetected: (.redirectRefused, phase)
      case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody: (.invalidRequest, .send)
      default: (.other, phase)
      }
    self.init(
      code: code, phase: phase, elapsed: code == .timedOut ? deadline.elapsed : nil,
      // The codes of these two say everything.
      reason: code == .timedOut || code == .cancelled ? nil : "\(error)", underlyingError: error)
  }
}

extension NIODeadline {
  /// Creates the same point in time; the distant future for a deadline that never passes.
  fileprivate init(_ deadline: Deadline) {
    guard let end = deadline.end else {
      self = .distantFuture
      return
    }
    // At most 10⁹ seconds: see `Deadline`.
    let rest = Int64((end - ContinuousClock.now) / .nanoseconds(1))
    self = .now() + .nanoseconds(rest)
  }
}
#endif

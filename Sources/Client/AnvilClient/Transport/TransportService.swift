internal import AnvilBase
internal import AnvilBodies
public import AnvilHTTP

/// A service that sends requests through a session and classifies the responses as successes or failures.
public struct TransportService: Sendable {
  /// The maximum number of bytes of a failure's body that are kept for a streamed request. Such a body is expected to
  /// be an error text.
  static let streamedFailureLimit = 1 << 20

  private let session: any TransportSession
  /// The session without interceptors, and the interceptors.
  private let parts: (session: any TransportSession, interceptors: [any Interceptor])
  /// The session for requests with a deadline, which limits each attempt to the remaining time.
  private let boundSession: any TransportSession
  let clock: any Clock<Duration>
  private let isContinuous: Bool

  /// Creates a service over `session`.
  ///
  /// - Parameters:
  ///   - interceptors: the interceptors, in the order in which they receive a request. The first one receives the response last.
  ///   - clock: the clock that measures deadlines (``RequestConfigurable/deadline``).
  public init(
    session: any TransportSession, interceptors: [any Interceptor] = [], clock: any Clock<Duration> = ContinuousClock()
  ) {
    func intercepted(_ session: any TransportSession) -> any TransportSession {
      interceptors.reversed().reduce(session) { InterceptedSession(interceptor: $1, next: $0) }
    }
    parts = (session, interceptors)
    self.clock = clock
    isContinuous = clock is ContinuousClock
    let limited: any TransportSession =
      isContinuous || session is any ClockedSession ? session : AttemptLimits(session: session)
    self.session = intercepted(limited)
    boundSession = intercepted(DeadlineSession(session: limited))
  }

  /// Returns a service over the same session in which `interceptors` receive a request before the interceptors of this one.
  func inside(_ interceptors: [any Interceptor], clock: any Clock<Duration>) -> TransportService {
    TransportService(session: parts.session, interceptors: interceptors + parts.interceptors, clock: clock)
  }

  /// Returns the deadline of a request that starts now; `nil` for no limit.
  func deadline(after limit: Duration?) -> RequestDeadline? {
    limit.flatMap { RequestDeadline($0, clock: clock) }
  }

  /// Sends `request` and classifies the response by its status. The body is collected unless `options` specify a stream.
  ///
  /// The media type of the request's body becomes its `Content-Type`, unless its fields contain one.
  ///
  /// A truncated body, and one longer than ``RequestConfigurable/sizeLimit``, is a failure, whose response contains the bytes
  /// received so far. Cancelling the task ends the transfer immediately with `TransportError.Code.cancelled`.
  public func execute(
    _ request: HTTP.Request, options: TransportOptions = TransportOptions()
  ) async -> Result<TransportSuccess, TransportFailure> {
    var request = request
    if let key = request.headers.missingIdempotencyKey(by: options.settings) {
      request.headers.add(.idempotencyKey, key)
    }
    var options = options
    guard options.expiry == nil, let deadline = deadline(after: options.settings.deadline) else {
      return await result(of: request, options: options)
    }
    options.expiry = deadline
    return await deadline.run { [request, options] in await result(of: request, options: options) }
  }

  private func result(
    of request: HTTP.Request, options: TransportOptions
  ) async -> Result<TransportSuccess, TransportFailure> {
    do throws(TransportFailure) {
      var success = try await attempt(request, options: options)
      // Nobody learns what the caller does with the response.
      success.outcome = nil
      return .success(success)
    } catch {
      return .failure(error)
    }
  }

  /// Sends `request` once and records the duration. The idempotency key and the deadline are already set.
  func attempt(
    _ request: HTTP.Request, options: consuming TransportOptions
  ) async throws(TransportFailure) -> TransportSuccess {
    // Sessions receive neither the system's clock nor a timeout that means no limit.
    if !isContinuous { options.clock = clock }
    if let timeout = options.settings.timeout, timeout.asLimit == nil { options.settings.timeout = nil }
    let stopwatch = Stopwatch(clock)
    let message = try request.message(in: options.settings.encodingFormat)
    var response: TransportResponse
    do throws(TransportError) {
      response = try await (options.expiry == nil ? session : boundSession).send(message, options: options)
    } catch {
      var failure = TransportFailure(error: error.orTimedOut(by: options.expiry, in: .delay), request: message)
      failure.elapsed = stopwatch()
      throw failure
    }
    var isCut = false
    var interruption: TransportError?
    do throws(TransportError) {
      isCut = try await receive(&response, options: options)
    } catch {
      interruption = error.orTimedOut(by: options.expiry, in: .body)
    }
    response.head.elapsed = stopwatch()
    // For a caller that decodes the body.
    if let format = options.settings.decodingFormat { response.head.body.decodingFormat = format }
    if let interruption {
      throw TransportFailure(error: interruption, request: response.head.request, response: response.head)
    }
    do throws(TransportFailure) {
      var success = try response.head.transportSuccess(accepting: options.acceptedStatuses)
      if !response.outcomeHandlers.isEmpty { success.outcome = AttemptOutcome(response.outcomeHandlers) }
      return success
    } catch {
      throw isCut ? error.cut(at: Self.streamedFailureLimit) : error
    }
  }

  /// Makes the body of `response` that of its head: as a stream, or collected in memory, according to the options.
  ///
  /// - Returns: Whether the body was cut because it is longer than ``streamedFailureLimit``. The rest is not awaited.
  /// - Throws: The error that interrupted the body, or that it is longer than its limit. The head then has the bytes received so far.
  @inline(__always)
  private func receive(
    _ response: inout TransportResponse, options: TransportOptions
  ) async throws(TransportError) -> Bool {
    let status = response.head.status
    let isStreamed = options.responseDelivery == .streamed
    let isDelivered =
      isStreamed && response.head.canHaveBody && (status.isSuccess || options.acceptedStatuses.contains(status))
    // The session limits the time for a collected body, but ends the timeout of a streamed request with the head.
    let limit = isDelivered ? options.expiry : isStreamed ? failureLimit(options) : nil
    let body = response.body.limited(idleTimeout: options.settings.idleTimeout, by: limit, clock: clock)
    let progress =
      options.settings.progressHandler != nil && response.head.canHaveBody
      ? ProgressCounter(.received, total: response.head.announcedLength, handler: options.settings.progressHandler)
      : nil
    if isDelivered {
      response.head = response.head.streaming(body, progress: progress)
      return false
    }
    let sizeLimit =
      isStreamed ? Self.streamedFailureLimit : max(options.settings.sizeLimit ?? RequestSettings.defaultSizeLimit, 0)
    var collected = BodyBeginning(limit: sizeLimit, progress: progress)
    defer {
      response.head.body =
        collected.data.isEmpty ? .empty : HTTP.Body(collected.data, contentType: response.head.headers.contentType)
    }
    // Most bodies are available as a whole, and need no loop over an asynchronous sequence.
    if let whole = body.takeWhole() {
      collected.add(whole)
    } else if isStreamed || !response.head.canHaveBody || response.head.announcedLength ?? 0 <= sizeLimit {
      try await collected.add(body)
    } else {
      collected.isCut = true
    }
    guard collected.isCut else {
      collected.progress?.finish()
      return false
    }
    guard isStreamed else {
      throw TransportError(code: .responseTooLarge, phase: .body, reason: "the body has more than \(sizeLimit) bytes")
    }
    return true
  }

  /// Returns the limit on the time for the body of a streamed request's failure, which begins now: the timeout of an attempt or, if it is
  /// earlier, the deadline.
  @inline(never)
  private func failureLimit(_ options: TransportOptions) -> RequestDeadline? {
    guard let timeout = options.settings.timeout,
      let limit = RequestDeadline(timeout, clock: clock, isOfAttempt: true, of: options.expiry)
    else { return options.expiry }
    return options.expiry.flatMap { $0.remaining <= limit.remaining ? $0 : nil } ?? limit
  }
}

/// The first bytes of a body, up to a limit.
struct BodyBeginning {
  let limit: Int
  var progress: ProgressCounter?
  private(set) var data = Data()
  /// Whether the body has more bytes than the limit.
  fileprivate(set) var isCut = false

  init(limit: Int, progress: ProgressCounter? = nil) {
    self.limit = limit
    self.progress = progress
  }

  /// Adds the chunks until the end or the limit. After that, the rest is not awaited.
  mutating func add<Chunks: AsyncSequence>(
    _ chunks: Chunks
  ) async throws(Chunks.Failure) where Chunks.Element == Data {
    for try await chunk in chunks {
      add(chunk)
      if isCut { return }
    }
  }

  fileprivate mutating func add(_ chunk: Data) {
    guard chunk.count <= limit - data.count else {
      data.append(chunk.prefix(limit - data.count))
      isCut = true
      return
    }
    // The first chunk is usually the only one, and is used without a copy.
    if data.isEmpty, chunk.startIndex == 0 { data = chunk } else { data.append(chunk) }
    progress?.add(chunk.count)
  }
}

extension TransportFailure {
  /// Returns the failure with a reason that mentions that its response has only the first `limit` bytes of the body.
  fileprivate func cut(at limit: Int) -> TransportFailure {
    TransportFailure(
      error: error.adding("only the first \(limit) bytes of the body were kept"), request: request, response: response)
  }
}

extension HTTP.Request {
  /// Returns the request with its body encoded and described by its fields, after validation.
  ///
  /// - Parameter format: The format of the body, unless the body specifies one.
  /// - Throws: ``TransportFailure`` of code `invalidRequest`.
  fileprivate func message(in format: (any EncodingFormat)?) throws(TransportFailure) -> HTTP.Request {
    var request = self
    do {
      // A request without a body has nothing to encode or to describe.
      if !body.isAbsent { try request.prepareBody(in: format) }
      try request.validate()
      return request
    } catch {
      throw request.invalid(error)
    }
  }

  /// Encodes the body, and describes it by the fields.
  mutating func prepareBody(in format: (any EncodingFormat)?) throws(HTTP.BodyError) {
    if body.isDeferred { body = try body.encoded(in: body.ownEncodingFormat ?? format) }
    if let contentType = body.contentType {
      let field = headers[.contentType]
      // Without the boundary, which a default or a field that names only the type does not have, no recipient can read a form.
      if field.map({ contentType.statesBoundary && !$0.statesBoundary }) ?? true {
        headers[.contentType] = contentType
      }
    }
    if let contentEncoding = body.contentEncoding, !headers.contains(.contentEncoding) {
      headers.add(.contentEncoding, contentEncoding)
    }
  }

  func invalid(_ reason: any Error) -> TransportFailure {
    TransportFailure(error: TransportError(invalidRequest: reason), request: self)
  }
}

extension TransportError {
  /// Returns a timeout error if the deadline cancelled the request, otherwise the error itself.
  @inline(never)
  func orTimedOut(by deadline: RequestDeadline?, in phase: Phase) -> TransportError {
    guard code == .cancelled, let deadline, deadline.hasCancelled else { return self }
    var error = deadline.error(in: phase, while: reason)
    error.history = history
    return error
  }
}

extension HTTP.HeaderValue {
  /// Source: RFC 2046 §5.1.1.
  fileprivate var statesBoundary: Bool { rawValue.lowercased().contains("boundary=") }
}

/// A session that limits each attempt to the time that remains until the request's deadline. All interceptors act before it.
///
/// The limit of a streamed response ends with its head. ``TransportService`` limits the time for its body.
struct DeadlineSession: TransportSession {
  let session: any TransportSession

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    guard let deadline = options.expiry else { return try await session.send(request, options: options) }
    var bounded = options
    let remaining = try deadline.beginAttempt()
    let isBound = options.settings.timeout.map { remaining <= $0 } ?? true
    if isBound { bounded.timeout = remaining }
    do throws(TransportError) {
      let response = try await session.send(request, options: bounded)
      deadline.endAttempt(hasExpired: false)
      return response
    } catch {
      let hasExpired = isBound && error.code == .timedOut
      deadline.endAttempt(hasExpired: hasExpired)
      throw hasExpired ? deadline.error(in: error.phase ?? .firstByte) : error
    }
  }
}

/// A session that measures its time limits with the clock of the options, as the stub of tests does.
package protocol ClockedSession: TransportSession {}

/// A session that limits each attempt by the clock of the options, because the session below measures the time of the system, or no time. Used
/// unless the clock of the service is the system's.
struct AttemptLimits: TransportSession {
  let session: any TransportSession

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    guard let clock = options.clock, let timeout = options.settings.timeout,
      let limit = RequestDeadline(timeout, clock: clock, isOfAttempt: true, of: options.expiry)
    else { return try await session.send(request, options: options) }
    // The deadline of the request ends reading the body itself.
    let isDeadline = options.expiry.map { $0.remaining <= timeout } ?? false
    var unlimited = options
    unlimited.timeout = nil
    let result = await limit.run { [session, unlimited] in
      await Result { () async throws(TransportError) in try await session.send(request, options: unlimited) }
    }
    do throws(TransportError) {
      var response = try result.get()
      if options.responseDelivery == .collected, !isDeadline {
        response.body = response.body.limited(idleTimeout: nil, by: limit, clock: clock)
      }
      return response
    } catch {
      throw error.orTimedOut(by: limit, in: error.phase ?? .firstByte)
    }
  }
}

/// A component between `TransportService` and the session. It sees each request before it is sent and each response before its status is
/// evaluated, and may change, answer or repeat them.
///
///     struct RequestID: Interceptor {
///       func intercept(
///         _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
///       ) async throws(TransportError) -> TransportResponse {
///         var request = request
///         request.headers["X-Request-ID"] = "…"
///         return try await next.send(request, options: options)
///       }
///     }
public protocol Interceptor: Sendable {
  /// Answers `request`, usually by calling `next`, which represents the interceptors after this one and finally the session.
  ///
  /// - Throws: ``TransportError``. An interceptor's specific error is its `underlyingError`.
  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse
}

/// A part of the configuration that takes part in an exchange, but is not an interceptor, so that the configuration is the only way to use it.
package protocol InterceptingPart: Sendable {
  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse
}

extension InterceptingPart {
  /// An interceptor that sends requests through the part. A part that counts attempts would count calls before interceptors that repeat requests.
  package var interceptor: any Interceptor { PartInterceptor(part: self) }
}

struct PartInterceptor<Part: InterceptingPart>: Interceptor {
  let part: Part

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    try await part.intercept(request, options: options, next: next)
  }
}

/// A session whose requests pass through one interceptor.
package struct InterceptedSession: TransportSession {
  let interceptor: any Interceptor
  let next: any TransportSession

  package init(interceptor: any Interceptor, next: any TransportSession) {
    (self.interceptor, self.next) = (interceptor, next)
  }

  package func send(
    _ request: HTTP.Request, options: TransportOptions
  ) async throws(TransportError) -> TransportResponse {
    try await interceptor.intercept(request, options: options, next: next)
  }
}

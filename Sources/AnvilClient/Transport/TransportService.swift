public import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sends requests through a session and sorts what came back: a success, or a failure that says which kind.
public struct TransportService: Sendable {
  /// How much of the body of a failure is kept where a stream was asked for: an error's text, not a download.
  private static let streamedFailureLimit = 1 << 20

  private let session: any TransportSession
  /// The same, for requests with a deadline.
  private let boundSession: any TransportSession
  private let clock: any Clock<Duration>

  /// A service over `session`.
  ///
  /// - Parameters:
  ///   - interceptors: asked in order, the first one outermost: it sees a request first and its response last.
  ///   - clock: what deadlines are measured by (``RequestPolicy/deadline``).
  public init(
    session: any TransportSession, interceptors: [any Interceptor] = [], clock: any Clock<Duration> = ContinuousClock()
  ) {
    func intercepted(_ session: any TransportSession) -> any TransportSession {
      interceptors.reversed().reduce(session) { InterceptedSession(interceptor: $1, next: $0) }
    }
    self.session = intercepted(session)
    boundSession = intercepted(DeadlineSession(session: session))
    self.clock = clock
  }

  /// The deadline of a request that begins now; `nil` where `policy` has none.
  func deadline(for policy: RequestPolicy) -> Deadline? {
    policy.deadline.flatMap { Deadline($0, clock: clock) }
  }

  /// Sends `request` and sorts the response by its status, with its body collected unless `options` ask for a stream.
  ///
  /// The media type of the request's body becomes its `Content-Type`, unless its fields have one.
  ///
  /// Never hangs on to a body that came short, or is longer than ``RequestPolicy/maximumCollectedSize``: a failure while it is
  /// read carries the response with what had arrived.
  /// Cancelling the task ends the transfer at once with `TransportError.Code.cancelled`.
  public func execute(
    _ request: HTTP.Request, options: TransportOptions = TransportOptions()
  ) async -> Result<TransportSuccess, TransportFailure> {
    var request = request
    if let key = request.headers.missingIdempotencyKey(by: options.policy) { request.headers.add(.idempotencyKey, key) }
    guard options.deadline == nil, let deadline = deadline(for: options.policy) else {
      return await attempt(request, options: options)
    }
    var options = options
    options.deadline = deadline
    return await deadline.run { [request, options] in await attempt(request, options: options) }
  }

  /// Sends `request` once, of which the key and the deadline have been decided, and tells how long it took.
  func attempt(
    _ request: HTTP.Request, options: TransportOptions
  ) async -> Result<TransportSuccess, TransportFailure> {
    let stopwatch = clock.stopwatch()
    let message: HTTP.Request
    do throws(TransportFailure) {
      message = try request.message()
    } catch {
      return .failure(error)
    }
    let response: TransportResponse
    do throws(TransportError) {
      response = try await (options.deadline == nil ? session : boundSession).send(message, options: options)
    } catch {
      let error = error.orTimedOut(by: options.deadline, in: .delay)
      return .failure(TransportFailure(error: error, request: message)).timed(stopwatch())
    }
    return await receive(response, options: options).timed(stopwatch())
  }

  /// Takes the response's body as the options ask for it, and sorts the status.
  private func receive(
    _ response: TransportResponse, options: TransportOptions
  ) async -> Result<TransportSuccess, TransportFailure> {
    let head = response.head
    let progress =
      options.progressHandler != nil && head.canHaveBody
      ? ProgressCounter(.received, total: head.announcedLength, handler: options.progressHandler) : nil
    switch options.responseDelivery {
    case .collected:
      let limit = SizeLimit(bytes: max(options.policy.maximumCollectedSize, 0), excess: .fails)
      return await collect(response.body, of: head, limit, deadline: options.deadline, progress: progress)
    case .streamed where head.status.isSuccess && head.canHaveBody:
      return head.streaming(response.body, progress: progress).transportResult
    case .streamed:
      let limit = SizeLimit(bytes: Self.streamedFailureLimit, excess: .isCut)
      return await collect(response.body, of: head, limit, deadline: options.deadline, progress: progress)
    }
  }

  /// How much of a body is collected.
  private struct SizeLimit {
    enum Excess {
      case fails, isCut
    }

    let bytes: Int
    let excess: Excess

    var tooLarge: TransportError {
      TransportError(code: .responseTooLarge, phase: .body, reason: "the body has more than \(bytes) bytes")
    }
  }

  /// The response with its body, as much of it as `limit` allows; what comes after that is not waited for.
  private func collect(
    _ body: TransportBody, of head: HTTP.Response, _ limit: SizeLimit, deadline: Deadline?, progress: ProgressCounter?
  ) async -> Result<TransportSuccess, TransportFailure> {
    var progress = progress
    var collected = Data()
    do throws(TransportError) {
      if limit.excess == .fails, head.canHaveBody, let length = head.announcedLength, length > limit.bytes {
        throw limit.tooLarge
      }
      for try await chunk in body {
        guard chunk.count <= limit.bytes - collected.count else {
          collected.append(chunk.prefix(limit.bytes - collected.count))
          if limit.excess == .fails { throw limit.tooLarge }
          return head.with(collected).transportResult.mapError { $0.cut(at: limit.bytes) }
        }
        // The first is most often the only one, which nothing has to be copied for.
        if collected.isEmpty, chunk.startIndex == 0 { collected = chunk } else { collected.append(chunk) }
        progress?.add(chunk.count)
      }
      progress?.finish()
      return head.with(collected).transportResult
    } catch {
      let response = head.with(collected)
      let error = error.orTimedOut(by: deadline, in: .body)
      return .failure(TransportFailure(error: error, request: response.request, response: response))
    }
  }
}

extension Result<TransportSuccess, TransportFailure> {
  /// The same result with the time that it took.
  fileprivate func timed(_ elapsed: Duration) -> Self {
    switch self {
    case .success(var success):
      success.response.elapsed = elapsed
      return .success(success)
    case .failure(var failure):
      failure.elapsed = elapsed
      return .failure(failure)
    }
  }
}

extension TransportFailure {
  /// The same failure, which says that its response has only the first `limit` bytes of its body.
  fileprivate func cut(at limit: Int) -> TransportFailure {
    TransportFailure(
      error: error.adding("only the first \(limit) bytes of the body were kept"), request: request, response: response)
  }
}

extension HTTP.Request {
  /// The request with its body encoded and described by its fields, and found to be valid.
  ///
  /// - Throws: ``TransportFailure`` of code `invalidRequest`.
  fileprivate func message() throws(TransportFailure) -> HTTP.Request {
    var request = self
    if request.body.isDeferred {
      do throws(HTTP.BodyError) {
        request.body = try request.body.encoded()
      } catch {
        throw request.invalid(error)
      }
    }
    if let contentType = request.body.contentType, !request.headers.contains(.contentType) {
      request.headers.add(.contentType, contentType)
    }
    if let contentEncoding = request.body.contentEncoding, !request.headers.contains(.contentEncoding) {
      request.headers.add(.contentEncoding, contentEncoding)
    }
    do throws(HTTP.InvalidMessage) {
      try request.validate()
    } catch {
      throw request.invalid(error)
    }
    return request
  }

  /// That the request cannot be sent, for `reason`.
  func invalid(_ reason: some Error & CustomStringConvertible) -> TransportFailure {
    let error = TransportError(code: .invalidRequest, reason: reason.description, underlyingError: reason)
    return TransportFailure(error: error, request: self)
  }
}

extension TransportError {
  /// The same error, or that the time was up, if that was why it says that it was cancelled.
  fileprivate func orTimedOut(by deadline: Deadline?, in phase: Phase) -> TransportError {
    guard code == .cancelled, let deadline, deadline.hasCancelled else { return self }
    var error = deadline.error(in: phase, while: reason)
    error.history = history
    return error
  }
}

extension HTTP.Response {
  /// The response with `data` as its body, of the type that its fields state.
  fileprivate func with(_ data: Data) -> HTTP.Response {
    var response = self
    response.body = data.isEmpty ? .empty : HTTP.Body(data, contentType: headers[.contentType])
    return response
  }
}

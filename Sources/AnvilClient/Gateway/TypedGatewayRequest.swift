public import AnvilHTTP
public import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request that a ``TypedGateway`` made: a ``GatewayRequest`` whose calls throw one type of error.
///
///     var request = api.request("users/\(id)")
///     request.headers[.ifNoneMatch] = tag
///     let user = try await request.execute(as: User.self)
///
/// Has the properties of its ``request``, which also has the calls that return promises.
@dynamicMemberLookup
public struct TypedGatewayRequest<Failure: DecodingFailureRepresentable>: Sendable {
  /// The request without the type of its error.
  public var request: GatewayRequest

  /// The properties of ``request``.
  public subscript<Value>(dynamicMember keyPath: WritableKeyPath<GatewayRequest, Value>) -> Value {
    get { request[keyPath: keyPath] }
    set { request[keyPath: keyPath] = newValue }
  }

  /// Sends the request and decodes the response; see ``GatewayRequest/execute(as:failing:)-(R.Type,_)``.
  ///
  /// - Throws: `Failure` and nothing else.
  public func execute<R: Decodable & Sendable>(as type: R.Type = R.self) async throws(Failure) -> R {
    try await request.execute(as: type, failing: Failure.self)
  }

  /// Sends the request and decodes the response, which comes along.
  ///
  /// - Throws: `Failure` and nothing else.
  public func execute<R: Decodable & Sendable>(as type: Decoded<R>.Type) async throws(Failure) -> Decoded<R> {
    try await request.execute(as: type, failing: Failure.self)
  }

  /// Sends the request and decodes the response out of the `container` that wraps it.
  ///
  /// - Throws: `Failure` and nothing else.
  public func execute<C: DecodableContainer & SendableMetatype>(
    as type: C.Contained.Type = C.Contained.self, container: C.Type
  ) async throws(Failure) -> C.Contained where C.Contained: Sendable {
    try await request.execute(as: type, container: container, failing: Failure.self)
  }

  /// Not available: a call without the type of the response.
  @available(*, unavailable, message: "name the type of the response, as in execute(as: User.self)")
  public func execute() async throws(Failure) {}

  /// Sends the request and returns the response, whatever its body.
  ///
  /// - Throws: `Failure` and nothing else, for a status that is not 2xx, too.
  @discardableResult
  public func send() async throws(Failure) -> HTTP.Response {
    try await request.send(failing: Failure.self)
  }
}

/// Responses that do not fit into memory, and those that are more than one.
extension TypedGatewayRequest {
  /// Sends the request and returns the response as soon as its head has come; the body is read as it arrives. See
  /// ``GatewayRequest/stream()``.
  ///
  /// - Throws: `Failure` and nothing else. What fails while the body is read is thrown by the body.
  public func stream() async throws(Failure) -> HTTP.Response {
    try await request.respond(.streamed, failing: Failure.self)
  }

  /// Sends the request and returns the response when its body is in `file` as a whole; see
  /// ``GatewayRequest/download(to:options:)``. Cancelling the task ends the transfer and leaves what has come.
  ///
  /// - Throws: `Failure` and nothing else.
  @discardableResult
  public func download(
    to file: URL, options: DownloadOptions = DownloadOptions()
  ) async throws(Failure) -> HTTP.Response {
    do {
      return try await request.respond(into: file, options)
    } catch {
      throw Failure(error, of: request)
    }
  }

  /// The server-sent events that the request is answered with; see ``GatewayRequest/events(reconnectionTime:backoff:clock:)``.
  ///
  /// Reading them throws the errors of ``EventSource``, not `Failure`.
  public func events(
    reconnectionTime: Duration = .seconds(3), backoff: any BackoffStrategy = ExponentialBackoff(),
    clock: any Clock<Duration> = ContinuousClock()
  ) -> EventSource {
    request.events(reconnectionTime: reconnectionTime, backoff: backoff, clock: clock)
  }

  /// The pages of the list that this request is the first page of; see ``GatewayRequest/pages(of:by:from:limit:)``. Reading them
  /// throws `Failure` and nothing else.
  public func pages<Value: Decodable & Sendable>(
    of type: Value.Type, by pagination: Pagination<Value>, from position: PagePosition = .start, limit: Int = .max
  ) -> TypedPages<Value, Failure> {
    TypedPages(pages: request.pages(of: type, by: pagination, from: position, limit: limit), request: request)
  }
}

extension DecodingFailureRepresentable {
  /// The error that stands for `error`, which sending `request` has thrown.
  init(_ error: any Error, of request: GatewayRequest) {
    switch error {
    case let failure as TransportFailure: self.init(transportFailure: failure)
    case let failure as DecodingFailure: self.init(decodingFailure: failure)
    default:
      do throws(TransportFailure) {
        let code: TransportError.Code = error is PaginationError ? .malformedResponse : .other
        self.init(
          transportFailure: TransportFailure(
            error: TransportError(code: code, reason: "\(error)", underlyingError: error),
            request: try request.makeHTTPRequest()))
      } catch {
        self.init(transportFailure: error)
      }
    }
  }
}

extension TypedGatewayRequest: CustomStringConvertible, CustomReflectable {
  /// Method and URL, credentials and query values redacted: safe to log.
  public var description: String { request.description }
  /// The request's mirror, without secrets.
  public var customMirror: Mirror { request.customMirror }
}

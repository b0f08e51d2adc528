public import AnvilHTTP
public import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request that a ``TypedGateway`` created: a ``GatewayRequest`` whose calls throw one type of error.
///
///     var request = api.request("users/\(id)")
///     request.headers[.ifNoneMatch] = tag
///     let user = try await request.execute(as: User.self)
///
/// The properties of ``request`` are also properties of this type. To call the functions that return promises, use ``request``.
@dynamicMemberLookup
public struct TypedGatewayRequest<Failure: DecodingFailureRepresentable>: Sendable {
  /// The request without the type of its error.
  public var request: GatewayRequest

  /// Accesses a property of ``request``.
  public subscript<Value>(dynamicMember keyPath: WritableKeyPath<GatewayRequest, Value>) -> Value {
    get { request[keyPath: keyPath] }
    set { request[keyPath: keyPath] = newValue }
  }

  /// Sends the request and decodes the response; see ``GatewayRequest/execute(as:container:failing:)``.
  ///
  /// - Throws: `Failure` only.
  public func execute<R: Decodable & Sendable>(
    as type: R.Type = R.self, container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await request.execute(as: type, container: container, failing: Failure.self)
  }

  /// Sends the request and returns the decoded value together with the response.
  ///
  /// - Throws: `Failure` only.
  public func execute<R: Decodable & Sendable>(as type: Decoded<R>.Type) async throws(Failure) -> Decoded<R> {
    try await request.execute(as: type, failing: Failure.self)
  }

  /// Unavailable, because the call does not name the type of the response.
  @available(*, unavailable, message: "specify the type of the response, as in execute(as: User.self)")
  public func execute() async throws(Failure) {}

  /// Sends the request and returns the response, whatever its body.
  ///
  /// - Throws: `Failure` only. A status that is not 2xx is an error as well.
  @discardableResult
  public func send() async throws(Failure) -> HTTP.Response {
    try await request.send(failing: Failure.self)
  }
}

/// Calls for responses that do not fit into memory, and for sequences of responses.
extension TypedGatewayRequest {
  /// Sends the request and returns the response as soon as its head arrives. The body is read as it arrives. See
  /// ``GatewayRequest/stream()``.
  ///
  /// - Throws: `Failure` only. Errors that occur while the body is read are thrown by the body.
  public func stream() async throws(Failure) -> HTTP.Response {
    try await request.respond(.streamed, failing: Failure.self)
  }

  /// Sends the request and returns the response when the complete body is in `file`; see ``GatewayRequest/download(to:options:)``.
  /// Cancelling the task ends the transfer and keeps the bytes received so far.
  ///
  /// - Throws: `Failure` only.
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

  /// Returns the server-sent events of the response; see ``GatewayRequest/events(reconnectionTime:reconnectionTimeout:statuses:backoff:clock:)``.
  ///
  /// Reading them throws the errors of ``EventSource``, not `Failure`.
  public func events(
    reconnectionTime: Duration = .seconds(3), reconnectionTimeout: Duration? = nil, statuses: Set<HTTP.Status> = [],
    backoff: any BackoffStrategy = ExponentialBackoff(), clock: any Clock<Duration> = ContinuousClock()
  ) -> EventSource {
    request.events(
      reconnectionTime: reconnectionTime, reconnectionTimeout: reconnectionTimeout, statuses: statuses,
      backoff: backoff, clock: clock)
  }

  /// Returns the pages of the list whose first page this request returns; see ``GatewayRequest/pages(of:by:from:limit:)``. Reading them
  /// throws `Failure` only.
  public func pages<Value: Decodable & Sendable>(
    of type: Value.Type, by pagination: Pagination<Value>, from position: PagePosition = .start, limit: Int = .max
  ) -> Pages<Value, Failure> {
    request.pages(by: pagination, from: position, limit: limit) { [request] in Failure($0, of: request) }
  }
}

extension DecodingFailureRepresentable {
  /// Creates the failure for `error`, which was thrown by sending `request`.
  init(_ error: any Error, of request: GatewayRequest) {
    switch error {
    case let failure as Self: self = failure
    case let failure as TransportFailure: self.init(transportFailure: failure)
    case let failure as DecodingFailure: self.init(decodingFailure: failure)
    default:
      do throws(TransportFailure) {
        let code: TransportError.Code =
          error is PaginationError ? .malformedResponse : error is CancellationError ? .cancelled : .other
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
  /// The method and the URL. Credentials and query values are redacted, so it is safe to log.
  public var description: String { request.description }
  /// The request's mirror, without secrets.
  public var customMirror: Mirror { request.customMirror }
}

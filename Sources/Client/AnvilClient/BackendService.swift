internal import AnvilBase
internal import AnvilBodies
internal import AnvilHTTP

/// A service that executes requests. It prepares and sends a request, recovers from failures where it can, and returns a value of the
/// request's response type or throws its failure type.
///
///     do {
///       let user = try await backend.execute(Request<User, APIError>(url: url))
///     } catch {
///       switch error {          // error is an APIError: the switch is checked to be complete
///       case .notFound: …
///       case .network(let failure): …
///       }
///     }
///
/// Inside a closure the compiler needs the type of the error: `do throws(APIError) { … }`.
public struct BackendService: Sendable {
  private final class Storage: Sendable {
    /// The service that the configuration's interceptors are placed around.
    let base: TransportService
    let configuration: ClientConfiguration
    let transportService: TransportService
    /// The settings of the configuration, with the defaults.
    let settings: Boxed<RequestSettings>

    init(base: TransportService, configuration: ClientConfiguration) {
      self.base = base
      self.configuration = configuration
      transportService = base.inside(
        configuration.orderedInterceptors(for: nil), clock: configuration.clock)
      var settings = configuration.settings
      settings.timeout = settings.timeout ?? RequestSettings.defaultTimeout
      settings.headers.noteValidity()
      self.settings = Boxed(wrappedValue: settings)
    }
  }

  private let storage: Storage

  /// Creates a service that sends requests through `transportService`, and does nothing beyond that.
  public init(transportService: TransportService) {
    var configuration = ClientConfiguration.bare
    configuration.clock = transportService.clock
    storage = Storage(base: transportService, configuration: configuration)
  }

  /// Creates a service that sends requests over `session`, with the behavior that `configuration` describes.
  public init(session: any TransportSession, configuration: ClientConfiguration = .standard) {
    storage = Storage(base: TransportService(session: session), configuration: configuration)
  }

  private init(_ storage: Storage) {
    self.storage = storage
  }

  /// Returns the service with a changed configuration. It sends its requests over the same session.
  func configured(_ change: (inout ClientConfiguration) -> Void) -> BackendService {
    var configuration = storage.configuration
    change(&configuration)
    return BackendService(Storage(base: storage.base, configuration: configuration))
  }

  var clock: any Clock<Duration> { storage.configuration.clock }
  /// The settings that requests inherit.
  var settings: Boxed<RequestSettings> { storage.settings }

  /// Executes `request` and returns its response. Settings that `request` leaves unset are taken from the configuration.
  ///
  /// Execution, including decoding, does not run on the caller's actor. Cancelling the task ends the current operation, including the
  /// wait before the next attempt. The failure is then created from `TransportError.Code.cancelled`.
  ///
  /// - Throws: the request's `Failure` only.
  @concurrent
  public func execute<Response, Failure>(
    _ request: Request<Response, Failure>
  ) async throws(Failure) -> Response {
    var untyped = request.untyped
    untyped.inherit(settings)
    return try await perform(
      untyped, makeResponse: { success, format throws(Failure) in try request.transform(success, by: format) },
      makeFailure: request.failureTransformer)
  }

  /// Executes `request`, which has already inherited its settings.
  ///
  /// The functions are arguments, and not a `Request`, because creating a request takes more instructions than a short call has to spare.
  /// It is inlined for the same reason. What few requests need is in ``recovering(_:_:_:)``.
  ///
  /// - Parameters:
  ///   - makeResponse: Creates the caller's value from a success, in the format of the settings, or throws if it is a failure.
  ///   - makeFailure: Creates the caller's error from a failed exchange.
  @inline(__always)
  func perform<Response: Sendable, Failure: TransportFailureRepresentable>(
    _ request: UntypedRequest,
    makeResponse: @escaping @Sendable (TransportSuccess, any DecodingFormat) throws(Failure) -> Response,
    makeFailure: @escaping @Sendable (TransportFailure) -> Failure
  ) async throws(Failure) -> Response {
    guard request.recoveries.isEmpty, request.settings.idempotency != .keyed, request.settings.deadline == nil else {
      return try await recovering(request, makeResponse, makeFailure)
    }
    let success: TransportSuccess
    do throws(TransportFailure) {
      success = try await storage.transportService.attempt(request.httpRequest, options: TransportOptions(request))
    } catch {
      throw makeFailure(error)
    }
    return try success.response(by: request.settings.decodingFormat, makeResponse)
  }

  /// Executes a request that may be changed before or between its attempts, or has a deadline.
  @inline(never)
  private func recovering<Response: Sendable, Failure: TransportFailureRepresentable>(
    _ request: UntypedRequest,
    _ makeResponse: @escaping @Sendable (TransportSuccess, any DecodingFormat) throws(Failure) -> Response,
    _ makeFailure: @escaping @Sendable (TransportFailure) -> Failure
  ) async throws(Failure) -> Response {
    guard let deadline = storage.transportService.deadline(after: request.settings.deadline) else {
      return try await recovering(request, by: nil, makeResponse, makeFailure)
    }
    return try await deadline.run { [request] in
      await Result { () async throws(Failure) in
        try await recovering(request, by: deadline, makeResponse, makeFailure)
      }
    }.get()
  }

  /// Executes `request` and calls `completion` once with its response or failure, on an unspecified thread.
  ///
  /// - Returns: the task, which can be cancelled to cancel the request.
  @discardableResult
  public func execute<Response, Failure>(
    _ request: Request<Response, Failure>, completion: @escaping @Sendable (Result<Response, Failure>) -> Void
  ) -> Task<Void, Never> {
    Task {
      completion(await Result { () async throws(Failure) in try await execute(request) })
    }
  }
}

extension BackendService {
  /// The maximum number of times that closures may recover one call.
  static let maximumRecoveries = 10

  /// Attempts `request` until it succeeds or no closure recovers from the failure.
  @inline(never)
  private func recovering<Response: Sendable, Failure: TransportFailureRepresentable>(
    _ request: UntypedRequest, by deadline: RequestDeadline?,
    _ makeResponse: @Sendable (TransportSuccess, any DecodingFormat) throws(Failure) -> Response,
    _ makeFailure: @Sendable (TransportFailure) -> Failure
  ) async throws(Failure) -> Response {
    var request = request
    request.addMissingIdempotencyKey()
    var recoveries = 0
    while true {
      var lastFailure: TransportFailure?
      do throws(Failure) {
        let success: TransportSuccess
        do throws(TransportFailure) {
          success = try await storage.transportService.attempt(
            request.httpRequest, options: TransportOptions(request, by: deadline))
        } catch {
          lastFailure = error
          throw makeFailure(error)
        }
        return try success.response(by: request.settings.decodingFormat, makeResponse)
      } catch {
        // Without closures, the error is not inspected: finding the transport error in a caller's error may need a search.
        guard !request.recoveries.isEmpty, recoveries < Self.maximumRecoveries else { throw error }
        recoveries += 1
        request.replaceMessage(
          by: try await recovery(of: request, after: error, lastFailure, by: deadline, makeFailure))
      }
    }
  }

  /// Returns the message to send after `request` failed.
  ///
  /// - Throws: `failure` when no closure recovers, when the request was cancelled, when no time is left, or when the body was a stream that
  ///   has been consumed (rule R4). A cancelled or timed-out failure if recovery was cancelled.
  private func recovery<Failure: TransportFailureRepresentable>(
    of request: UntypedRequest, after failure: Failure, _ transportFailure: TransportFailure?,
    by deadline: RequestDeadline?, _ makeFailure: @Sendable (TransportFailure) -> Failure
  ) async throws(Failure) -> HTTP.Request {
    let cause = transportFailure?.error ?? failure.transportError
    guard cause?.code != .cancelled, deadline?.hasExpired != true else { throw failure }
    let message = request.httpRequest
    for recover in request.recoveries {
      let next = await recover(failure, transportFailure, message)
      if Task.isCancelled {
        let activity = "while recovering from \(cause.map { "\($0)" } ?? "a failure")"
        let error =
          if let deadline, deadline.hasCancelled { deadline.error(in: .delay, while: activity) } else {
            TransportError(code: .cancelled, reason: activity)
          }
        let response = transportFailure?.response ?? failure.failureResponse
        throw makeFailure(TransportFailure(error: error, request: message, response: response))
      }
      guard let next else { continue }
      guard next.body.isReadable else { throw failure }
      return next
    }
    throw failure
  }
}

extension TransportSuccess {
  /// Returns the value that `makeResponse` creates, in `format` or the default format, and reports the result to the observers of the exchange.
  fileprivate func response<Response: Sendable, Failure: TransportFailureRepresentable>(
    by format: (any DecodingFormat)?,
    _ makeResponse: (TransportSuccess, any DecodingFormat) throws(Failure) -> Response
  ) throws(Failure) -> Response {
    let format = format ?? HTTP.Body.defaultDecodingFormat
    guard let outcome else { return try makeResponse(self, format) }
    do throws(Failure) {
      let response = try makeResponse(self, format)
      outcome.succeed(isResponse: Response.self == HTTP.Response.self || Response.self == TransportSuccess.self)
      return response
    } catch {
      outcome.fail((error as? CallFailure)?.failure ?? error)
      throw error
    }
  }
}

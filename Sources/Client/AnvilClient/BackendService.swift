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

  /// The clock of the configuration.
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
  ///
  /// - Parameters:
  ///   - makeResponse: Creates the caller's value from a success, in the format of the settings, or throws if it is a failure.
  ///   - makeFailure: Creates the caller's error from a failed exchange.
  @concurrent
  func perform<Response: Sendable, Failure: TransportFailureRepresentable>(
    _ request: UntypedRequest,
    makeResponse: @escaping @Sendable (TransportSuccess, any DecodingFormat) throws(Failure) -> Response,
    makeFailure: @escaping @Sendable (TransportFailure) -> Failure
  ) async throws(Failure) -> Response {
    guard let deadline = storage.transportService.deadline(after: request.settings.deadline) else {
      guard request.isChangedOnTheWay else {
        var failure: TransportFailure?
        return try await attempt(request, by: nil, failingWith: &failure, makeResponse, makeFailure)
      }
      return try await recovering(request, by: nil, makeResponse, makeFailure)
    }
    return try await recovering(request, endedBy: deadline, makeResponse, makeFailure)
  }

  // A separate function, because otherwise every request would look up the type of its result.
  private func recovering<Response: Sendable, Failure: TransportFailureRepresentable>(
    _ request: UntypedRequest, endedBy deadline: RequestDeadline,
    _ makeResponse: @escaping @Sendable (TransportSuccess, any DecodingFormat) throws(Failure) -> Response,
    _ makeFailure: @escaping @Sendable (TransportFailure) -> Failure
  ) async throws(Failure) -> Response {
    let result = await deadline.run { [request] () async -> Result<Response, Failure> in
      do throws(Failure) {
        return .success(try await recovering(request, by: deadline, makeResponse, makeFailure))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Executes `request` and calls `completion` once with its response or failure, on an unspecified thread.
  ///
  /// - Returns: the task, which can be cancelled to cancel the request.
  @discardableResult
  public func execute<Response, Failure>(
    _ request: Request<Response, Failure>, completion: @escaping @Sendable (Result<Response, Failure>) -> Void
  ) -> Task<Void, Never> {
    Task {
      let result: Result<Response, Failure>
      do throws(Failure) {
        result = .success(try await execute(request))
      } catch {
        result = .failure(error)
      }
      completion(result)
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
        return try await attempt(request, by: deadline, failingWith: &lastFailure, makeResponse, makeFailure)
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

extension BackendService {
  /// Sends `request` once and returns the value that `makeResponse` creates from the response.
  ///
  /// - Parameter failure: set to the transport's failure if the exchange failed and the recovery transformer did not accept the failure.
  ///   Otherwise unchanged, even if `makeResponse` rejects the response.
  /// - Throws: the caller's error.
  private func attempt<Response: Sendable, Failure: TransportFailureRepresentable>(
    _ request: UntypedRequest, by deadline: RequestDeadline?, failingWith failure: inout TransportFailure?,
    _ makeResponse: @Sendable (TransportSuccess, any DecodingFormat) throws(Failure) -> Response,
    _ makeFailure: @Sendable (TransportFailure) -> Failure
  ) async throws(Failure) -> Response {
    let format = request.settings.decodingFormat
    var options = request.transportOptions(by: deadline, reportsOutcome: true)
    storage.transportService.setClock(of: &options)
    var success: TransportSuccess
    var outcome: AttemptOutcome?
    do throws(TransportFailure) {
      success = try await storage.transportService.attempt(request.httpRequest, options: options, outcome: &outcome)
    } catch {
      let transportFailure = format.map(error.decoding) ?? error
      guard let accepted = request.recoveryTransformer?(transportFailure) else {
        failure = transportFailure
        throw makeFailure(transportFailure)
      }
      success = accepted
    }
    // For a caller that decodes the body. The transformer receives the format as an argument.
    if let format { success.response.body.decodingFormat = format }
    guard let outcome else { return try makeResponse(success, format ?? RequestSettings.defaultDecodingFormat) }
    success.outcome = outcome
    do throws(Failure) {
      let response = try makeResponse(success, format ?? RequestSettings.defaultDecodingFormat)
      outcome.succeed(isResponse: Response.self == HTTP.Response.self || Response.self == TransportSuccess.self)
      return response
    } catch {
      outcome.fail((error as? CallFailure)?.failure ?? error)
      throw error
    }
  }
}

extension TransportFailure {
  /// Returns the failure with `format` as the decoding format of its response.
  func decoding(in format: any DecodingFormat) -> TransportFailure {
    guard var response else { return self }
    response.body.decodingFormat = format
    var failure = TransportFailure(error: error, request: request, response: response)
    failure.elapsed = elapsed
    return failure
  }
}

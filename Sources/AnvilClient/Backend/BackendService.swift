internal import AnvilBodies
internal import AnvilHTTP
internal import AnvilModel

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
    let transportService: TransportService
    let preparationStrategies: [any PreparationStrategy]
    let recoveryStrategies: [any RecoveryStrategy]
    let settings: Boxed<RequestSettings>
    let headers: HTTP.Headers

    init(
      transportService: TransportService, preparationStrategies: [any PreparationStrategy],
      recoveryStrategies: [any RecoveryStrategy], settings: Boxed<RequestSettings> = RequestSettings.unset,
      headers: HTTP.Headers = [:]
    ) {
      self.transportService = transportService
      self.preparationStrategies = preparationStrategies
      self.recoveryStrategies = recoveryStrategies
      self.settings = settings
      self.headers = headers
    }
  }

  private let storage: Storage

  /// Creates a service that sends requests through `transportService`.
  ///
  /// - Parameters:
  ///   - preparationStrategies: the strategies that are applied, in order, before every attempt.
  ///   - recoveryStrategies: the strategies that are consulted, in order, after a failure; see ``RecoveryStrategy``.
  public init(
    transportService: TransportService, preparationStrategies: [any PreparationStrategy] = [],
    recoveryStrategies: [any RecoveryStrategy] = []
  ) {
    storage = Storage(
      transportService: transportService, preparationStrategies: preparationStrategies,
      recoveryStrategies: recoveryStrategies)
  }

  /// Creates a service that sends requests over `session`, with the behavior that `configuration` describes.
  public init(session: any TransportSession, configuration: ClientConfiguration = .standard) {
    storage = Storage(
      transportService: TransportService(
        session: session, interceptors: configuration.orderedInterceptors(for: nil), clock: configuration.clock),
      preparationStrategies: configuration.preparationStrategies,
      recoveryStrategies: configuration.recoveryStrategies, settings: configuration.$settings,
      headers: configuration.headers)
  }

  /// The settings that requests inherit.
  var settings: Boxed<RequestSettings> { storage.settings }
  /// The fields that are added to every request.
  var headers: HTTP.Headers { storage.headers }

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
    var request = request
    request.untyped.inherit(settings)
    if !headers.isEmpty { request.headers = headers.merging(request.headers) }
    return try await perform(request)
  }

  /// Executes `request`, which has already inherited its settings.
  @concurrent
  func perform<Response, Failure>(
    _ request: Request<Response, Failure>
  ) async throws(Failure) -> Response {
    let request = request.withIdempotencyKey()
    guard let deadline = storage.transportService.deadline(for: request.policy) else {
      return try await recovering(request, by: nil)
    }
    return try await recovering(request, endedBy: deadline)
  }

  // A separate function, because otherwise every request would look up the type of its result.
  private func recovering<Response, Failure>(
    _ request: Request<Response, Failure>, endedBy deadline: RequestDeadline
  ) async throws(Failure) -> Response {
    let result = await deadline.run { [request] () async -> Result<Response, Failure> in
      do throws(Failure) {
        return .success(try await recovering(request, by: deadline))
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
  /// Attempts `request` until it succeeds or no strategy recovers from the failure.
  @inline(never)
  private func recovering<Response, Failure>(
    _ request: Request<Response, Failure>, by deadline: RequestDeadline?
  ) async throws(Failure) -> Response {
    var request = request
    while true {
      var lastFailure: TransportFailure?
      do throws(Failure) {
        let prepared = storage.preparationStrategies.isEmpty ? request : try await prepare(request, by: deadline)
        let result = await storage.transportService.attempt(
          prepared.httpRequest, options: prepared.attemptOptions(by: deadline))
        return try prepared.response(from: result, orFrom: &lastFailure)
      } catch {
        request.untyped.lastFailure = lastFailure
        request = try await nextAttempt(of: request, after: error, by: deadline)
        request.untyped.lastFailure = nil
      }
    }
  }

  private func prepare<Response, Failure>(
    _ request: Request<Response, Failure>, by deadline: RequestDeadline?
  ) async throws(Failure) -> Request<Response, Failure> {
    var prepared = request
    do throws(Failure) {
      for strategy in storage.preparationStrategies { prepared = try await strategy.prepare(prepared) }
      return prepared.withIdempotencyKey(of: request).from(request)
    } catch {
      guard let deadline, deadline.hasCancelled else { throw error }
      let timedOut = deadline.error(in: .delay, while: "while preparing the request")
      throw request.failureTransformer(TransportFailure(error: timedOut, request: request.httpRequest))
    }
  }

  /// Returns the request to send next after `request` failed.
  ///
  /// - Throws: `failure` when no strategy recovers, when the request was cancelled, when no attempt or no time is left, or when the body
  ///   was a stream that has been consumed (rule R4). The error of a strategy that gives up. A cancelled or timed-out failure if recovery
  ///   was cancelled.
  private func nextAttempt<Response, Failure>(
    of request: Request<Response, Failure>, after failure: Failure, by deadline: RequestDeadline?
  ) async throws(Failure) -> Request<Response, Failure> {
    // Without strategies, the error is not inspected: finding the transport error in a caller's error may need a search.
    guard !storage.recoveryStrategies.isEmpty,
      (request.lastFailure?.error ?? failure.transportError)?.code != .cancelled, deadline?.hasExpired != true,
      let counted = request.updatedForNextAttempt()
    else { throw failure }
    for strategy in storage.recoveryStrategies {
      let disposition = await strategy.attemptRecovery(from: failure, executing: request)
      if Task.isCancelled { throw cancelled(request, after: failure, by: deadline) }
      switch disposition {
      case .notAttempted: continue
      case .failure(let failure): throw failure
      case .retry(var next):
        guard next.body.isReadable else { throw failure }
        next.recoveryAttemptCount = max(next.recoveryAttemptCount, counted.recoveryAttemptCount)
        return next.from(request)
      }
    }
    throw failure
  }

  private func cancelled<Response, Failure>(
    _ request: Request<Response, Failure>, after failure: Failure, by deadline: RequestDeadline?
  ) -> Failure {
    let activity = "while recovering from \(request.lastFailure.map { "\($0.error)" } ?? "a failure")"
    let error =
      if let deadline, deadline.hasCancelled { deadline.error(in: .delay, while: activity) } else {
        TransportError(code: .cancelled, reason: activity)
      }
    return request.failureTransformer(
      TransportFailure(
        error: error, request: request.httpRequest, response: request.lastFailure?.response ?? failure.failureResponse))
  }
}

extension Request {
  /// Returns the value that the transformer creates from the result of an attempt, after validation.
  ///
  /// - Parameter failure: set to the transport's failure if the exchange failed and the recovery transformer did not accept the failure.
  ///   Otherwise unchanged, even if the validator or the transformer rejects the response.
  /// - Throws: the caller's error.
  fileprivate func response(
    from result: Result<TransportSuccess, TransportFailure>, orFrom failure: inout TransportFailure?
  ) throws(Failure) -> Response {
    let format = untyped.decodingFormat
    switch result {
    case .success(var success):
      success.response.body.decodingFormat = format
      return try response(from: &success)
    case .failure(let transportFailure):
      let transportFailure = transportFailure.decoding(in: format)
      guard var success = untyped.recoveryTransformer?(transportFailure) else {
        failure = transportFailure
        throw failureTransformer(transportFailure)
      }
      return try response(from: &success)
    }
  }

  private func response(from success: inout TransportSuccess) throws(Failure) -> Response {
    guard let outcome = AttemptOutcome.replacingHandlers(of: &success.response) else { return try transform(success) }
    do throws(Failure) {
      let response = try transform(success)
      outcome.succeed(isResponse: Response.self == HTTP.Response.self)
      return response
    } catch {
      outcome.fail(error)
      throw error
    }
  }
}

extension Request {
  /// Returns the request with an `Idempotency-Key` if its policy requires one.
  fileprivate func withIdempotencyKey() -> Request {
    guard let key = headers.missingIdempotencyKey(by: policy) else { return self }
    return addingHeaders([.idempotencyKey: key])
  }

  /// Returns the request with an `Idempotency-Key` if its policy requires one: that of `original`, if a strategy has removed it.
  fileprivate func withIdempotencyKey(of original: Request) -> Request {
    guard headers.missingIdempotencyKey(by: policy) != nil, let key = original.headers[.idempotencyKey] else {
      return withIdempotencyKey()
    }
    return addingHeaders([.idempotencyKey: key])
  }

  /// Returns the request with the gateway server of `original`. A strategy may have returned a new request, which lacks it.
  fileprivate func from(_ original: Request) -> Request {
    guard untyped.home != original.untyped.home else { return self }
    var request = self
    request.untyped.home = original.untyped.home
    return request
  }
}

extension TransportFailure {
  /// Returns the failure with `format` as the decoding format of its response.
  fileprivate func decoding(in format: any DecodingFormat) -> TransportFailure {
    guard var response else { return self }
    response.body.decodingFormat = format
    var failure = TransportFailure(error: error, request: request, response: response)
    failure.elapsed = elapsed
    return failure
  }
}

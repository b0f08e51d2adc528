internal import AnvilHTTP

/// Executes requests: prepares and sends them, recovers where it can, and gives back the response the caller asked for or
/// the failure the caller chose.
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
/// Inside a closure the compiler has to be told the type: `do throws(APIError) { … }`.
public struct BackendService: Sendable {
  private let transportService: TransportService
  private let preparationStrategies: [any PreparationStrategy]
  private let recoveryStrategies: [any RecoveryStrategy]

  /// A service that sends through `transportService`.
  ///
  /// - Parameters:
  ///   - preparationStrategies: applied in order before every attempt.
  ///   - recoveryStrategies: asked in order after every failure.
  public init(
    transportService: TransportService, preparationStrategies: [any PreparationStrategy] = [],
    recoveryStrategies: [any RecoveryStrategy] = []
  ) {
    self.transportService = transportService
    self.preparationStrategies = preparationStrategies
    self.recoveryStrategies = recoveryStrategies
  }

  /// Executes `request` and returns its response.
  ///
  /// Runs, and decodes, off the caller's actor. Cancelling the task ends whatever is under way, a pause before the next
  /// attempt included, and the failure is made from `TransportError.Code.cancelled`.
  ///
  /// - Throws: the request's `Failure` and nothing else.
  @concurrent
  public func execute<Response, Failure>(
    _ request: Request<Response, Failure>
  ) async throws(Failure) -> Response {
    var request = request
    request.headers.addIdempotencyKey(by: request.policy)
    guard let deadline = transportService.deadline(for: request.policy) else {
      return try await recovering(request, by: nil)
    }
    let result = await deadline.run { [request] () async -> Result<Response, Failure> in
      do throws(Failure) {
        return .success(try await recovering(request, by: deadline))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Executes `request` and calls `completion` once with its response or failure, on no particular thread.
  ///
  /// - Returns: the task, by which the request can be cancelled.
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
  /// Attempts `request` until it succeeds or no strategy recovers.
  private func recovering<Response, Failure>(
    _ request: Request<Response, Failure>, by deadline: Deadline?
  ) async throws(Failure) -> Response {
    var request = request
    while true {
      let failure: Failure
      do throws(Failure) {
        return try await attempt(request, by: deadline)
      } catch {
        failure = error
      }
      request = try await nextAttempt(of: request, after: failure, by: deadline)
    }
  }

  /// Prepares, sends and transforms once.
  private func attempt<Response, Failure>(
    _ request: Request<Response, Failure>, by deadline: Deadline?
  ) async throws(Failure) -> Response {
    let prepared = try await prepare(request, by: deadline)
    var options = prepared.transportOptions
    options.deadline = deadline
    switch await transportService.execute(prepared.httpRequest, options: options) {
    case .success(let success):
      return try prepared.transform(success)
    case .failure(let failure):
      guard let success = prepared.recoveryTransformer(failure) else { throw prepared.failureTransformer(failure) }
      return try prepared.transform(success)
    }
  }

  private func prepare<Response, Failure>(
    _ request: Request<Response, Failure>, by deadline: Deadline?
  ) async throws(Failure) -> Request<Response, Failure> {
    var prepared = request
    do throws(Failure) {
      for strategy in preparationStrategies { prepared = try await strategy.prepare(prepared) }
      return prepared
    } catch {
      guard let deadline, deadline.hasCancelled else { throw error }
      let timedOut = deadline.error(in: .delay, while: "while preparing the request")
      throw request.failureTransformer(TransportFailure(error: timedOut, request: request.httpRequest))
    }
  }

  /// The request to send next after `request` failed.
  ///
  /// - Throws: `failure` when no strategy recovers, no attempt or no time is left, or the body was a stream and is gone
  ///   (rule R4).
  private func nextAttempt<Response, Failure>(
    of request: Request<Response, Failure>, after failure: Failure, by deadline: Deadline?
  ) async throws(Failure) -> Request<Response, Failure> {
    guard failure.transportError?.code != .cancelled, deadline?.isUp != true,
      let counted = request.updatedForNextAttempt()
    else { throw failure }
    for strategy in recoveryStrategies {
      let disposition = await strategy.attemptRecovery(from: failure, executing: request)
      if Task.isCancelled { throw cancelled(request, after: failure, by: deadline) }
      switch disposition {
      case .notAttempted: continue
      case .failure(let failure): throw failure
      case .retry(var next):
        guard next.body.isReadable else { throw failure }
        next.recoveryAttemptCount = max(next.recoveryAttemptCount, counted.recoveryAttemptCount)
        return next
      }
    }
    throw failure
  }

  private func cancelled<Response, Failure>(
    _ request: Request<Response, Failure>, after failure: Failure, by deadline: Deadline?
  ) -> Failure {
    let activity = "while recovering from \(failure.transportError.map { "\($0)" } ?? "a failure")"
    let error =
      if let deadline, deadline.hasCancelled { deadline.error(in: .delay, while: activity) } else {
        TransportError(code: .cancelled, reason: activity)
      }
    return request.failureTransformer(
      TransportFailure(error: error, request: request.httpRequest, response: failure.failureResponse))
  }
}

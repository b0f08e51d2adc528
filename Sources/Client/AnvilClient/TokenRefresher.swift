public import AnvilBase
internal import AnvilHTTP
internal import Synchronization

/// A token that requests share, and its refresh. Rule A4.
///
///     let refresher = TokenRefresher(token: .init(saved)) { old in
///       let answer: TokenAnswer = try await backend.execute(refreshRequest(for: old))
///       return TokenRefresher.Token(answer.accessToken, expiry: .now + answer.expiresIn)
///     }
///
/// If several requests need a new token at the same time, there is one refresh and all of them wait for it. Cancelling one of them affects
/// neither the refresh nor the others. If the refresh fails, the requests are sent with the old token if it is still valid, and fail
/// otherwise. A later request may start another refresh, but at most five refreshes start within 30 seconds.
///
/// Processes that share a token pass a ``ClientCoordinator`` and a name: one of them refreshes the token, and the others use the result.
///
/// ``Authentication/bearer(_:origins:)`` does not change the requests that `refresh`, and a task that it creates, send until it returns.
/// Waiting for `refresh` has no timeout. Set timeouts on the requests that it sends.
public final class TokenRefresher: Sendable {
  /// A token and its expiry.
  public struct Token: Hashable, Sendable {
    /// The token as it is sent.
    public var value: String
    /// The expiry date; `nil` if it is not known.
    public var expiry: Date?

    /// Creates a token that is valid until `expiry`.
    public init(_ value: String, expiry: Date? = nil) {
      self.value = value
      self.expiry = expiry
    }
  }

  /// A closure that returns a new token. `old` is the token to replace; `nil` if there was no token before.
  public typealias Refresh = @Sendable (_ old: Token?) async throws -> Token

  /// A call of `refresh`. Tasks that it creates may live longer.
  private final class Run: Sendable {
    let refresher: ObjectIdentifier
    let hasEnded = Atomic(false)

    init(of refresher: TokenRefresher) { self.refresher = ObjectIdentifier(refresher) }
  }

  /// The calls of `refresh` in which the current task was created.
  @TaskLocal private static var runs: [Run] = []

  private struct State {
    var machine: TokenMachine
    var waiters: [Int: CheckedContinuation<Result<TokenMachine.Grant, TransportError>, Never>] = [:]
    var lastWaiter = 0
  }

  private let state: Mutex<State>
  private let refresh: Refresh
  private let coordinator: (any ClientCoordinator)?
  private let name: String
  private let time: SharedTime

  /// Creates a refresher that starts with `token`. Without one the first request waits for a refresh.
  ///
  /// - Parameters:
  ///   - token: The first token.
  ///   - skew: The interval before the expiry of a token in which it is refreshed, because it may expire before a request arrives at the
  ///     server. If the refresh fails, the old token is used until it expires. With `nil`, the token is refreshed when it has expired. A
  ///     token without an expiry is refreshed only after a 401, and so is a new token that had already expired when it was received.
  ///   - name: The name of the token that processes share.
  ///   - coordinator: Shares the token with other processes. `nil` for a token of this process.
  ///   - clock: The clock that limits the rate of refreshes. `nil` for that of the configuration whose request uses the refresher first.
  ///   - now: Returns the current time, which expiry dates are compared with. `nil` for the system's or, if the clock is another one, such
  ///     as one of a test, the time of day at the first request and what the clock has measured since.
  ///   - refresh: Returns a new token. It is never called concurrently.
  public init(
    token: Token? = nil, skew: Duration? = nil, sharedAs name: String = "token",
    by coordinator: (any ClientCoordinator)? = nil, clock: (any Clock<Duration>)? = nil,
    now: (@Sendable () -> Date)? = nil, refresh: @escaping Refresh
  ) {
    time = SharedTime(clock, now: now)
    self.refresh = refresh
    self.name = name
    self.coordinator = coordinator
    state = Mutex(State(machine: TokenMachine(token: token, skew: skew)))
  }

  /// The current token; `nil` before the first refresh if there was no initial token.
  public var token: Token? { state.withLock { $0.machine.token } }

  var waiterCount: Int { state.withLock(\.waiters.count) }

  /// True in the task that runs this refresher's `refresh`, which cannot wait for it. Also in tasks that `refresh` has created, until it
  /// returns.
  var isRefreshing: Bool {
    Self.runs.contains { $0.refresher == ObjectIdentifier(self) && !$0.hasEnded.load(ordering: .acquiring) }
  }

  /// Returns the token to send. Waits for a refresh if one is needed or in progress.
  ///
  /// - Parameters:
  ///   - options: The options of the request.
  ///   - rejected: The grant that was sent and rejected; `nil` if no token was sent yet.
  /// - Throws: `authenticationFailed`, the code of a transport failure or a 5xx of the refresh, and `cancelled` if the task is cancelled.
  func grant(
    for options: TransportOptions, insteadOf rejected: TokenMachine.Grant? = nil
  ) async throws(TransportError) -> TokenMachine.Grant {
    time.begin(options)
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait(id, insteadOf: rejected, continuation)
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?
        .resume(returning: .failure(TransportError(code: .cancelled, phase: .delay)))
    }
    return try result.get()
  }

  /// Marks the token of `rejected` as rejected, so that the next request waits for another one.
  func reject(_ rejected: TokenMachine.Grant) {
    state.withLock { $0.machine.reject(rejected) }
  }

  private func wait(
    _ id: Int, insteadOf rejected: TokenMachine.Grant?,
    _ continuation: CheckedContinuation<Result<TokenMachine.Grant, TransportError>, Never>
  ) {
    let (elapsed, now) = (time.elapsed(), time.now())
    let action = state.withLock { state -> TokenMachine.Action in
      if Task.isCancelled { return .fail(TransportError(code: .cancelled, phase: .delay)) }
      let action = state.machine.request(insteadOf: rejected, at: elapsed, now: now)
      switch action {
      case .wait, .refresh: state.waiters[id] = continuation
      case .use, .fail: break
      }
      return action
    }
    switch action {
    case .use(let grant): continuation.resume(returning: .success(grant))
    case .fail(let error): continuation.resume(returning: .failure(error))
    case .wait: break
    case .refresh: startRefresh()
    }
  }

  /// Refreshes the token in a new task that is never cancelled.
  private func startRefresh() {
    Task {
      let old = token
      let result: Result<Token, any Error>
      var isNew = true
      do {
        let run = Run(of: self)
        defer { run.hasEnded.store(true, ordering: .releasing) }
        let runs = Self.runs + [run]
        let renewed = try await Self.$runs.withValue(runs) { () async throws -> (token: Token, isNew: Bool) in
          guard let coordinator else { return (try await refresh(old), true) }
          return try await coordinator.token(name, insteadOf: old, refresh: refresh)
        }
        isNew = renewed.isNew
        result = .success(renewed.token)
      } catch {
        result = .failure(error)
      }
      let now = time.now()
      let (outcome, waiters) = state.withLock { [isNew] state in
        defer { state.waiters = [:] }
        return (state.machine.finish(result, isNew: isNew, now: now), state.waiters)
      }
      for waiter in waiters.values { waiter.resume(returning: outcome) }
    }
  }
}

extension TokenRefresher.Token: CustomStringConvertible, CustomReflectable {
  /// The expiry, without the token.
  public var description: String { expiry.map { "token until \($0)" } ?? "token" }
  /// A mirror without children, so that `dump` does not show the token.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Decides which token is sent, when it is refreshed, and which requests wait for the refresh. Rule A4.
struct TokenMachine {
  /// A token and its number in the sequence of tokens.
  struct Grant: Hashable, Sendable {
    let token: TokenRefresher.Token
    let number: Int
    /// A Boolean value that indicates whether the request waited for this token to be refreshed.
    let wasAwaited: Bool
  }

  enum Action {
    case use(Grant)
    /// Wait for the refresh that is in progress.
    case wait
    /// Start a refresh, and wait for it.
    case refresh
    case fail(TransportError)
  }

  /// The maximum number of refreshes that may start within ``windowSeconds``.
  static let limit = 5
  static let windowSeconds = 30

  private(set) var token: TokenRefresher.Token?
  private let skew: Duration?
  private var number = 0
  private var isRejected = false
  /// True if the current token had already expired when it was new. The clocks then differ, so that its expiry means nothing.
  private var ignoresExpiry = false
  private var isRefreshing = false
  /// The error of the last refresh; `nil` if it succeeded.
  private var failure: TransportError?
  /// The start times of the latest refreshes.
  private var begun: [Duration] = []

  init(token: TokenRefresher.Token?, skew: Duration?) {
    self.token = token
    self.skew = skew
  }

  /// Returns the next step of a request that needs a token.
  ///
  /// - Parameters:
  ///   - rejected: The grant that was sent and rejected. If it is not the current one, a newer token is available.
  ///   - elapsed: The time on a monotonic clock.
  ///   - now: The time of day, which expiry dates are compared with.
  mutating func request(insteadOf rejected: Grant? = nil, at elapsed: Duration, now: Date) -> Action {
    if let rejected { reject(rejected) }
    let usable = usable(at: now)
    if let usable, !isDue(at: now) { return .use(usable) }
    if isRefreshing { return .wait }
    begun.removeAll { elapsed - $0 >= .seconds(Self.windowSeconds) }
    guard begun.count < Self.limit else {
      // A token that is about to expire is better than none.
      if let usable { return .use(usable) }
      return .fail(
        failure?.adding("no more than \(Self.limit) refreshes start in \(Self.windowSeconds) seconds")
          ?? TransportError(
            code: .authenticationFailed,
            reason: "the token was already refreshed \(Self.limit) times in \(Self.windowSeconds) seconds"))
    }
    begun.append(elapsed)
    isRefreshing = true
    return .refresh
  }

  /// Marks the token of `grant` as rejected. Does nothing if a newer token has replaced it.
  mutating func reject(_ grant: Grant) {
    if grant.number == number { isRejected = true }
  }

  /// Ends the refresh and returns the result for all requests that wait for it.
  ///
  /// - Parameter isNew: `false` for a token of another process, which the server may have revoked meanwhile. A request that gets a 401 with
  ///   it starts another refresh.
  mutating func finish(
    _ result: Result<TokenRefresher.Token, any Error>, isNew: Bool = true, now: Date
  ) -> Result<Grant, TransportError> {
    isRefreshing = false
    failure = nil
    do {
      let token = try result.get()
      guard token.value.isVisibleASCII else { throw Credential.FormatError.malformedToken }
      self.token = token
      number += 1
      isRejected = false
      ignoresExpiry = token.expiry.map { $0 <= now } ?? false
      return .success(Grant(token: token, number: number, wasAwaited: isNew))
    } catch {
      let failure = TransportError(refreshFailedBy: error)
      self.failure = failure
      // The old token is returned as if the request had not waited, so that another rejection starts another refresh.
      return usable(at: now).map { .success($0) } ?? .failure(failure)
    }
  }

  /// Returns the current token; `nil` if there is no token, or if it was rejected or has expired.
  private func usable(at now: Date) -> Grant? {
    guard let token, !isRejected else { return nil }
    if !ignoresExpiry, let expiry = token.expiry, expiry <= now { return nil }
    return Grant(token: token, number: number, wasAwaited: false)
  }

  /// Returns whether the token should be refreshed although it is still valid.
  private func isDue(at now: Date) -> Bool {
    guard !ignoresExpiry, let expiry = token?.expiry else { return false }
    return expiry.timeIntervalSince(now) <= (skew ?? .zero) / .seconds(1)
  }
}

extension TransportError {
  /// Creates the error of requests that needed a token, after its refresh failed with `error`.
  ///
  /// A server that cannot be reached, or may answer later, is not a reason to sign in again, so failures of the transport and such statuses
  /// keep their codes. The reason states the cause in any case, because most renderings do not show the underlying error.
  fileprivate init(refreshFailedBy error: any Error) {
    let error = (error as? AnyError)?.error ?? error
    let underlying = UnderlyingFailure(in: error)
    let cause: String =
      if let failure = underlying.transportFailure {
        "\(failure)"
      } else if let invalid = error as? Credential.FormatError {
        "\(invalid)"
      } else if let error = error as? TransportError { "\(error)" } else {
        // The text of another error may contain secrets.
        FailureReport(error)?.line ?? "\(type(of: error))"
      }
    let transportError = underlying.transportError.flatMap { $0.code.isOfTransport ? $0 : nil }
    self.init(
      code: transportError?.code ?? .authenticationFailed, phase: transportError?.phase,
      elapsed: transportError?.elapsed, reason: "the token could not be refreshed: \(cause)", underlyingError: error)
  }
}

extension TransportError.Code {
  /// A Boolean value that indicates whether a server could not be reached, did not answer with a valid response, or may answer later.
  fileprivate var isOfTransport: Bool {
    switch self {
    case .serverError, .clientError(.requestTimeout), .clientError(.tooManyRequests): true
    case .noConnection, .hostNotFound, .connectionLost, .timedOut, .tlsFailure, .truncatedResponse, .malformedResponse,
      .responseTooLarge, .circuitOpen, .other:
      true
    default: false
    }
  }
}

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decides which token is sent, when it is refreshed, and which requests wait for the refresh. Rule A4.
struct TokenMachine {
  /// A token and its number in the sequence of tokens.
  struct Grant: Hashable, Sendable {
    let token: TokenRefresher.Token
    let number: Int
    /// A Boolean value that indicates whether the request waited for this token to be refreshed.
    let wasAwaited: Bool
  }

  /// The next step of a request that needs a token.
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
  /// The number of the current token.
  private var number = 0
  private var isRejected = false
  /// Whether the current token had already expired when it was new. The clocks then differ, so that its expiry means nothing.
  private var ignoresExpiry = false
  private var isRefreshing = false
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
        TransportError(
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
    do {
      let token = try result.get()
      guard token.value.isVisibleASCII else { throw Credential.Invalid.malformedToken }
      self.token = token
      number += 1
      isRejected = false
      ignoresExpiry = token.expiry.map { $0 <= now } ?? false
      return .success(Grant(token: token, number: number, wasAwaited: isNew))
    } catch {
      // The old token is returned as if the request had not waited, so that another rejection starts another refresh.
      if let usable = usable(at: now) { return .success(usable) }
      return .failure(TransportError(refreshFailedBy: error))
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
  /// A server that cannot be reached is not a reason to sign in again, so a failure of the transport keeps its code. The reason states the
  /// cause in any case, because most renderings do not show the underlying error.
  fileprivate init(refreshFailedBy error: any Error) {
    let error = (error as? AnyError)?.error ?? error
    let underlying = UnderlyingFailure(in: error)
    let cause: String =
      if let failure = underlying.transportFailure { "\(failure)" } else if let invalid = error as? Credential.Invalid {
        "\(invalid)"
      } else if let error = error as? TransportError { "\(error)" } else {
        // The text of another error may contain secrets.
        FailureReport(error)?.line ?? "\(type(of: error))"
      }
    let transportError = underlying.transportError
    let code = transportError.flatMap { $0.code.isOfTransport ? $0.code : nil }
    self.init(
      code: code ?? .authenticationFailed, phase: code == nil ? nil : transportError?.phase,
      elapsed: code == nil ? nil : transportError?.elapsed, reason: "the token could not be refreshed: \(cause)",
      underlyingError: error)
  }
}

extension TransportError.Code {
  /// A Boolean value that indicates whether a server could not be reached, or did not answer with a valid response.
  fileprivate var isOfTransport: Bool {
    switch self {
    case .noConnection, .hostNotFound, .connectionLost, .timedOut, .tlsFailure, .truncatedResponse, .malformedResponse,
      .responseTooLarge, .circuitOpen, .other:
      true
    default: false
    }
  }
}

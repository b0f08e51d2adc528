#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which token is sent, when it is renewed, and who waits for that. Rule A4.
struct TokenMachine {
  /// A token, and which of all that there were it is.
  struct Grant: Hashable, Sendable {
    let token: TokenRefresher.Token
    let number: Int
    /// Whether who has it waited for it to be renewed.
    let wasAwaited: Bool
  }

  /// What who needs a token is to do.
  enum Action {
    case use(Grant)
    /// Wait for the refresh that is on its way.
    case wait
    /// Start one, and wait for it.
    case refresh
    case fail(TransportError)
  }

  /// How many refreshes may begin within ``windowSeconds``.
  private static let limit = 5
  private static let windowSeconds = 30

  private(set) var token: TokenRefresher.Token?
  private let skew: Duration?
  /// Which token it is.
  private var number = 0
  private var isRejected = false
  private var isRefreshing = false
  /// When the latest refreshes began.
  private var begun: [Duration] = []

  init(token: TokenRefresher.Token?, skew: Duration?) {
    self.token = token
    self.skew = skew
  }

  /// What to do for a request that needs a token.
  ///
  /// - Parameters:
  ///   - rejected: what was sent before and rejected. Where that is an older one, there is a newer already.
  ///   - elapsed: the time on a clock that never goes back.
  ///   - now: the time of day, which expiries are in.
  mutating func request(insteadOf rejected: Grant? = nil, at elapsed: Duration, now: Date) -> Action {
    if let rejected { reject(rejected) }
    let usable = usable(at: now)
    if let usable, !isDue(at: now) { return .use(usable) }
    if isRefreshing { return .wait }
    begun.removeAll { elapsed - $0 >= .seconds(Self.windowSeconds) }
    guard begun.count < Self.limit else {
      // One that is only near its end is better than none.
      if let usable { return .use(usable) }
      return .fail(
        TransportError(
          code: .authenticationFailed,
          reason: "the token was renewed \(Self.limit) times in \(Self.windowSeconds) seconds"))
    }
    begun.append(elapsed)
    isRefreshing = true
    return .refresh
  }

  /// Takes note that a server did not accept `grant`, unless there has been another since.
  mutating func reject(_ grant: Grant) {
    if grant.number == number { isRejected = true }
  }

  /// Ends the refresh; gives what all who wait for it are told.
  mutating func finish(_ result: Result<TokenRefresher.Token, any Error>, now: Date) -> Result<Grant, TransportError> {
    isRefreshing = false
    do {
      let token = try result.get()
      guard token.value.isVisibleASCII else { throw Credential.Invalid.malformedToken }
      self.token = token
      number += 1
      isRejected = false
      return .success(Grant(token: token, number: number, wasAwaited: true))
    } catch {
      // The old token, as if nobody had waited: when it is rejected, it is renewed once more.
      if let usable = usable(at: now) { return .success(usable) }
      return .failure(
        TransportError(
          code: .authenticationFailed, reason: "the token could not be renewed", underlyingError: error))
    }
  }

  /// The token, unless it was rejected or its time is over.
  private func usable(at now: Date) -> Grant? {
    guard let token, !isRejected else { return nil }
    // Without a skew nobody asked for clocks to be compared.
    if skew != nil, let expiry = token.expiry, expiry <= now { return nil }
    return Grant(token: token, number: number, wasAwaited: false)
  }

  /// Whether the token is to be renewed though it is good yet.
  private func isDue(at now: Date) -> Bool {
    guard let skew, let expiry = token?.expiry else { return false }
    return expiry.timeIntervalSince(now) <= skew / .seconds(1)
  }
}

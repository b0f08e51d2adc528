internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token that many requests share, and the one place where it is renewed. Rule A4.
///
///     let refresher = TokenRefresher(token: .init(saved)) { old in
///       let answer: TokenAnswer = try await backend.execute(refreshRequest(for: old))
///       return TokenRefresher.Token(answer.accessToken, expiry: .now + answer.expiresIn)
///     }
///
/// However many requests need a new token at once, it is asked for once, and all of them wait for it. Who gives up
/// waiting ends neither that nor the others' wait. When it fails they all fail, and a later request may try again, but
/// no more than five times in 30 seconds.
///
/// The requests that `refresh` sends, in its task or a child of it, pass ``BearerAuthentication`` of this refresher
/// untouched. Others wait for `refresh` as long as it takes: a timeout belongs to the requests that it sends.
public final class TokenRefresher: Sendable {
  /// A token, and until when it holds.
  public struct Token: Hashable, Sendable {
    /// The token as it is sent.
    public var value: String
    /// When it ends; `nil` where that is not known.
    public var expiry: Date?

    /// The token `value`, which holds until `expiry`.
    public init(_ value: String, expiry: Date? = nil) {
      self.value = value
      self.expiry = expiry
    }
  }

  /// Gives a new token in place of the old one, which is `nil` where there was none.
  public typealias Refresh = @Sendable (_ old: Token?) async throws -> Token

  /// The refreshers in whose `refresh` the task is.
  @TaskLocal private static var active: Set<ObjectIdentifier> = []

  private struct State {
    var machine: TokenMachine
    var waiters: [Int: CheckedContinuation<Result<TokenMachine.Grant, TransportError>, Never>] = [:]
    var lastWaiter = 0
  }

  private let state: Mutex<State>
  private let refresh: Refresh
  private let elapsed: @Sendable () -> Duration
  private let now: @Sendable () -> Date

  /// A refresher that begins with `token`, or without one, which the first request then has to wait for.
  ///
  /// - Parameters:
  ///   - token: the token to begin with.
  ///   - skew: how long before a token's expiry it is renewed, as one that is still good may not be when it arrives.
  ///     While that fails the old one is sent for as long as it holds. `nil` waits for a 401.
  ///   - clock: by which renewals are counted.
  ///   - now: the time that expiries are compared with.
  ///   - refresh: gives a new token. Never called twice at once.
  public init(
    token: Token? = nil, skew: Duration? = nil, clock: some Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }, refresh: @escaping Refresh
  ) {
    elapsed = clock.stopwatch()
    self.now = now
    self.refresh = refresh
    state = Mutex(State(machine: TokenMachine(token: token, skew: skew)))
  }

  /// The token in use; `nil` before the first.
  public var token: Token? { state.withLock { $0.machine.token } }

  /// How many requests wait for a refresh.
  var waiterCount: Int { state.withLock(\.waiters.count) }

  /// Whether the task is one that renews this token: it cannot wait for itself.
  var isRefreshing: Bool { Self.active.contains(ObjectIdentifier(self)) }

  /// The token to send, after a refresh where one is needed or on its way.
  ///
  /// - Parameter rejected: the grant that was sent and rejected, if one was.
  /// - Throws: `authenticationFailed`, and `cancelled` when the task is.
  func grant(insteadOf rejected: TokenMachine.Grant? = nil) async throws(TransportError) -> TokenMachine.Grant {
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

  /// Has the next request that needs a token wait for another one than `rejected`.
  func reject(_ rejected: TokenMachine.Grant) {
    state.withLock { $0.machine.reject(rejected) }
  }

  private func wait(
    _ id: Int, insteadOf rejected: TokenMachine.Grant?,
    _ continuation: CheckedContinuation<Result<TokenMachine.Grant, TransportError>, Never>
  ) {
    let (elapsed, now) = (elapsed(), now())
    let (result, starts) = state.withLock { state -> (Result<TokenMachine.Grant, TransportError>?, Bool) in
      if Task.isCancelled { return (.failure(TransportError(code: .cancelled, phase: .delay)), false) }
      switch state.machine.request(insteadOf: rejected, at: elapsed, now: now) {
      case .use(let grant): return (.success(grant), false)
      case .fail(let error): return (.failure(error), false)
      case .wait:
        state.waiters[id] = continuation
        return (nil, false)
      case .refresh:
        state.waiters[id] = continuation
        return (nil, true)
      }
    }
    if let result { continuation.resume(returning: result) }
    if starts { startRefresh() }
  }

  /// Renews the token in a task of its own, which nobody's cancellation ends.
  private func startRefresh() {
    Task {
      let old = token
      let result: Result<Token, any Error>
      do {
        let active = Self.active.union([ObjectIdentifier(self)])
        result = .success(try await Self.$active.withValue(active) { try await refresh(old) })
      } catch {
        result = .failure(error)
      }
      let now = now()
      let (outcome, waiters) = state.withLock { state in
        defer { state.waiters = [:] }
        return (state.machine.finish(result, now: now), state.waiters)
      }
      for waiter in waiters.values { waiter.resume(returning: outcome) }
    }
  }
}

extension TokenRefresher.Token: CustomStringConvertible, CustomReflectable {
  /// Until when it holds, and nothing of the token.
  public var description: String { expiry.map { "token until \($0)" } ?? "token" }
  /// A mirror without children, so that `dump` shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

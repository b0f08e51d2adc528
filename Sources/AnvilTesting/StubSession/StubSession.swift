public import AnvilClient
public import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A session that answers from what a test laid down, and that lets nothing else pass.
///
///     let session = StubSession()
///     session.on(.get, url, times: 1, .status(503))
///     session.on(.get, url, .json(#"{"id": 1}"#))
///     let backend = BackendService(transportService: TransportService(session: session))
///     …
///     try session.verify()
///
/// Each test makes its own: nothing is global, so that tests can run in parallel. A request that no stub matches fails with
/// an error that lists what was asked and what was expected; it is also passed to `onUnexpectedRequest`, where a test can
/// record an issue even if the code under test swallows the error, and makes ``verify()`` throw.
public final class StubSession: TransportSession {
  private struct Stub: Sendable {
    let number: Int
    let name: String
    let matches: @Sendable (HTTP.Request) -> Bool
    let reply: @Sendable (HTTP.Request) -> Reply
    /// How many more times it answers; `nil` for any number.
    var remaining: Int?
    var answered = 0

    var isWaiting: Bool { remaining.map { $0 > 0 } ?? (answered == 0) }
  }

  private struct State {
    var stubs: [Stub] = []
    var requests: [HTTP.Request] = []
    var unexpected: [HTTP.Request] = []
  }

  private let state = Mutex(State())
  private let onUnexpectedRequest: @Sendable (UnexpectedRequest) -> Void

  /// A session without stubs.
  ///
  /// - Parameter onUnexpectedRequest: called for a request that no stub matches, before it fails: with Swift Testing,
  ///   `{ Issue.record($0) }`. Unless given, it is printed.
  public init(
    onUnexpectedRequest: @escaping @Sendable (UnexpectedRequest) -> Void = { print("StubSession: \($0)") }
  ) {
    self.onUnexpectedRequest = onUnexpectedRequest
  }

  /// Answers requests of `method` for exactly `url` with `reply`.
  ///
  /// It does so `times` times, after which the next stub that matches answers; any number of times for `nil`.
  public func on(_ method: HTTP.Method, _ url: URL, times: Int? = nil, _ reply: Reply) {
    on(method, url, times: times) { _ in reply }
  }

  /// Answers requests of `method` for exactly `url` with what `reply` makes of them.
  ///
  /// It does so `times` times, after which the next stub that matches answers; any number of times for `nil`.
  public func on(
    _ method: HTTP.Method, _ url: URL, times: Int? = nil, reply: @escaping @Sendable (HTTP.Request) -> Reply
  ) {
    on("\(method) \(url.absoluteString)", where: { $0.method == method && $0.url == url }, times: times, reply: reply)
  }

  /// Answers the requests that `matches` picks with what `reply` makes of them.
  ///
  /// It does so `times` times, after which the next stub that matches answers; any number of times for `nil`. Messages call
  /// the stub `name`.
  public func on(
    _ name: String, where matches: @escaping @Sendable (HTTP.Request) -> Bool, times: Int? = nil,
    reply: @escaping @Sendable (HTTP.Request) -> Reply
  ) {
    state.withLock {
      $0.stubs.append(
        Stub(number: $0.stubs.count, name: name, matches: matches, reply: reply, remaining: times.map { max($0, 0) }))
    }
  }

  /// Every request so far in order of arrival, unexpected ones included, their bodies in memory.
  public var requests: [HTTP.Request] {
    state.withLock(\.requests)
  }

  /// Checks that no request was unexpected and that every stub has answered, as many times as it was to.
  ///
  /// - Throws: ``Mismatch``.
  public func verify() throws(Mismatch) {
    let mismatch = state.withLock { state in
      Mismatch(
        unexpected: state.unexpected,
        unused: state.stubs.filter(\.isWaiting).map(\.name))
    }
    guard mismatch.unexpected.isEmpty, mismatch.unused.isEmpty else { throw mismatch }
  }

  /// Answers `request` as the first stub says that matches it and has answers left.
  ///
  /// - Throws: the reply's own error, `timedOut` and `cancelled` as a real session would, and `other` with
  ///   ``UnexpectedRequest`` as the underlying error when no stub matches.
  public func send(
    _ request: HTTP.Request, options: TransportOptions
  ) async throws(TransportError) -> TransportResponse {
    do throws(HTTP.InvalidMessage) {
      try request.validate()
    } catch {
      throw TransportError(code: .invalidRequest, reason: error.description, underlyingError: error)
    }
    // A task that is cancelled already sends nothing: what nobody sent is not in ``requests``.
    guard !Task.isCancelled else { throw TransportError(code: .cancelled, phase: .firstByte) }
    var request = request
    do {
      request.body = try await read(request.body, reportingTo: options.progressHandler)
    } catch is CancellationError {
      throw TransportError(code: .cancelled, phase: .send)
    } catch {
      throw TransportError(code: .requestBodyFailed, reason: "\(type(of: error))", underlyingError: error)
    }
    return try await reply(to: request).perform(for: request, timeout: options.timeout)
  }

  /// The body in memory, as a session would have sent it.
  private func read(_ body: HTTP.Body, reportingTo handler: TransferProgress.Handler?) async throws -> HTTP.Body {
    var progress = body.isEmpty ? nil : ProgressCounter(.sent, total: body.length, handler: handler)
    var collected = Data()
    for try await chunk in body {
      collected.append(chunk)
      progress?.add(chunk.count)
    }
    progress?.finish()
    return body.data == nil ? HTTP.Body(collected) : body
  }

  private func reply(to request: HTTP.Request) throws(TransportError) -> Reply {
    state.withLock { $0.requests.append(request) }
    // Matchers and replies are the test's own code, which may look at this session: they run outside the lock.
    for stub in state.withLock(\.stubs) where stub.remaining != 0 && stub.matches(request) {
      if take(stub.number) { return stub.reply(request) }
    }
    let expected = state.withLock { state in
      state.unexpected.append(request)
      return state.stubs.filter { $0.remaining != 0 }.map(\.name)
    }
    let unexpected = UnexpectedRequest(request: request, expected: expected)
    onUnexpectedRequest(unexpected)
    throw TransportError(code: .other, reason: "unexpected request \(request)", underlyingError: unexpected)
  }

  /// Takes one answer of a stub; `false` when another request has taken the last.
  private func take(_ number: Int) -> Bool {
    state.withLock { state in
      guard state.stubs[number].remaining != 0 else { return false }
      state.stubs[number].answered += 1
      state.stubs[number].remaining? -= 1
      return true
    }
  }
}

extension StubSession {
  /// A request that no stub matches.
  public struct UnexpectedRequest: Error, CustomStringConvertible {
    /// The request.
    public let request: HTTP.Request
    /// The stubs that had answers left.
    public let expected: [String]

    /// The request and what was expected instead.
    public var description: String {
      let expected = expected.isEmpty ? "no more requests" : expected.joined(separator: ", ")
      return "unexpected request \(request.method) \(request.url.absoluteString); expected \(expected)"
    }
  }

  /// What ``verify()`` found.
  public struct Mismatch: Error, CustomStringConvertible {
    /// The requests that no stub matched.
    public let unexpected: [HTTP.Request]
    /// The stubs that did not answer as many times as they were to.
    public let unused: [String]

    /// One line for each.
    public var description: String {
      (unexpected.map { "unexpected: \($0.method) \($0.url.absoluteString)" } + unused.map { "not asked for: \($0)" })
        .joined(separator: "\n")
    }
  }
}

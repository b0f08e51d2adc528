internal import AnvilBase
public import AnvilClient
public import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A session that answers from stubs defined by a test and rejects all other requests.
///
///     let session = StubSession()
///     session.on(.get, url, times: 1, .status(503))
///     session.on(.get, url, .json(#"{"id": 1}"#))
///     let backend = BackendService(transportService: TransportService(session: session))
///     …
///     try session.verify()
///
/// Each test creates its own session. There is no global state, so tests can run in parallel. A request that no stub matches fails with an
/// error that lists the request and the expected ones. Such a request also makes ``verify()`` throw, and is passed to
/// `onUnexpectedRequest`, where a test can record an issue even if the code under test ignores the error.
public final class StubSession: TransportSession {
  private struct Stub: Sendable {
    let number: Int
    let name: String
    let matcher: Matcher
    let reply: @Sendable (HTTP.Request) -> Reply
    /// The number of remaining replies; `nil` for no limit.
    var remaining: Int?
    var answered = 0

    var isWaiting: Bool { remaining.map { $0 > 0 } ?? (answered == 0) }

    /// Returns the name, followed by what differs if `request` is for a similar URL.
    func description(for request: HTTP.Request, _ url: NormalizedURL) -> String {
      guard case .target(request.method, _, let expected) = matcher, url.hasSimilarPath(to: expected),
        let difference = url.difference(from: expected)
      else { return name }
      return "\(name) (\(difference))"
    }
  }

  /// The condition of a stub.
  private enum Matcher: Sendable {
    /// The method and the URL, as text and in the form in which equivalent URLs are equal.
    case target(HTTP.Method, String, NormalizedURL)
    case closure(@Sendable (HTTP.Request) -> Bool)

    /// - Parameter url: The normalized URL of `request`, which is computed only if the texts differ.
    func matches(_ request: HTTP.Request, _ url: () -> NormalizedURL) -> Bool {
      switch self {
      case .target(let method, let text, let expected):
        method == request.method && (text == request.urlText || expected == url())
      case .closure(let matches): matches(request)
      }
    }
  }

  private struct State {
    var stubs: [Stub] = []
    var requests: [HTTP.Request] = []
    var unexpected: [HTTP.Request] = []
  }

  private let state = Mutex(State())
  private let onUnexpectedRequest: @Sendable (UnexpectedRequest) -> Void

  /// Creates a session without stubs.
  ///
  /// - Parameter onUnexpectedRequest: Called for a request that no stub matches, before it fails. With Swift Testing, use
  ///   `{ Issue.record($0) }`. By default, the request is printed.
  public init(
    onUnexpectedRequest: @escaping @Sendable (UnexpectedRequest) -> Void = { print("StubSession: \($0)") }
  ) {
    self.onUnexpectedRequest = onUnexpectedRequest
  }

  /// Answers requests of `method` for `url` with `reply`.
  ///
  /// Requests for an equivalent URL are answered too: `?f[]=1` is `?f%5B%5D=1`, and the case of the host, the default port and the fragment
  /// are not compared. The order of the query's items is compared. Source: RFC 3986 §6.2.2.
  ///
  /// The stub answers `times` times, or without limit if `times` is `nil`. After that, the next stub that matches answers.
  public func on(_ method: HTTP.Method, _ url: URL, times: Int? = nil, _ reply: Reply) {
    on(method, url, times: times) { _ in reply }
  }

  /// Answers requests of `method` for `url`, or for an equivalent URL, with the result of the closure `reply`.
  ///
  /// The stub answers `times` times, or without limit if `times` is `nil`. After that, the next stub that matches answers.
  public func on(
    _ method: HTTP.Method, _ url: URL, times: Int? = nil, reply: @escaping @Sendable (HTTP.Request) -> Reply
  ) {
    let matcher = Matcher.target(method, url.absoluteString, NormalizedURL(url.absoluteString))
    add("\(method) \(url.absoluteString)", matcher, times: times, reply: reply)
  }

  /// Answers the requests for which `matches` returns `true` with the result of the closure `reply`.
  ///
  /// The stub answers `times` times, or without limit if `times` is `nil`. After that, the next stub that matches answers. Messages
  /// refer to the stub as `name`.
  public func on(
    _ name: String, where matches: @escaping @Sendable (HTTP.Request) -> Bool, times: Int? = nil,
    reply: @escaping @Sendable (HTTP.Request) -> Reply
  ) {
    add(name, .closure(matches), times: times, reply: reply)
  }

  private func add(
    _ name: String, _ matcher: Matcher, times: Int?, reply: @escaping @Sendable (HTTP.Request) -> Reply
  ) {
    state.withLock {
      $0.stubs.append(
        Stub(number: $0.stubs.count, name: name, matcher: matcher, reply: reply, remaining: times.map { max($0, 0) }))
    }
  }

  /// All requests so far in order of arrival, including unexpected ones, with their bodies in memory.
  public var requests: [HTTP.Request] {
    state.withLock(\.requests)
  }

  /// Checks that no request was unexpected and that every stub has answered the specified number of times.
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

  /// Answers `request` with the first matching stub that has replies left.
  ///
  /// - Throws: The error of the reply. `other`, with ``UnexpectedRequest`` as the underlying error, if no stub matches. Other errors as a
  ///   real session would report them: for example `timedOut`, `cancelled`, and an error for an invalid request.
  public func send(
    _ request: HTTP.Request, options: TransportOptions
  ) async throws(TransportError) -> TransportResponse {
    try request.validateForSending()
    // A task that is already cancelled sends nothing, so its request is not in ``requests``.
    guard !Task.isCancelled else { throw TransportError(code: .cancelled, phase: .firstByte) }
    var request = request
    do {
      request.body = try await read(request.body, reportingTo: options.progressHandler)
    } catch is CancellationError {
      throw TransportError(code: .cancelled, phase: .send)
    } catch {
      throw TransportError(code: .requestBodyFailed, reason: "\(type(of: error))", underlyingError: error)
    }
    return try await reply(to: request).perform(for: request, options: options)
  }

  /// Reads the body into memory, as a session would when sending it.
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
    var normalized: NormalizedURL?
    let url = {
      let url = normalized ?? NormalizedURL(request.urlText)
      normalized = url
      return url
    }
    // Matchers and replies are code of the test, which may use this session, so they run outside the lock.
    for stub in state.withLock(\.stubs) where stub.remaining != 0 && stub.matcher.matches(request, url) {
      if take(stub.number) { return stub.reply(request) }
    }
    let expected = state.withLock { state in
      state.unexpected.append(request)
      return state.stubs.filter { $0.remaining != 0 }.map { $0.description(for: request, url()) }
    }
    let unexpected = UnexpectedRequest(request: request, expected: expected)
    onUnexpectedRequest(unexpected)
    throw TransportError(code: .other, reason: "unexpected request \(request)", underlyingError: unexpected)
  }

  /// Takes one reply of a stub. Returns `false` if another request has taken the last one.
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
  /// An error for a request that no stub matches.
  public struct UnexpectedRequest: Error, CustomStringConvertible {
    /// The request.
    public let request: HTTP.Request
    /// The stubs that had replies left. Those for a similar URL are followed by what differs.
    public let expected: [String]

    /// A line with the request and the stubs that had replies left.
    public var description: String {
      let expected = expected.isEmpty ? "no more requests" : expected.joined(separator: ", ")
      return "unexpected request \(request.method) \(request.url.absoluteString); expected \(expected)"
    }
  }

  /// An error that lists the differences between expected and actual requests.
  public struct Mismatch: Error, CustomStringConvertible {
    /// The requests that no stub matched.
    public let unexpected: [HTTP.Request]
    /// The stubs that answered fewer times than specified.
    public let unused: [String]

    /// A description with one line for each difference.
    public var description: String {
      (unexpected.map { "unexpected: \($0.method) \($0.url.absoluteString)" } + unused.map { "not requested: \($0)" })
        .joined(separator: "\n")
    }
  }
}

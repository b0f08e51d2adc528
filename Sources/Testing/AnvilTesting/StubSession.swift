public import AnvilBase
public import AnvilClient
public import AnvilHTTP
@_exported public import AnvilServer
internal import Synchronization

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
public final class StubSession: TransportSession, ClockedSession {
  private struct Stub: Sendable {
    let number: Int
    let name: String
    let matcher: Matcher
    let reply: @Sendable (HTTP.Request) -> Reply
    /// The number of remaining replies; `nil` for no limit.
    var remaining: Int?
    var answered = 0

    var isWaiting: Bool { remaining.map { $0 > 0 } ?? (answered == 0) }

    /// The name and, if some of the replies were used, the number of the others.
    var waiting: String {
      guard answered > 0, let remaining else { return name }
      return "\(name) (\(remaining) of \(answered + remaining) times)"
    }

    /// Returns the name, followed by what differs if `request` is for a similar URL.
    func description(for request: HTTP.Request, _ url: NormalizedURL) -> String {
      guard case .target(let target) = matcher, target.method == request.method, url.hasSimilarPath(to: target.url),
        let difference = url.difference(from: target.url)
      else { return name }
      return "\(name) (\(difference))"
    }
  }

  private struct Target: Hashable, Sendable {
    let method: HTTP.Method
    let url: NormalizedURL
  }

  private enum Matcher: Sendable {
    case target(Target)
    case closure(@Sendable (HTTP.Request) -> Bool)
  }

  /// The stubs and the requests. Stubs with a URL are found by it, so that the time for a request does not depend on their number.
  private struct State {
    var stubs: [Stub] = []
    /// The numbers of the stubs for each target that have replies left, in order.
    private var targets: [Target: ArraySlice<Int>] = [:]
    /// The numbers of the stubs with a closure that have replies left, in order.
    private(set) var closures: [Int] = []
    var requests: [HTTP.Request] = []
    var unexpected: [HTTP.Request] = []

    mutating func add(
      _ name: String, _ matcher: Matcher, times: Int?, reply: @escaping @Sendable (HTTP.Request) -> Reply
    ) {
      let stub = Stub(
        number: stubs.count, name: name, matcher: matcher, reply: reply, remaining: times.map { max($0, 0) })
      stubs.append(stub)
      guard stub.remaining != 0 else { return }
      switch matcher {
      case .target(let target): targets[target, default: []].append(stub.number)
      case .closure: closures.append(stub.number)
      }
    }

    /// The number of the first stub for `target` that has replies left.
    func number(for target: Target) -> Int? { targets[target]?.first }

    /// Takes one reply of a stub. Returns `nil` if another request has taken the last one.
    mutating func take(_ number: Int) -> Stub? {
      guard stubs[number].remaining != 0 else { return nil }
      stubs[number].answered += 1
      stubs[number].remaining? -= 1
      let stub = stubs[number]
      guard stub.remaining == 0 else { return stub }
      switch stub.matcher {
      // Only the first stub of a target is taken.
      case .target(let target): _ = targets[target]?.popFirst()
      case .closure: closures.removeAll { $0 == number }
      }
      return stub
    }
  }

  private let state = Mutex(State())
  private let onUnexpectedRequest: @Sendable (UnexpectedRequestError) -> Void

  /// Creates a session without stubs.
  ///
  /// - Parameter onUnexpectedRequest: Called for a request that no stub matches, before it fails. With Swift Testing, use
  ///   `{ Issue.record($0) }`. By default, the request is printed.
  public init(
    onUnexpectedRequest: @escaping @Sendable (UnexpectedRequestError) -> Void = { print("StubSession: \($0)") }
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
    let matcher = Matcher.target(Target(method: method, url: NormalizedURL(url.absoluteString)))
    state.withLock { $0.add("\(method) \(url.absoluteString)", matcher, times: times, reply: reply) }
  }

  /// Answers the requests for which `matches` returns `true` with the result of the closure `reply`.
  ///
  /// The stub answers `times` times, or without limit if `times` is `nil`. After that, the next stub that matches answers. Messages
  /// refer to the stub as `name`.
  public func on(
    _ name: String, where matches: @escaping @Sendable (HTTP.Request) -> Bool, times: Int? = nil,
    reply: @escaping @Sendable (HTTP.Request) -> Reply
  ) {
    state.withLock { $0.add(name, .closure(matches), times: times, reply: reply) }
  }

  /// All requests so far in order of arrival, including unexpected ones, with their bodies in memory.
  public var requests: [HTTP.Request] {
    state.withLock(\.requests)
  }

  /// Checks that no request was unexpected and that every stub has answered the specified number of times.
  ///
  /// - Throws: ``MismatchError``.
  public func verify() throws(MismatchError) {
    let mismatch = state.withLock { state in
      MismatchError(
        unexpected: state.unexpected,
        unused: state.stubs.filter(\.isWaiting).map(\.waiting))
    }
    guard mismatch.unexpected.isEmpty, mismatch.unused.isEmpty else { throw mismatch }
  }

  /// Answers `request` with the first matching stub that has replies left.
  ///
  /// - Throws: The error of the reply. `other`, with ``UnexpectedRequestError`` as the underlying error, if no stub matches. Other errors as a
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
    } catch {
      throw TransportError(readingRequestBody: error)
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
    let url = NormalizedURL(request.urlText)
    let target = Target(method: request.method, url: url)
    let (first, closures, count) = state.withLock { state in
      state.requests.append(request)
      return (state.number(for: target) ?? .max, state.closures, state.stubs.count)
    }
    // Matchers and replies are code of the test, which may use this session, so they run outside the lock.
    for number in closures {
      if first < number, let stub = takeStub(for: target, before: number) { return stub.reply(request) }
      guard case .closure(let matches) = state.withLock({ $0.stubs[number].matcher }), matches(request),
        let stub = state.withLock({ $0.take(number) })
      else { continue }
      return stub.reply(request)
    }
    if let stub = takeStub(for: target, before: count) { return stub.reply(request) }
    let expected = state.withLock { state in
      state.unexpected.append(request)
      return state.stubs.filter { $0.remaining != 0 }.map { $0.description(for: request, url) }
    }
    let unexpected = UnexpectedRequestError(request: request, expected: expected)
    onUnexpectedRequest(unexpected)
    throw TransportError(code: .other, reason: "unexpected request \(request)", underlyingError: unexpected)
  }

  /// Takes a reply of the first stub for `target`, if its number is less than `end`.
  private func takeStub(for target: Target, before end: Int) -> Stub? {
    state.withLock { state in
      guard let number = state.number(for: target), number < end else { return nil }
      return state.take(number)
    }
  }
}

extension StubSession {
  /// An error for a request that no stub matches.
  public struct UnexpectedRequestError: Error, CustomStringConvertible {
    package let request: HTTP.Request
    /// The stubs that had replies left. Those for a similar URL are followed by what differs.
    package let expected: [String]

    /// A line with the request and the stubs that had replies left.
    public var description: String {
      let expected = expected.isEmpty ? "no more requests" : expected.joined(separator: ", ")
      return "unexpected request \(request.method) \(request.url.absoluteString); expected \(expected)"
    }
  }

  /// An error that lists the differences between expected and actual requests.
  public struct MismatchError: Error, CustomStringConvertible {
    package let unexpected: [HTTP.Request]
    package let unused: [String]

    /// A description with one line for each difference.
    public var description: String {
      (unexpected.map { "unexpected: \($0.method) \($0.url.absoluteString)" } + unused.map { "not requested: \($0)" })
        .joined(separator: "\n")
    }
  }

  /// The reply of a stub to a request: a response, an error, or nothing.
  ///
  /// It is the same type as the reply of a server. No bytes are transferred: slow bodies and intervals between chunks have no delay,
  /// trailers are left out, and a compressed body is delivered as it is. A fault becomes the error that a client would see.
  /// `LoopbackServer.Reply.raw(_:)` fails with an error of code `other`.
  public typealias Reply = LoopbackServer.Reply

  /// Answers requests for `server` with its routes, without a connection. The handlers run, and requests appear in `server.requests`. The
  /// session keeps a reference to the server.
  public func answer(as server: LoopbackServer) {
    let prefix = server.url.absoluteString
    let origin = HTTP.Origin(server.url)
    on("requests for \(prefix)", where: { $0.origin == origin }) { request in
      server.replyWithoutConnection(to: request).received(for: request)
    }
  }
}

extension LoopbackServer.Reply {
  /// Returns a response whose body arrives in chunks. If there is an `error`, the body ends with it; a server resets the connection.
  ///
  /// A stub's chunks are requested from the sequence until the body's buffer is full, and again when the reader has consumed them. At most
  /// about one MiB is in memory, even if the sequence is endless. The code that sends the request iterates the sequence first, then the
  /// code that reads the body.
  public static func chunks(
    _ chunks: some Sequence<Data> & Sendable, error: TransportError? = nil, status: HTTP.Status = .success(.ok),
    headers: HTTP.Headers = [:]
  ) -> Self {
    Self(.chunked(chunks, status, headers, failure: error))
  }

  /// Returns a reply of a stub that fails with an error instead of a response. A server closes the connection.
  public static func failure(_ error: TransportError) -> Self { Self(.failure(error)) }

  /// No reply at all. The request ends by its timeout or by cancellation.
  package static let never = Self.fault(.neverAnswers)

  /// Returns the reply of a server in the form in which a client receives it.
  fileprivate func received(for request: HTTP.Request) -> Self {
    switch content {
    case .message(let status, let headers, let body):
      framed(status, headers, [body], length: body.count)
    case .streamed(let chunks, let length, let status, let headers):
      framed(status, headers, chunks, length: length)
    case .chunked(_, _, let status, let headers, _, _) where request.method == .head:
      .status(status, headers: headers).after(delay)
    case .chunked, .steps, .fault, .failure: self
    }
  }

  private func framed(
    _ status: HTTP.Status, _ headers: HTTP.Headers, _ body: any Sequence<Data> & Sendable, length: Int?
  ) -> Self {
    var headers = headers
    if let length, status.allowsContent, !headers.contains(.contentLength) { headers.add(.contentLength, "\(length)") }
    return .chunks(body, status: status, headers: headers).after(delay)
  }
}

extension LoopbackServer.Fault {
  /// The reply with which a session reports the fault; `nil` for no reply.
  fileprivate var simulated: LoopbackServer.Reply? {
    func failure(_ code: TransportError.Code) -> LoopbackServer.Reply {
      .failure(TransportError(code: code, phase: .firstByte))
    }
    func broken(
      _ code: TransportError.Code, after text: String, _ headers: HTTP.Headers
    ) -> LoopbackServer.Reply {
      .chunks([Data(text.utf8)], error: TransportError(code: code, phase: .body), headers: headers)
    }
    let chunked: HTTP.Headers = [.transferEncoding: "chunked"]
    return switch self {
    case .slowHead(let delay): .status(200, headers: [.contentLength: "4"], body: Data("late".utf8)).after(delay)
    case .slowDrip(_, let count):
      .chunks(repeatElement(Data(".".utf8), count: max(count, 0)), headers: [.contentLength: "\(max(count, 0))"])
    case .truncatedBody, .resetInBody: broken(.truncatedResponse, after: "only these", [.contentLength: "100"])
    case .truncatedChunks: broken(.truncatedResponse, after: "hello", chunked)
    case .truncatedHead, .closeBeforeHead, .resetBeforeHead: failure(.connectionLost)
    case .badChunk: broken(.malformedResponse, after: "hello", chunked)
    case .conflictingLengths:
      broken(.malformedResponse, after: "", [.contentLength: "5", .contentLength: "11"])
    case .lengthAndChunked: broken(.malformedResponse, after: "", chunked.merging([.contentLength: "15"]))
    case .notHTTP: failure(.malformedResponse)
    case .neverAnswers: nil
    }
  }
}

extension LoopbackServer.Reply {
  fileprivate func perform(
    for request: HTTP.Request, options: TransportOptions
  ) async throws(TransportError) -> TransportResponse {
    if case .fault(let fault) = content, let simulated = fault.simulated {
      return try await simulated.after(delay).perform(for: request, options: options)
    }
    let clock = options.clock ?? ContinuousClock()
    let timeout = options.timeout
    try await wait(timeout: timeout, clock: clock)
    let (status, headers, chunks, error) = try parts
    // The limit of a streamed response ends with its head.
    let rest = options.responseDelivery == .streamed ? nil : timeout.map { $0 - delay }
    let head = HTTP.Response(request: request, status: status, headers: headers)
    let content: any Sequence<Data> & Sendable = head.canHaveBody ? chunks : []
    let length = head.canHaveBody ? head.announcedLength : nil
    let body = StubBody(content, length: length, error: error, clock: clock).start(within: rest, of: timeout)
    return TransportResponse(head: head, body: body)
  }

  private typealias Parts = (HTTP.Status, HTTP.Headers, any Sequence<Data> & Sendable, TransportError?)

  private var parts: Parts {
    get throws(TransportError) {
      switch content {
      case .message(let status, let headers, let body): return (status, headers, [body], nil)
      case .streamed(let chunks, let length, let status, let headers):
        let stated: HTTP.Headers = length.map { [.contentLength: "\($0)"] } ?? [:]
        return (status, stated.merging(headers), chunks, nil)
      case .chunked(let chunks, _, let status, let headers, _, let failure):
        return (status, headers, chunks, failure.map(Self.transportError))
      case .failure(let error): throw Self.transportError(error)
      case .fault: throw TransportError(code: .other, reason: "a reply that never comes has ended")
      case .steps:
        throw TransportError(
          code: .other, reason: "a stub session does not support raw replies, because it has no connection")
      }
    }
  }

  private static func transportError(_ error: any Error) -> TransportError {
    error as? TransportError ?? TransportError(code: .other, underlyingError: error)
  }

  /// Waits until the reply is due, the timeout is reached, or the task is cancelled.
  private func wait(timeout: Duration?, clock: any Clock<Duration>) async throws(TransportError) {
    // A year stands for an unlimited wait, including when there is no timeout.
    let ever = Duration.seconds(31_536_000)
    let answer = if case .fault(.neverAnswers) = content { ever } else { min(delay, ever) }
    let limit = min(timeout ?? ever, ever)
    do {
      try Task.checkCancellation()
      // A clock that does not wait must not end what never ends.
      let sleeper: any Clock<Duration> = min(answer, limit) == ever ? ContinuousClock() : clock
      if min(answer, limit) > .zero { try await sleeper.sleep(for: min(answer, limit), tolerance: .zero) }
    } catch {
      throw TransportError(code: .cancelled, phase: .firstByte)
    }
    if limit < answer || limit <= .zero { throw TransportError(code: .timedOut, phase: .firstByte, elapsed: limit) }
  }
}

internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import AnvilObservability
internal import AnvilServer
internal import Foundation
internal import Synchronization

/// Forwards requests, and returns the responses while they are received. Source: RFC 9110 §7.6, §15.6.3 and §15.6.5 (502 and 504).
final class ProxyForwarder: Sendable {
  private let recorder: ProxyRecorder?
  private let session: any TransportSession
  private let origin: String?
  private let log: (@Sendable (String) -> Void)?
  private let pipes = Mutex<(open: [ObjectIdentifier: ProxyPipe], isClosed: Bool)>(([:], false))

  /// Creates a forwarder.
  ///
  /// - Parameters:
  ///   - recorder: Records each exchange, including those with the cache.
  ///   - origin: Replaces the scheme and the authority of each request. If it is `nil`, each request names its origin.
  init(
    cache: CacheInterceptor?, recorder: ProxyRecorder?, origin: String?, log: (@Sendable (String) -> Void)?
  ) {
    self.recorder = recorder
    self.origin = origin
    self.log = log
    #if os(Linux)
    // Bodies are forwarded without changes, and only to the named server. An archive contains bodies without compression, which some
    // servers use even if they are not asked for it.
    var configuration = CurlSession.Configuration()
    if recorder == nil { configuration.decompression = .off } else { configuration.omittedFields = [.acceptEncoding] }
    configuration.proxy = .none
    let wire: any TransportSession = CurlSession(configuration: configuration)
    #else
    let wire: any TransportSession = URLTransportSession.shared
    #endif
    let interceptors: [(any Interceptor)?] = [cache, recorder?.interceptor]
    session = interceptors.compactMap(\.self).reduce(wire) { InterceptedSession(interceptor: $1, next: $0) }
  }

  /// Returns the reply to a request. Blocks the connection's thread until the response's head was received.
  func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
    guard isAccepted(request) else {
      log?("\(request.method) → 421, unknown host\n")
      return .unknownHost
    }
    if ProxyFields.hasReachedLimit(request) {
      log?("\(request.method) → 200, Max-Forwards is 0\n")
      return ProxyFields.finalReply(to: request)
    }
    let url: URL
    switch target(of: request) {
    case .success(let target): url = target
    case .failure(let problem): return .text("anvil: \(problem.reason)\n", status: problem.status)
    }
    let pipe = ProxyPipe()
    let outgoing = HTTP.Request(
      method: request.method, url: url, headers: ProxyFields.forwarded(request, isRecorded: recorder != nil),
      body: HTTP.Body(request.body))
    guard open(pipe) else { return .text("anvil: the proxy is shutting down\n", status: 503) }
    recorder?.noteChange()
    pipe.run {
      await self.send(outgoing, into: pipe)
      self.pipes.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(pipe)) }
      self.recorder?.noteChange()
    }
    var result = pipe.waitForHead()
    while case .success(let head) = result, head.code < 200 {
      request.sendInformational(head.status, headers: head.headers.endToEnd)
      result = pipe.waitForHead()
    }
    switch result {
    case .success(let head):
      log?("\(head)\(head.history.isEmpty ? "" : " (\(head.history))")\n")
      let head = hasDecodedBody(head) ? head.withoutContentCoding : head
      let reader = ProxyPipe.Reader(pipe, length: head.canHaveBody ? head.statedLength : 0)
      return .streamed(head.status, headers: ProxyFields.returned(head), length: head.statedLength) {
        try reader.next()
      }
    case .failure(let error):
      log?("\(outgoing) → \(error)\n")
      return .text("anvil: \(error)\n", status: error.code == .timedOut ? 504 : 502)
    }
  }

  /// Ends all running exchanges, and prevents new ones.
  func cancelAll() {
    let open = pipes.withLock { pipes in
      defer { pipes = ([:], true) }
      return pipes.open.values.map(\.self)
    }
    for pipe in open { pipe.cancel() }
  }

  private func open(_ pipe: ProxyPipe) -> Bool {
    pipes.withLock { pipes in
      guard !pipes.isClosed else { return false }
      pipes.open[ObjectIdentifier(pipe)] = pipe
      return true
    }
  }

  private func send(_ request: HTTP.Request, into pipe: ProxyPipe) async {
    var options = TransportOptions(timeout: .seconds(60))
    options.eventHandler = { event in
      if case .informational(let head) = event { pipe.inform(head) }
    }
    do throws(TransportError) {
      let response = try await session.send(request, options: options)
      pipe.begin(response.head)
      for try await chunk in response.body { await pipe.append(chunk) }
      pipe.finish(nil)
    } catch {
      pipe.finish(error)
    }
  }

  /// True if the session has decoded the body that follows `head`.
  private func hasDecodedBody(_ head: HTTP.Response) -> Bool {
    let codings = head.headers.contentCodings
    guard !codings.isEmpty, head.canHaveBody else { return false }
    #if os(Linux)
    return recorder != nil && head.code != 206 && CurlSession.decodes(codings)
    #else
    return true
    #endif
  }

  private struct RequestError: Error {
    let status: HTTP.Status
    let reason: String
  }

  private func isAccepted(_ request: LoopbackServer.Request) -> Bool {
    guard let origin, request.target.withoutOrigin.startIndex == request.target.startIndex else { return true }
    return request.isForLoopback(or: [URL(string: origin).flatMap { HTTP.Origin($0)?.host }].compactMap(\.self))
  }

  private func target(of request: LoopbackServer.Request) -> Result<URL, RequestError> {
    if ProxyFields.hasLooped(request.headers) {
      return .failure(RequestError(status: 508, reason: "the request has already passed through this proxy"))
    }
    if request.method == .connect { return .failure(RequestError(status: 501, reason: "tunnels are not supported")) }
    // Characters that a URL cannot contain are encoded here: Foundation would also encode what is encoded already.
    let target = request.target.withoutOrigin
    let isAbsolute = target.startIndex > request.target.startIndex
    var text =
      String(request.target[..<target.startIndex])
      + PercentEncoding.encode(String(target), keeping: .reserved).replacing("[", with: "%5B").replacing(
        "]", with: "%5D")
    if let origin {
      // Only the path and the query of an absolute target are sent to the origin.
      text = String(text.withoutOrigin)
      if text == "*" { text = "" }
      text = origin + text
    } else if !isAbsolute {
      return .failure(RequestError(status: 400, reason: "the target is not an absolute URL, and --origin is not set"))
    }
    guard let url = URL(string: text) else {
      return .failure(RequestError(status: 400, reason: "the target is not a valid URL"))
    }
    do throws(HTTP.MessageError) {
      try HTTP.Request(url: url).validate()
    } catch {
      return .failure(RequestError(status: 400, reason: "\(error)"))
    }
    return .success(url)
  }
}

/// Converts the fields of messages that a proxy forwards. Source: RFC 9110 §7.6.1 to §7.6.3.
enum ProxyFields {
  /// The name of this process in `Via`, by which it recognizes requests that it has forwarded. The last part is random.
  static let pseudonym = "anvil-\(String(UInt32.random(in: .min ... .max), radix: 36))"

  private static let maxForwards = HTTP.HeaderKey(rawValue: "Max-Forwards")

  static func hasLooped(_ headers: HTTP.Headers) -> Bool {
    headers.values(for: .via).contains { $0.rawValue.contains(pseudonym) }
  }

  /// Returns the fields for the server, except those that frame the message. An archive contains bodies without compression.
  static func forwarded(_ request: LoopbackServer.Request, isRecorded: Bool) -> HTTP.Headers {
    var headers = request.headers.endToEnd
    for key: HTTP.HeaderKey in [.host, .contentLength, .expect] { headers.remove(key) }
    #if !os(Linux)
    // Otherwise this session would return decompressed bodies with fields that still name the compression.
    headers.remove(.acceptEncoding)
    #endif
    if isRecorded { headers.remove(.acceptEncoding) }
    if let count = forwardsLeft(request) { headers[maxForwards] = "\(max(count - 1, 0))" }
    headers.add(.via, "1.1 \(pseudonym)")
    return headers
  }

  /// Returns the number in `Max-Forwards`; `nil` without one, and for methods that it does not limit. Source: RFC 9110 §7.6.2.
  private static func forwardsLeft(_ request: LoopbackServer.Request) -> Int? {
    guard request.method == .trace || request.method == .options else { return nil }
    let values = request.headers.elements(of: maxForwards)
    guard !values.isEmpty, values.allSatisfy({ $0.utf8.allSatisfy { $0.isDigit } }) else { return nil }
    return values.map { Int($0) ?? .max }.min()
  }

  /// Returns `true` if the request must not be forwarded, because `Max-Forwards` is 0.
  static func hasReachedLimit(_ request: LoopbackServer.Request) -> Bool { forwardsLeft(request) == 0 }

  /// Returns the reply to OPTIONS, or to TRACE, with the request without secrets. Source: RFC 9110 §9.3.7, §9.3.8.
  static func finalReply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
    guard request.method == .trace else { return .status(200) }
    let redaction = HTTP.Redaction()
    let fields = request.headers.filter { !redaction.isSecret(name: $0.key.rawValue) }
    let lines = ["TRACE \(request.target) HTTP/1.1"] + fields.map { "\($0.key): \($0.value)" }
    let message = lines.map { "\($0)\r\n" }.joined() + "\r\n"
    return .status(200, headers: [.contentType: "message/http"], body: Data(message.utf8))
  }

  static func returned(_ head: HTTP.Response) -> HTTP.Headers {
    var headers = head.headers.endToEnd
    headers.add(.via, "1.1 \(pseudonym)")
    return headers
  }
}

extension HTTP.Response {
  /// The head without the fields that describe the compressed form of its body.
  fileprivate var withoutContentCoding: HTTP.Response {
    var response = self
    for key: HTTP.HeaderKey in [.contentEncoding, .contentLength] { response.headers.remove(key) }
    return response
  }

  /// The length of the body according to the fields; `nil` if they do not contain it.
  var statedLength: Int? {
    guard !headers.contains(.transferEncoding), case .bytes(let length) = headers.contentLength else { return nil }
    return length
  }
}

/// Records the exchanges of the proxy in a file, which is replaced while the proxy runs.
final class ProxyRecorder: Sendable {
  /// The minimum time between two versions of the file.
  private static let interval = Duration.milliseconds(300)

  private struct State {
    var hasChanged = false
    var hasFailed = false
  }

  private let recorder: HARRecorder
  private let file: URL
  private let console: Console
  private let state = Mutex(State())

  init(file: URL, console: Console) {
    self.file = file
    self.console = console
    // The limit of a body is that of the server for requests, and also applies to archived responses.
    recorder = HARRecorder(exchangeLimit: 100_000, sizeLimit: 1 << 30, bodySizeLimit: 64 << 20)
  }

  var interceptor: any Interceptor { recorder }

  func noteChange() {
    state.withLock { $0.hasChanged = true }
  }

  func run() async {
    let clock = ContinuousClock()
    var pause = Self.interval
    while true {
      do {
        try await clock.sleep(for: pause)
      } catch {
        return
      }
      guard state.withLock({ $0.hasChanged }) else { continue }
      // The file of a long recording takes longer to write, and is written less often.
      pause = max(Self.interval, clock.measure { _ = write() } * 10)
    }
  }

  /// Writes the exchanges so far. Returns false after printing the reason if the file cannot be written.
  func write() -> Bool {
    state.withLock { $0.hasChanged = false }
    do {
      try recorder.write(to: file)
      state.withLock { $0.hasFailed = false }
      return true
    } catch {
      let isFirst = state.withLock { state in
        defer { (state.hasFailed, state.hasChanged) = (true, true) }
        return !state.hasFailed
      }
      if isFirst { console.fail("the recording: \(error)") }
      return false
    }
  }
}

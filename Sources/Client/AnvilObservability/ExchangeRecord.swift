internal import AnvilBase
internal import AnvilBodies
internal import AnvilClient
internal import AnvilHTTP

struct ExchangeRecord: Sendable {
  let id: Int
  private let request: HTTP.Request
  private let requestBodyLength: Int?
  private let began: Date
  private let bodyLimit: Int
  /// The fields whose values are hidden, even if the archive's redaction shows them.
  private let sensitive: Set<HTTP.HeaderKey>
  private var response: HTTP.Response?
  private var body = Data()
  private var responseByteCount = 0
  private var failure: TransportError?
  private var wasAbandoned = false
  /// The result of converting the response to the requested value; `nil` if there is nothing to report.
  var outcome: HAR.Outcome?
  private let history: HTTP.History
  private var decisions: [(event: TransferEvent, elapsed: Duration)] = []
  private var metrics: TransferEvent.Metrics?
  private var headTime = Duration.zero
  private var time = Duration.zero

  init(
    id: Int, request: HTTP.Request, after history: HTTP.History, began: Date, bodyLimit: Int,
    sensitive: Set<HTTP.HeaderKey>
  ) {
    self.id = id
    self.history = history
    self.began = began
    self.bodyLimit = max(0, bodyLimit)
    self.sensitive = sensitive
    requestBodyLength = request.body.length
    var request = request
    if let length = requestBodyLength, length > self.bodyLimit {
      request.body = HTTP.Body(Data(), contentType: request.body.contentType)
    }
    self.request = request
  }

  /// The number of body bytes that are kept.
  var byteCount: Int { body.count + (request.body.data?.count ?? 0) }

  mutating func add(_ event: ExchangeObserver.Event) {
    switch event.kind {
    case .head(let response):
      self.response = response
      headTime = event.elapsed
    case .body(let chunk):
      responseByteCount += chunk.count
      body.append(chunk.prefix(bodyLimit - body.count))
    case .failed(let error): failure = error
    case .abandoned: wasAbandoned = true
    case .transfer(.finished(let metrics)): self.metrics = metrics
    case .transfer(let decision): decisions.append((decision, event.elapsed))
    case .started, .completed: break
    case .accepted, .undecodable, .rejected: return
    }
    if case .transfer = event.kind { return }
    time = event.elapsed
  }

  func entry(_ redaction: HTTP.Redaction) -> HAR.Entry {
    let redaction = redaction.hiding(sensitive)
    return HAR.Entry(
      startedDateTime: began.formatted(
        .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .colon)),
      time: time.milliseconds, request: requestPart(redaction), response: responsePart(redaction), timings: timings,
      serverIPAddress: metrics?.remoteAddress, comment: comment, _anvil: details(redaction))
  }

  private func details(_ redaction: HTTP.Redaction) -> HAR.Details? {
    var decisions = HAR.Decision.before(history, redaction)
    decisions += self.decisions.compactMap { HAR.Decision($0.event, at: $0.elapsed.milliseconds, redaction) }
    if let reason = response?.history.reasonForEnd {
      let kind = response?.status.isRedirection == true ? HAR.Decision.Kind.redirect : .retry
      decisions.append(HAR.Decision(kind: kind, text: reason, time: headTime.milliseconds))
    }
    let details = HAR.Details(
      attempt: history.attempts.isEmpty ? nil : history.attempts.count + 1,
      connection: metrics.map { $0.isConnectionReused ? "reused" : "new" },
      decisions: decisions.isEmpty ? nil : decisions, outcome: outcome)
    return details.isEmpty ? nil : details
  }

  private var comment: String? {
    let parts = [wasAbandoned ? "The body was not read to its end." : nil, outcome.map { "Outcome: \($0.text)." }]
    let text = parts.compactMap { $0 }.joined(separator: " ")
    return text.isEmpty ? nil : text
  }

  /// The protocol version as archives write it: `HTTP/1.1`, `HTTP/2`.
  private var version: String {
    switch metrics?.protocolName {
    case "h2": "HTTP/2"
    case let name?: name.uppercased()
    case nil: "unknown"
    }
  }

  private func requestPart(_ redaction: HTTP.Redaction) -> HAR.Request {
    let type = request.headers.contentType ?? request.body.contentType
    var fields = request.headers
    if let type, !fields.contains(.contentType) { fields.add(.contentType, type) }
    return HAR.Request(
      method: request.method.rawValue, url: redaction.shown(request.url), httpVersion: version,
      headers: redaction.archived(fields), queryString: queryItems(redaction),
      postData: requestBodyLength == 0 ? nil : postData(type, redaction), bodySize: requestBodyLength ?? -1)
  }

  private func queryItems(_ redaction: HTTP.Redaction) -> [HAR.Field] {
    let shown = redaction.shown(reference: request.url.absoluteString)
    guard let start = shown.firstIndex(of: "?") else { return [] }
    let query = shown[shown.index(after: start)...].prefix { $0 != "#" }
    return query.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        FormEncoding.decode($0.utf8) ?? String($0)
      }
      return HAR.Field(name: parts[0], value: parts.count > 1 ? parts[1] : "")
    }
  }

  private func postData(_ type: HTTP.HeaderValue?, _ redaction: HTTP.Redaction) -> HAR.PostData {
    var part = HAR.PostData(mimeType: type?.rawValue ?? "", text: "")
    guard let data = request.body.data else {
      part.comment = "The body is not in memory: \(request.body)."
      return part
    }
    guard requestBodyLength == data.count,
      let text = String(validating: redaction.shown(body: data, contentType: type), as: UTF8.self)
    else {
      part.comment = requestBodyLength == data.count ? "Not text." : "Too long to be recorded."
      return part
    }
    part.text = text
    return part
  }

  private func responsePart(_ redaction: HTTP.Redaction) -> HAR.Response {
    guard let response else {
      return HAR.Response(
        status: 0, statusText: "", httpVersion: version, headers: [],
        content: HAR.Content(size: 0, mimeType: "x-unknown"),
        redirectURL: "", bodySize: -1, _error: failure.map { "\($0)" })
    }
    let location = response.headers[.location].map { redaction.shown(HTTP.Headers.Field(.location, $0)) }
    return HAR.Response(
      status: response.code, statusText: response.status.reasonPhrase ?? "", httpVersion: version,
      headers: redaction.archived(response.headers), content: content(of: response, redaction),
      redirectURL: location ?? "", bodySize: metrics?.receivedByteCount ?? -1, _error: failure.map { "\($0)" })
  }

  private func content(of response: HTTP.Response, _ redaction: HTTP.Redaction) -> HAR.Content {
    let type = response.headers.contentType
    var content = HAR.Content(size: responseByteCount, mimeType: type?.rawValue ?? "x-unknown")
    guard responseByteCount > 0 else { return content }
    let isCut = responseByteCount > body.count
    if isCut { content.comment = "\(HARRecorder.cutBodyMark) \(body.count) bytes were recorded." }
    // A truncated document cannot be parsed, so its secrets cannot be found.
    if isCut, type?.isJSON == true || type?.isForm == true { return content }
    let decoded = isCut ? body : response.decoding(body, upTo: bodyLimit).body
    content.size += decoded.count - body.count
    let shown = redaction.shown(body: decoded, contentType: type)
    if let text = String(validating: shown, as: UTF8.self) {
      content.text = text
    } else {
      content.text = shown.base64EncodedString()
      content.encoding = "base64"
    }
    return content
  }

  /// The durations of the phases according to the metrics, which add up to ``time``. Without metrics, only the times before and after the
  /// response head.
  private var timings: HAR.Timings {
    var timings = HAR.Timings()
    guard let metrics else {
      let waited = response == nil ? time : headTime
      timings.wait = waited.milliseconds
      timings.receive = max(0, (time - waited).milliseconds)
      return timings
    }
    // The metrics are those of the last attempt. Before it, others may have failed.
    let begin = response == nil ? time - metrics.total : headTime - (metrics.firstByte ?? metrics.total)
    let blocked = begin > .milliseconds(1) ? begin : .zero
    if blocked > .zero { timings.blocked = blocked.milliseconds }
    var last = Duration.zero
    func step(to point: Duration?) -> Double? {
      guard let point else { return nil }
      defer { last = max(last, point) }
      return max(0, (point - last).milliseconds)
    }
    timings.dns = step(to: metrics.nameResolved) ?? -1
    timings.connect = step(to: metrics.connected) ?? -1
    if let ssl = step(to: metrics.secured) {
      timings.ssl = ssl
      // In the archive format the connect time includes the TLS handshake.
      timings.connect = max(0, timings.connect) + ssl
    }
    // Without a response, the rest of the time was spent waiting for it.
    timings.wait = step(to: metrics.firstByte ?? metrics.total) ?? 0
    // The body may be read later than it arrived.
    timings.receive = step(to: max(metrics.total, time - blocked)) ?? 0
    return timings
  }
}

extension HTTP.Redaction {
  func archived(_ headers: HTTP.Headers) -> [HAR.Field] {
    headers.map { HAR.Field(name: $0.key.rawValue, value: shown($0)) }
  }
}

extension Duration {
  fileprivate var milliseconds: Double {
    (self / .microseconds(1)).rounded() / 1000
  }
}

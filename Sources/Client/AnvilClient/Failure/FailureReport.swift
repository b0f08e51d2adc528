public import AnvilBase
internal import AnvilBodies
public import AnvilDiagnosis
public import AnvilHTTP
public import AnvilJSON

/// A report of why a request returned no model, which combines the details of the exchange and of decoding in one text.
///
///     do {
///       user = try await backend.execute(request)
///     } catch {
///       logger.error("\(FailureReport(error)?.line ?? "\(error)")")
///     }
///
/// ``description`` is the full form and ``line`` the form for logs. Both omit values that may be secret. ``json`` is for programs.
/// ``detailedDescription`` and ``rendered(_:)`` can show the complete URL and the values to authorized readers. Reports are values: two
/// failures of the same request for the same reason have equal reports if they took the same time.
public struct FailureReport: Sendable, Hashable {
  /// An attempt that failed and was followed by another.
  package struct Attempt: Hashable, Sendable {
    /// The result of the attempt, such as `503 Service Unavailable` or `timed out after 0.300 s waiting for the response`.
    package let outcome: String
    package let delay: Duration
  }

  /// The kind of failure, such as `decode.missing-key`, `http.404` or `transport.timed-out`.
  public let code: String
  /// The request's method; `nil` for an error that contains neither a request nor a response.
  package let method: HTTP.Method?
  /// The URL of the last request. Texts that are safe to log contain it without credentials, query values and fragment. `nil` for
  /// an error that contains neither a request nor a response.
  public let url: URL?
  /// The response's status; `nil` without a response.
  public let status: HTTP.Status?
  package let contentType: HTTP.HeaderValue?
  /// The number of bytes of the response's body that are in memory; `nil` without a response and for a streamed body.
  package let bodyLength: Int?
  /// The server's identifier of the exchange: its `X-Request-ID`, or another field that is common for it.
  package let requestID: String?
  /// The attempts that failed before the last one.
  package let attempts: [Attempt]
  package let redirections: [HTTP.History.Redirection]
  package let cacheOutcome: HTTP.History.CacheOutcome?
  /// The total duration of all attempts and waits.
  package let elapsed: Duration?
  /// The reason in a sentence, if there is no ``diagnosis``; safe to log.
  public let reason: String?
  /// The problems of a response's body that could not be decoded.
  public let diagnosis: JSON.Diagnosis?
  /// Advice about the exchange as a whole.
  public let hints: [String]

  /// The fields that servers use to identify an exchange, the most common first.
  package static let requestIDFields: [HTTP.HeaderKey] = [
    "X-Request-ID", "Request-ID", "X-Correlation-ID", "X-Amzn-RequestId", "X-Amz-Request-Id", "X-MS-Request-ID",
    "X-GitHub-Request-Id", "CF-Ray", "X-Trace-Id",
  ]

  /// Creates the report of an exchange that failed.
  package init(_ failure: TransportFailure) {
    let error = failure.error
    let isRedirect = error.code == .redirection && failure.response?.code != 304
    self.init(
      code: error.reportCode(failure.response), request: failure.response?.request ?? failure.request,
      response: failure.response, history: failure.history, elapsed: failure.elapsed,
      reason: error.isStatus ? error.reason ?? (isRedirect ? "not followed" : nil) : error.withoutHistory,
      diagnosis: nil)
  }

  /// Creates the report of a response that could not be decoded.
  ///
  /// - Parameter search: the extent of the search for problems in the body. The default finds the problems at which decoding stops.
  package init(_ failure: DecodingFailure, search: JSON.Diagnosis.Search = .asDecoded) {
    let response = failure.response
    let diagnosis: JSON.Diagnosis?
    let reason: String?
    switch failure {
    case .decodingError(let context):
      diagnosis = context.diagnosis(search)
      reason = diagnosis == nil ? "cannot decode \(context.failingTypeName): \(context.decodingError.summary)" : nil
    case .invalidEmptyResponse:
      diagnosis = nil
      reason = "expected no body, found \(response.body)"
    }
    self.init(
      code: DecodingFailure.code(diagnosis), request: response.request, response: response,
      history: response.history, elapsed: response.elapsed, reason: reason, diagnosis: diagnosis)
  }

  /// Creates the report of an error that executing a request threw; `nil` for an error that contains no information about an exchange.
  ///
  /// For an error of a caller's type, the result is the report of the failure that it returns
  /// (``TransportFailureRepresentable/underlyingTransportFailure``, ``DecodingFailureRepresentable/underlyingDecodingFailure``) or stores.
  /// It may store the failure as an associated value of a case or in a property, including those of a superclass and of another error that
  /// it contains. The type need not conform to any protocol. If it stores only a part of a failure, the report contains only what is known
  /// from this part: no URL for a ``TransportError``, the status for an `HTTP.Response`, the path for a `DecodingError`. An error that
  /// stores none of these, such as a case without values, has a report only if its `transportError` or `failureResponse` returns a value.
  ///
  /// - Parameter search: the extent of the search for problems in a body. The default finds the problems at which decoding stops.
  public init?(_ error: any Error, search: JSON.Diagnosis.Search = .asDecoded) {
    switch error {
    case let failure as TransportFailure: self.init(failure)
    case let failure as DecodingFailure: self.init(failure, search: search)
    case let error as AnyError: self.init(error.error, search: search)
    default:
      let representable = error as? any TransportFailureRepresentable
      let underlying = UnderlyingFailure(in: error)
      let decodingFailure = (error as? any DecodingFailureRepresentable)?.underlyingDecodingFailure
      let response = representable?.failureResponse ?? underlying.response
      if let failure = decodingFailure {
        self.init(failure, search: search)
      } else if let failure = representable?.underlyingTransportFailure ?? underlying.transportFailure {
        self.init(failure)
      } else if let failure = underlying.decodingFailure {
        self.init(failure, search: search)
      } else if let transportError = representable?.transportError ?? underlying.transportError {
        self.init(transportError, response)
      } else if let decodingError = underlying.decodingError {
        self.init(decodingError, response)
      } else if let response {
        self.init(TransportError(code: .other, reason: "\(type(of: error))"), response)
      } else {
        return nil
      }
    }
  }

  /// Creates the report of a transport error that was found without a ``TransportFailure``. `response` is the response that was found with
  /// it; `nil` if there was none.
  private init(_ error: TransportError, _ response: HTTP.Response?) {
    if let response {
      self.init(TransportFailure(error: error, request: response.request, response: response))
    } else {
      self.init(
        code: error.reportCode(nil), request: nil, response: nil, history: error.history, elapsed: error.elapsed,
        reason: error.isStatus ? error.reason : error.withoutHistory, diagnosis: nil)
    }
  }

  /// Creates the report of a decoding error that was found without a ``DecodingFailure``. `response` is the response that was found with
  /// it; `nil` if there was none. The requested type is not known, so the body is not searched for problems.
  private init(_ error: DecodingError, _ response: HTTP.Response?) {
    self.init(
      code: DecodingFailure.code(nil), request: response?.request, response: response,
      history: response?.history ?? HTTP.History(), elapsed: response?.elapsed,
      reason: "cannot decode the response: \(error.summary)", diagnosis: nil)
  }

  @inline(never)
  private init(
    code: String, request: HTTP.Request?, response: HTTP.Response?, history: HTTP.History, elapsed: Duration?,
    reason: String?, diagnosis: JSON.Diagnosis?
  ) {
    self.code = code
    method = request?.method
    url = request?.url
    status = response?.status
    contentType = response?.headers.contentType
    bodyLength = response.flatMap { $0.body.isEmpty ? 0 : $0.body.data?.count }
    requestID = response.flatMap { response in
      Self.requestIDFields.lazy.compactMap { response.headers[$0]?.rawValue }.first
    }
    attempts = history.attempts.map { Attempt(outcome: "\($0.outcome)", delay: $0.delay) }
    redirections = history.redirections
    cacheOutcome = history.cacheOutcome
    self.elapsed = elapsed
    self.reason = reason
    self.diagnosis = diagnosis
    hints = Self.pageHints(response, history, diagnosis) + Self.encodedSlashHints(response)
  }

  /// Returns a hint for a 404 whose path has an encoded slash or backslash. An encoded slash is data in a segment, but Apache
  /// (`AllowEncodedSlashes`) and Tomcat (`encodedSolidusHandling`) reject it by default, and some proxies decode it. Source: RFC 3986 §2.2.
  private static func encodedSlashHints(_ response: HTTP.Response?) -> [String] {
    guard let response, response.status == .clientError(.notFound) else { return [] }
    let path = response.request.url.path(percentEncoded: true).uppercased()
    let encoded = [("%2F", "slash"), ("%5C", "backslash")].first { path.contains($0.0) }
    guard let (code, name) = encoded else { return [] }
    return [
      "the path has an encoded \(name) (\(code)), which some servers and proxies refuse or decode: check that this server accepts it"
    ]
  }

  /// Returns a hint for a response whose body and media type are not JSON. The hint also mentions that a redirect led to the response, if
  /// this is the case.
  private static func pageHints(
    _ response: HTTP.Response?, _ history: HTTP.History, _ diagnosis: JSON.Diagnosis?
  ) -> [String] {
    guard let diagnosis, diagnosis.problems.first?.code == .syntax, let type = response?.headers.contentType,
      !type.isJSON
    else { return [] }
    let led = history.redirections.isEmpty ? "" : " (after a redirect)"
    return ["the response is \(type.rawValue.loggable), not JSON\(led)"]
  }
}

extension TransportError {
  /// A Boolean value that indicates whether the error is only a status.
  fileprivate var isStatus: Bool {
    switch code {
    case .redirection, .clientError, .serverError, .unknownStatus: true
    default: false
    }
  }

  fileprivate func reportCode(_ response: HTTP.Response?) -> String {
    guard isStatus, let status = response?.status.code ?? code.status else { return "transport.\(code.word)" }
    return "http.\(status)"
  }

  /// The description without the history, which the report shows on separate lines.
  fileprivate var withoutHistory: String {
    var error = self
    error.history = HTTP.History()
    return error.description
  }
}

extension TransportError.Code {
  /// The status of the code.
  var status: Int? {
    switch self {
    case .clientError(let status): status.code
    case .serverError(let status): status.code
    case .unknownStatus(let status): status
    default: nil
    }
  }

  /// The name of the code as in reports: `host-not-found` for ``TransportError/Code/hostNotFound``.
  fileprivate var word: String {
    guard self != .other else { return "failed" }
    return kind.rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
  }
}

extension FailureReport: CustomStringConvertible {
  /// The full form, safe to log. Its lines have at most 100 columns, unless a name is longer.
  public var description: String { rendered(JSON.Diagnosis.Style()) }

  /// The full form with the complete URL and the values of the body.
  public var detailedDescription: String { rendered(JSON.Diagnosis.Style(values: .shown)) }

  /// Returns the full form in `style`. The first line contains the request, the status, the media type, the size, the attempts and the
  /// time. Further details follow, then the problems of the body.
  public func rendered(_ style: JSON.Diagnosis.Style) -> String {
    var text = StyledText(width: style.columns)
    text.write("error[\(code)] ", .error)
    text.writeWords(exchange(style.values).printable, .strong, indentation: 2, breaking: .atSpaces)
    text.endLine()
    if let diagnosis {
      text.write("  \(diagnosis.title)")
      text.endLine()
    }
    func note(_ name: String, _ content: String) {
      text.write("  = ", .gutter)
      text.write("\(name): ", .strong)
      text.writeWords(content.printable, indentation: 4)
      text.endLine()
    }
    if let reason { note("reason", reason) }
    for (index, attempt) in attempts.enumerated() {
      note("attempt \(index + 1)", "\(attempt.outcome), then \(attempt.delay.shortDescription)")
    }
    for redirection in redirections {
      note("redirect", "\(redirection.method) \(shown(redirection.url, style.values)) → \(redirection.status)")
    }
    if let cacheOutcome { note("cache", cacheOutcome.rawValue) }
    if let requestID { note("request id", requestID.loggable) }
    for hint in hints { note("hint", hint) }
    diagnosis?.write(to: &text, style)
    return text.rendered(style.colors)
  }

  /// The form for logs, in one line, such as `decode.type-mismatch $[3].zip expected String found number @118:12 GET /users 200 (+1 more)`
  /// or `http.404 GET /users/1 404`.
  public var line: String {
    let path = url.map(HTTP.Redaction.shownPath(of:))
    let request = [method?.rawValue.printable, path?.printable, status.map { "\($0.code)" }].compactMap { $0 }
    if let diagnosis { return diagnosis.line(context: request.joined(separator: " ")) }
    let attempt = attempts.isEmpty ? nil : "attempt \(attempts.count + 1)"
    return [([code] + request).joined(separator: " "), reason?.printable, attempt].compactMap { $0 }.joined(
      separator: ", ")
  }

  /// Returns the request line and its outcome.
  private func exchange(_ values: JSON.Diagnosis.Style.Values) -> String {
    var text = "request unknown"
    if let method, let url { text = "\(method) \(shown(url, values))" }
    if let status { text += " → " + (status.isSuccess ? "\(status.code)" : "\(status)") }
    if let contentType { text += " \(contentType.rawValue.loggable)" }
    let details = [
      bodyLength.map { "\($0.grouped) B" }, "attempt \(attempts.count + 1)", elapsed.map(\.shortDescription),
    ]
    return text + " (\(details.compactMap { $0 }.joined(separator: ", ")))"
  }

  private func shown(_ url: URL, _ values: JSON.Diagnosis.Style.Values) -> String {
    values == .shown ? url.absoluteString.printable : url.redactedDescription
  }
}

extension FailureReport {
  /// The form for programs, safe to log: `code`, `message`, `method`, `url`, `status`, `contentType`, `bodyLength`, `requestID`,
  /// `attempts`, `redirections`, `cache`, `seconds`, `reason`, `hints` and `diagnosis`. Unknown members are omitted.
  public var json: JSON { json(.redacted) }

  /// Returns the form for programs, with the complete URL and the values of the body, or with both redacted, according to `values`.
  public func json(_ values: JSON.Diagnosis.Style.Values) -> JSON {
    func list(_ elements: [JSON]) -> JSON? { elements.isEmpty ? .none : .some(JSON(elements)) }
    let attempts = attempts.map { attempt in
      JSON.object([("outcome", JSON(attempt.outcome.printable)), ("delay", JSON(attempt.delay.inSeconds))])
    }
    let redirections = redirections.map { redirection in
      JSON.object(
        [
          ("method", JSON(redirection.method.rawValue)), ("url", JSON(shown(redirection.url, values))),
          ("status", JSON(redirection.status.code)),
        ])
    }
    return JSON.object(
      [
        ("code", JSON(code)),
        ("message", JSON(line)),
        ("method", method.map { JSON($0.rawValue.printable) }),
        ("url", url.map { JSON(shown($0, values)) }),
        ("status", status.map { JSON($0.code) }),
        ("contentType", contentType.map { JSON($0.rawValue.loggable) }),
        ("bodyLength", bodyLength.map { JSON($0) }),
        ("requestID", requestID.map { JSON($0.loggable) }),
        ("attempts", list(attempts)),
        ("redirections", list(redirections)),
        ("cache", cacheOutcome.map { JSON($0.rawValue) }),
        ("seconds", elapsed.map { JSON($0.inSeconds) }),
        ("reason", reason.map { JSON($0.printable) }),
        ("hints", list(hints.map { JSON($0.printable) })),
        ("diagnosis", diagnosis.map { $0.json(values) }),
      ])
  }
}

extension FailureReport: CustomReflectable {
  /// A mirror without children, so that `dump` shows no more than ``description``.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

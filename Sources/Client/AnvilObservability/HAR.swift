internal import AnvilBase
internal import AnvilClient
internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilJSON

/// The parts of an HTTP Archive that are written, with the property names of the format. Times are in milliseconds, sizes in bytes; -1
/// means unknown. Source: HTTP Archive 1.2 (Jan Odvarko), as browser developer tools read and write it.
struct HAR: Encodable {
  struct Log: Encodable {
    var version = "1.2"
    var creator: Creator
    var entries: [Entry]
  }

  struct Creator: Encodable {
    var name: String
    var version: String
  }

  struct Entry: Encodable {
    var startedDateTime: String
    var time: Double
    var request: Request
    var response: Response
    var cache = Empty()
    var timings: Timings
    var serverIPAddress: String?
    var comment: String?
    // The format leaves names that begin with an underscore to applications.
    var _anvil: Details?
  }

  struct Request: Encodable {
    var method: String
    var url: String
    var httpVersion: String
    var cookies: [Empty] = []
    var headers: [Field]
    var queryString: [Field]
    var postData: PostData?
    var headersSize = -1
    var bodySize: Int
  }

  struct Response: Encodable {
    var status: Int
    var statusText: String
    var httpVersion: String
    var cookies: [Empty] = []
    var headers: [Field]
    var content: Content
    var redirectURL: String
    var headersSize = -1
    var bodySize: Int
    // Browsers write this property for a request without a response.
    var _error: String?
  }

  struct Field: Encodable {
    var name: String
    var value: String
  }

  struct PostData: Encodable {
    var mimeType: String
    var text: String
    var comment: String?
  }

  struct Content: Encodable {
    var size: Int
    var mimeType: String
    var text: String?
    var encoding: String?
    var comment: String?
  }

  struct Timings: Encodable {
    var blocked = -1.0
    var dns = -1.0
    var connect = -1.0
    var ssl = -1.0
    var send = 0.0
    var wait = 0.0
    var receive = 0.0
  }

  struct Empty: Encodable {}

  var log: Log
}

extension HAR {
  /// The parts of an exchange for which the format has no property.
  struct Details: Encodable {
    /// The number of the attempt, at least 2; `nil` for the first attempt.
    var attempt: Int?
    /// `new` or `reused`; `nil` without metrics.
    var connection: String?
    /// The decisions of interceptors in the order in which they were made.
    var decisions: [Decision]?
    /// The result of converting the response to the requested value; `nil` if the conversion succeeded and there is nothing to report.
    var outcome: Outcome?

    var isEmpty: Bool { attempt == nil && connection == nil && decisions == nil && outcome == nil }
  }

  /// A decision of an interceptor: a retry, a redirect, an answer from a cache.
  struct Decision: Encodable {
    enum Kind: String, Encodable {
      case authentication, cache, informational, redirect, retry, trailers
    }

    var kind: Kind
    var text: String
    /// The trailer fields; `nil` for other decisions.
    var fields: [Field]?
    /// The time since the start of the exchange; `nil` for a decision that led to it.
    var time: Double?
  }

  struct Outcome: Encodable, Sendable {
    var level: String
    var text: String
    /// The problems of a body that could not be decoded, with their locations.
    var problems: [Problem]?
  }

  /// A problem of a body, described without the body's values.
  struct Problem: Encodable, Sendable {
    var code: String
    /// The JSON Pointer of the value or, if something is missing, of the container that lacks it. Source: RFC 6901.
    var pointer: String
    var line: Int
    var column: Int
    var text: String
    var hints: [String]?
  }
}

extension HAR.Outcome {
  /// Creates the outcome that `event` reports; `nil` if there is nothing to report.
  init?(_ event: ExchangeObserver.Event.Kind, _ summary: OutcomeSummary) {
    guard let text = summary.text?.printable else { return nil }
    self.init(level: "\(summary.level)", text: text)
    guard case .undecodable(.decodingError(let context)) = event else { return }
    problems = context.diagnosis?.problems.prefix(Self.mostProblems).map(HAR.Problem.init)
  }

  /// The maximum number of recorded problems. Every element of a long list may have the same problem.
  private static let mostProblems = 200
}

extension HAR.Problem {
  init(_ problem: JSON.Diagnosis.Problem) {
    self.init(
      code: problem.code.rawValue, pointer: problem.path.pointer, line: problem.location.line,
      column: problem.location.column, text: problem.summary(.redacted),
      hints: problem.hints.isEmpty ? nil : problem.hints)
  }
}

extension HAR.Decision {
  /// Creates the entry for an event that was reported `elapsed` milliseconds after the start; `nil` if the event is not a decision.
  init?(_ event: TransferEvent, at elapsed: Double, _ redaction: HTTP.Redaction) {
    switch event {
    case .retrying(let attempt): self.init(.retry, after: attempt)
    case .redirecting(let redirection): self.init(.redirect, redirection, redaction)
    case .authenticating(let scheme): self.init(kind: .authentication, text: "sent again with \(scheme.printable)")
    case .cached(let outcome): self.init(kind: .cache, text: outcome.rawValue)
    case .informational(let head): self.init(kind: .informational, text: "\(head.status)")
    case .trailers(let fields):
      let fields = redaction.archived(fields)
      self.init(
        kind: .trailers, text: fields.map { "\($0.name): \($0.value)" }.joined(separator: ", "), fields: fields)
    case .finished: return nil
    }
    time = elapsed
  }

  static func before(_ history: HTTP.History, _ redaction: HTTP.Redaction) -> [HAR.Decision] {
    history.redirections.map { HAR.Decision(.redirect, $0, redaction) }
      + history.attempts.map { HAR.Decision(.retry, after: $0) }
  }

  private init(_ kind: Kind, after attempt: HTTP.History.Attempt) {
    self.init(kind: kind, text: "sent again \(attempt.delay.shortDescription) after \(attempt.outcome)")
  }

  private init(_ kind: Kind, _ redirection: HTTP.History.Redirection, _ redaction: HTTP.Redaction) {
    self.init(
      kind: kind,
      text: "redirected by \(redirection.status) of \(redirection.method) \(redaction.shown(redirection.url))")
  }
}

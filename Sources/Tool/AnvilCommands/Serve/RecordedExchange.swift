internal import AnvilBodies
internal import AnvilHTTP
internal import Foundation

/// An exchange of a recording, in the form in which `anvil serve` compares and repeats it.
struct RecordedExchange: Sendable {
  /// The way in which a recorded exchange ended.
  enum Ending: Hashable, Sendable {
    /// The whole response was received.
    case complete
    /// The connection ended during the body.
    case cutShort
    /// The connection ended before the response.
    case lost
    /// The client stopped waiting before the response.
    case timedOut
    /// The response was received, but its body was not recorded.
    case withoutBody
  }

  let key: RequestKey
  /// The URL as recorded.
  let url: String
  let status: Int
  let headers: HTTP.Headers
  let body: Data
  let ending: Ending
  /// The duration until the end of the response, or zero if it is not known.
  let time: Duration

  /// A description of the reply for the log.
  var description: String {
    switch ending {
    case .complete: "\(status)"
    case .cutShort: "\(status), cut short"
    case .lost: "closed before the response"
    case .timedOut: "no response"
    case .withoutBody: "502, the body was not recorded"
    }
  }

  /// Creates an exchange from the parts of a recording.
  ///
  /// Fields that frame the message are removed, because the recorded body has neither framing nor compression. If the response cannot have
  /// a body, its `Content-Length` is that of the response to a GET request, and is kept. Fields that cannot be sent are also removed:
  /// pseudo-header fields of HTTP/2, redacted fields, and fields with an invalid name or value.
  init(
    key: RequestKey, url: String, status: Int, fields: [(name: String, value: String)], body: Data, ending: Ending,
    time: Duration
  ) {
    self.key = key
    self.url = url
    self.status = status
    self.body = body
    self.ending = ending
    self.time = time
    var headers = HTTP.Headers()
    for (name, value) in fields where !name.hasPrefix(":") && value != HTTP.Redaction.mark {
      // Browsers combine fields with the same name into one, with a line for each value.
      for line in value.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
        headers.add(HTTP.HeaderKey(rawValue: name), HTTP.HeaderValue(rawValue: String(line)))
      }
    }
    headers = headers.endToEnd
    let isBodiless = key.method == "HEAD" || status == 304
    if !isBodiless || headers.contentLength.isMalformed { headers.remove(.contentLength) }
    for key: HTTP.HeaderKey in [.contentEncoding, .transferEncoding] { headers.remove(key) }
    self.headers = HTTP.Headers(headers.filter { $0.key.isValid && $0.value.isValid })
  }
}

extension HTTP.Headers.ContentLength {
  fileprivate var isMalformed: Bool {
    if case .bytes = self { false } else { true }
  }
}

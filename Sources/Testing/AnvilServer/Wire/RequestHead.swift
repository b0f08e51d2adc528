internal import AnvilBase
internal import AnvilHTTP

/// A request line and header section, and the properties of the body and the connection that follow from them.
///
/// Parsing is strict, because the server is used to test clients. Syntax that RFC 9112 only permits a server to tolerate is rejected, with one
/// exception: a target may contain text beyond ASCII that is not percent-encoded, because many clients send it.
///
/// Source: RFC 9112 §3 (request line), §5 (fields), §6.3 (body length).
struct RequestHead {
  /// The way in which the end of the body is found.
  enum Framing {
    case length(Int)
    case chunked
  }

  private(set) var method: HTTP.Method
  private(set) var target: String
  private(set) var minorVersion: Int
  private(set) var headers = HTTP.Headers()

  /// A placeholder for a head that could not be read. A reply to it closes the connection.
  static let unreadable = RequestHead(method: .get, target: "/", minorVersion: 0)

  private init(method: HTTP.Method, target: String, minorVersion: Int) {
    self.method = method
    self.target = target
    self.minorVersion = minorVersion
  }

  /// Creates a head from the bytes of its request line, without the line end.
  init(requestLine line: [UInt8]) throws(BadRequest) {
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed("the request line must consist of method, target and version") }
    let method = String(decoding: parts[0], as: UTF8.self)
    // A method is a token, like the name of a field.
    guard HTTP.HeaderKey(rawValue: method).isValid else { throw .malformed("the method is not a token") }
    guard let target = String(validating: parts[1], as: UTF8.self), !target.isEmpty, !target.utf8.contains(0x23),
      !target.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw .malformed("the target is empty, not UTF-8, or contains a character that must be percent-encoded") }
    guard target.utf8.first == 0x2F || target == "*" || target.contains("://") || method == "CONNECT" else {
      throw .malformed("the target does not begin with a slash")
    }
    let version = Array(parts[2])
    guard version.count == 8, version.starts(with: "HTTP/".utf8), version[6] == 0x2E,
      (0x30...0x39).contains(version[5]), (0x30...0x39).contains(version[7])
    else { throw .malformed("the HTTP version does not have the form HTTP/1.1") }
    guard version[5] == 0x31 else { throw BadRequest(505, "the version is not HTTP/1") }
    self.init(method: HTTP.Method(rawValue: method), target: target, minorVersion: Int(version[7] - 0x30))
  }

  /// Adds the field in `line`, the bytes of a field line without the line end.
  mutating func addField(_ line: [UInt8]) throws(BadRequest) {
    let field = try Self.field(line)
    headers.add(field.key, field.value)
  }

  /// Returns the field in `line`, the bytes of a field line without the line end.
  static func field(_ line: [UInt8]) throws(BadRequest) -> HTTP.Headers.Field {
    guard let colon = line.firstIndex(of: 0x3A) else { throw .malformed("a header line has no colon") }
    let key = HTTP.HeaderKey(rawValue: String(decoding: line[..<colon], as: UTF8.self))
    guard key.isValid else { throw .malformed("a header name is not a token") }
    let value = HTTP.HeaderValue(
      rawValue: String(decoding: line[(colon + 1)...].trimmingBlanks, as: UTF8.self))
    guard value.isValid else { throw .malformed("a header value contains a control character") }
    return HTTP.Headers.Field(key, value)
  }

  /// True if the connection can be reused after this request.
  var isPersistent: Bool {
    minorVersion > 0 && !headers.hasToken("close", in: .connection)
  }

  /// True if the client waits for `100 Continue` before it sends the body. Source: RFC 9110 §10.1.1.
  var expectsContinue: Bool {
    minorVersion > 0 && headers.hasToken("100-continue", in: .expect)
  }

  /// Checks the complete head and returns the framing of the body.
  func framing() throws(BadRequest) -> Framing {
    if minorVersion > 0, headers.values(for: .host).count != 1 {
      throw .malformed("the request must have exactly one Host header")
    }
    if minorVersion > 0, headers.contains(.expect), !expectsContinue {
      throw BadRequest(417, "the only supported expectation is 100-continue")
    }
    guard headers.contains(.transferEncoding) else { return .length(try Self.length(headers.contentLength)) }
    guard minorVersion > 0 else { throw .malformed("HTTP/1.0 does not support Transfer-Encoding") }
    guard !headers.contains(.contentLength) else {
      throw .malformed("the request has both Content-Length and Transfer-Encoding")
    }
    guard headers.values(for: .transferEncoding).map({ $0.rawValue.lowercased() }) == ["chunked"] else {
      throw BadRequest(501, "the only supported transfer coding is chunked")
    }
    return .chunked
  }

  private static func length(_ stated: HTTP.Headers.ContentLength) throws(BadRequest) -> Int {
    switch stated {
    case .none: return 0
    case .bytes(let length): return length
    case .contradictory: throw .malformed("the Content-Length headers differ")
    case .malformed(let value):
      guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw .malformed("the Content-Length is not a number")
      }
      // A number too large for `Int` is treated as the largest `Int`.
      return .max
    }
  }
}

/// The rejection of a request: the response's status, and a reason without characters that JSON escapes.
struct BadRequest: Error {
  let status: HTTP.Status
  let reason: String

  init(_ status: HTTP.Status, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  static func malformed(_ reason: String) -> BadRequest {
    BadRequest(400, reason)
  }
}

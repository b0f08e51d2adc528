internal import AnvilBase

extension HTTP {
  /// The value of one header field line.
  ///
  /// Any string is accepted, so that external text never traps. A value with a control character such as a carriage return, line feed
  /// or NUL would split the message: sending it fails with an error that names the field. ``HTTP/Request/validate()`` checks it
  /// beforehand.
  ///
  /// Source: RFC 9110 §5.5.
  public struct HeaderValue: RawRepresentable, Hashable, Sendable, ExpressibleByStringInterpolation,
    CustomStringConvertible
  {
    /// The value as it was written, without trimming.
    ///
    /// A received value that is not UTF-8 is read as Latin-1. In a `Set-Cookie`, an `ETag` or a `Location`, `CurlSession` represents each byte
    /// that is not ASCII by a scalar from U+EF80 to U+EFFF instead, and sends the byte for such a scalar, so that servers get back the bytes that
    /// they have sent.
    public let rawValue: String

    /// Creates a value from `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a value from a literal or an interpolation.
    public init(stringLiteral value: String) {
      self.init(rawValue: value)
    }

    /// The value as it was written. It may contain a secret: messages redact their header values when printed.
    public var description: String { rawValue }

    /// A Boolean value that indicates whether the value has no control character other than a tab.
    package var isValid: Bool { firstInvalidByte == nil }

    /// The number of UTF-8 bytes before the first control character; `nil` if the value has no control character.
    package var firstInvalidByte: Int? {
      if rawValue.allBytes(satisfy: { !$0.isFieldControl }) { return nil }
      return rawValue.utf8.enumerated().first { $1.isFieldControl }?.offset
    }
  }
}

/// Values that a client sends back, such as those of cookies and entity tags, in another encoding than UTF-8.
extension HTTP.HeaderValue {
  /// The scalars that stand for the bytes 0x80 to 0xFF. They are for private use, and their lowest eight bits are the byte.
  private static let scalarsOfBytes: ClosedRange<UInt32> = 0xEF80...0xEFFF

  /// Creates a value of which ``bytes`` are exactly `bytes`. Each byte of a value that is not UTF-8, and is not ASCII, becomes a scalar for
  /// private use. Source: RFC 9110 §5.5, where such bytes are opaque data.
  package init(opaque bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self), !Self.containsBytes(text) {
      self.init(rawValue: text)
      return
    }
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      scalars.append((byte < 0x80 ? nil : Unicode.Scalar(0xEF00 | UInt32(byte))) ?? Unicode.Scalar(byte))
    }
    self.init(rawValue: String(scalars))
  }

  /// The bytes as they are sent: those of the text in UTF-8, with a single one for each scalar that stands for a byte.
  package var bytes: [UInt8] {
    guard Self.containsBytes(rawValue) else { return Array(rawValue.utf8) }
    return rawValue.unicodeScalars.flatMap { scalar in
      Self.scalarsOfBytes.contains(scalar.value)
        ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  private static func containsBytes(_ text: String) -> Bool {
    !text.allBytes { $0 < 0x80 } && text.unicodeScalars.contains { scalarsOfBytes.contains($0.value) }
  }
}

extension HTTP.HeaderValue {
  /// `application/json`
  public static let applicationJSON = HTTP.HeaderValue(rawValue: "application/json")
  /// `application/merge-patch+json`. Source: RFC 7396.
  package static let applicationMergePatchJSON = HTTP.HeaderValue(rawValue: "application/merge-patch+json")
  /// `application/x-www-form-urlencoded`
  public static let applicationFormURLEncoded = HTTP.HeaderValue(rawValue: "application/x-www-form-urlencoded")
  /// `application/octet-stream`
  public static let applicationOctetStream = HTTP.HeaderValue(rawValue: "application/octet-stream")
  /// `application/problem+json`. Source: RFC 9457.
  public static let applicationProblemJSON = HTTP.HeaderValue(rawValue: "application/problem+json")
  /// `multipart/form-data`, without the boundary that a body of this type needs.
  package static let multipartForm = HTTP.HeaderValue(rawValue: "multipart/form-data")
  /// `text/plain`
  public static let textPlain = HTTP.HeaderValue(rawValue: "text/plain")
  /// The content coding `br`. Source: RFC 7932.
  package static let encodingBr = HTTP.HeaderValue(rawValue: "br")
  package static let encodingDeflate = HTTP.HeaderValue(rawValue: "deflate")
  /// The content coding `gzip`.
  package static let encodingGzip = HTTP.HeaderValue(rawValue: "gzip")
  /// The content coding `identity`: no coding.
  package static let encodingIdentity = HTTP.HeaderValue(rawValue: "identity")
  /// The content coding `zstd`. Source: RFC 8878.
  package static let encodingZstd = HTTP.HeaderValue(rawValue: "zstd")

  /// Returns the value of `Authorization` for Basic credentials; `nil` if `username` contains a colon, which the scheme does not allow.
  ///
  /// Source: RFC 7617 §2, with the UTF-8 charset.
  public static func authorizationBasic(username: String, password: String) -> HTTP.HeaderValue? {
    guard !username.utf8.contains(.colon) else { return nil }
    return HTTP.HeaderValue(rawValue: "Basic \(Data("\(username):\(password)".utf8).base64EncodedString())")
  }

  /// Returns the value of `Authorization` for a bearer token. Source: RFC 6750 §2.1.
  public static func authorizationBearer(token: String) -> HTTP.HeaderValue {
    HTTP.HeaderValue(rawValue: "Bearer \(token)")
  }

  /// Whether this media type is `application/json`, `text/json`, or ends in `+json`. Source: RFC 6839 §3.1.
  package var isJSON: Bool {
    let type = mediaType
    return type == "application/json" || type == "text/json" || type.hasSuffix("+json")
  }

  /// Whether this media type excludes that the content is one or more JSON values: that of a page, of other text, of XML, of a form or of
  /// media.
  ///
  /// General types do not exclude JSON, because many servers send it as `text/plain` or `application/octet-stream`. Neither do types of
  /// applications that are not known, which may be based on JSON.
  package var excludesJSON: Bool {
    let type = mediaType
    guard !type.contains("json"), type != "text/plain", type != "text/javascript" else { return false }
    switch type.prefix(while: { $0 != "/" }) {
    case "text", "image", "audio", "video", "font", "multipart": return true
    default: return type == "application/xml" || type.hasSuffix("+xml") || type == "application/pdf" || isForm
    }
  }

  package var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }

  package var isEventStream: Bool { mediaType == "text/event-stream" }

  package var isMultipart: Bool { mediaType.hasPrefix("multipart/") }

  /// Returns the first parameter named `name`, which must be in lower case. The result has no quotation marks; it is `nil` if the
  /// parameter is missing or its closing quotation mark is missing.
  ///
  /// Source: RFC 9110 §5.6.6. Parsing is lenient: a value that needs quotation marks but lacks them ends at a semicolon or a space.
  package func parameter(_ name: String) -> String? {
    var scanner = FieldScanner(rawValue)
    _ = scanner.text { $0 != .semicolon }
    while scanner.take(";") {
      scanner.skipBlanks()
      let key = scanner.token()?.lowercased()
      scanner.skipBlanks()
      if scanner.take("=") {
        scanner.skipBlanks()
        let isQuoted = scanner.next == .quote
        let value =
          scanner.quotedString() ?? (isQuoted ? nil : scanner.text { $0 != .semicolon && $0 != .space && $0 != .tab })
        if key == name { return value }
      }
      _ = scanner.text { $0 != .semicolon }
    }
    return nil
  }

  /// The type and subtype in lower case, without parameters.
  package var mediaType: String {
    rawValue.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
  }
}

extension HTTP.Headers {
  /// The value of `Content-Type`. If a message has several values, this is the last one that is a media type, as in other clients;
  /// otherwise it is the value as it is. Source: RFC 9110 §8.3; the Fetch standard, "extract a MIME type".
  package var contentType: HTTP.HeaderValue? {
    guard let value = self[.contentType] else { return nil }
    if value.rawValue.allBytes(satisfy: { $0 != .comma }) { return value }
    let types = FieldScanner.elements(in: value.rawValue).lazy.map(HTTP.HeaderValue.init(rawValue:))
    return types.last(where: \.isMediaType) ?? value
  }
}

extension HTTP.HeaderValue {
  /// Source: RFC 9110 §8.3.1.
  fileprivate var isMediaType: Bool {
    var scanner = FieldScanner(mediaType)
    return scanner.token() != nil && scanner.take("/") && scanner.token() != nil && scanner.isAtEnd
  }
}

extension HTTP.Headers {
  /// Whether the fields determine the end of an HTTP/1 body. Otherwise it ends with the connection. Source: RFC 9112 §6.3.
  package var delimitBody: Bool { contains(.contentLength) || contains(.transferEncoding) }

  /// A description of contradictory or malformed framing fields; `nil` if the fields are consistent. Source: RFC 9112 §6.3.
  package var framingConflict: String? {
    switch contentLength {
    case .none: nil
    case .contradictory(let lengths):
      "Content-Length has the values \(lengths.joined(separator: " and ").loggable)"
    case _ where contains(.transferEncoding): "both Content-Length and Transfer-Encoding are present"
    case .bytes: nil
    case .malformed(let value): "Content-Length is not a valid length: \(value.loggable)"
    }
  }
}

extension HTTP.Headers {
  /// The content length that the fields state. Source: RFC 9110 §8.6, RFC 9112 §6.3.
  package enum StatedLength: Hashable, Sendable {
    /// No length.
    case none
    /// A number of bytes. If there are several values, all are the same.
    case bytes(Int)
    /// Different values, sorted as text.
    case contradictory([String])
    /// A value that is not a length: it has other characters than digits, or is larger than the maximum integer.
    case malformed(String)
  }

  /// The length stated by all `Content-Length` lines.
  package var statedLength: StatedLength {
    let lines = values(for: .contentLength)
    // The common case, one line with one number, needs no set and no list.
    if lines.count == 1, let value = lines.first?.rawValue, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let length = Int(value)
    {
      return .bytes(length)
    }
    let values = Set(elements(of: .contentLength))
    guard let value = values.first else { return lines.isEmpty ? .none : .malformed("") }
    guard values.count == 1 else { return .contradictory(values.sorted()) }
    guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(value) else {
      return .malformed(value)
    }
    return .bytes(length)
  }

  /// A description of contradictory or malformed framing fields; `nil` if the fields are consistent. Source: RFC 9112 §6.3.
  package var lengthContradiction: String? {
    switch statedLength {
    case .none: nil
    case .contradictory(let lengths):
      "Content-Length has the values \(lengths.joined(separator: " and ").loggable)"
    case _ where contains(.transferEncoding): "both Content-Length and Transfer-Encoding are present"
    case .bytes: nil
    case .malformed(let value): "Content-Length is \(value.loggable)"
    }
  }
}

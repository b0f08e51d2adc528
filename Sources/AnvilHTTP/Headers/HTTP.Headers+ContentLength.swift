extension HTTP.Headers {
  /// What the fields say about the content's length. Source: RFC 9110 §8.6, RFC 9112 §6.3.
  package enum StatedLength: Hashable, Sendable {
    /// Nothing.
    case none
    /// So many bytes; the same in every line and list.
    case bytes(Int)
    /// Different values, in no order.
    case contradictory([String])
    /// What is no length: not digits only, or more than there can be.
    case malformed(String)
  }

  /// What `Content-Length` says, in however many lines.
  package var statedLength: StatedLength {
    let lines = values(for: .contentLength)
    // Most have one line with one number, which takes no set and no list.
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

  /// Why what the fields say about the body's framing cannot be true; `nil` where it can. Source: RFC 9112 §6.3.
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

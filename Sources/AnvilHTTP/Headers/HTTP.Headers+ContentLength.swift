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
    let values = Set(lines.flatMap { Self.elements(of: $0) })
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

  /// The content codings, in lower case and in the order in which they were applied, without those that do nothing.
  ///
  /// Source: RFC 9110 §8.4.
  package var contentCodings: [String] {
    values(for: .contentEncoding).flatMap { Self.elements(of: $0) }.map { $0.lowercased() }.filter { $0 != "identity" }
  }

  /// The elements of a list, without the blanks around them and without empty ones. Source: RFC 9110 §5.6.1.
  private static func elements(of value: HTTP.HeaderValue) -> [String] {
    value.rawValue.utf8.split(separator: UInt8(ascii: ",")).map { element in
      let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
      let start = element.drop(while: isBlank)
      return String(decoding: start.dropLast(start.reversed().prefix(while: isBlank).count), as: UTF8.self)
    }.filter { !$0.isEmpty }
  }
}

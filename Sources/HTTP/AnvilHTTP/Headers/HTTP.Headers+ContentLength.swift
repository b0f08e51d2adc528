internal import AnvilBase

extension HTTP.Headers {
  /// The value of `Content-Length`. Source: RFC 9110 §8.6, RFC 9112 §6.3.
  package enum ContentLength: Hashable, Sendable {
    /// The field is missing.
    case none
    /// A number of bytes. If the field has several values, they are equal.
    case bytes(Int)
    /// Different values, sorted as text.
    case contradictory([String])
    /// A value that is not a length: it has other characters than digits, or is larger than the maximum integer.
    case malformed(String)
  }

  /// The value of all `Content-Length` lines together.
  package var contentLength: ContentLength {
    guard let line = firstLine(named: .contentLength) else { return .none }
    // The common case, one line with one number, needs no set and no list.
    let text = line.value.rawValue
    if line.isOnly, text.allBytes(satisfy: { (0x30...0x39).contains($0) }), let length = Int(text) {
      return .bytes(length)
    }
    let values = Set(elements(of: .contentLength))
    guard let value = values.first else { return .malformed("") }
    guard values.count == 1 else { return .contradictory(values.sorted()) }
    guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(value) else {
      return .malformed(value)
    }
    return .bytes(length)
  }
}

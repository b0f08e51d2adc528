extension UInt8 {
  /// A Boolean value that indicates whether the byte is a space or a tab. Source: RFC 9110 §5.6.3.
  @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without leading and trailing spaces and tabs. Source: RFC 9110 §5.6.3.
  package var trimmingBlanks: SubSequence {
    guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank })
    else { return self[startIndex..<startIndex] }
    return self[first...last]
  }
}

extension String {
  /// The text without leading and trailing spaces and tabs. Source: RFC 9110 §5.6.3.
  package var trimmingBlanks: String {
    guard let first = utf8.first, let last = utf8.last, first.isBlank || last.isBlank else { return self }
    return String(decoding: utf8.trimmingBlanks, as: UTF8.self)
  }
}

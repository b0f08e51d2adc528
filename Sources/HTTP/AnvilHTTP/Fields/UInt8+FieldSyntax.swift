internal import AnvilBase

extension UInt8 {
  /// A Boolean value that indicates whether the byte is allowed in a token.
  ///
  /// Inlinable, because transports in other modules test each byte of a response's field names.
  ///
  /// Source: RFC 9110 §5.6.2.
  @inlinable package var isHTTPTokenByte: Bool {
    // One bit for each character: below "@" marks and digits, then letters and the other marks.
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    return self < 0x40 ? low >> UInt64(self) & 1 == 1 : self < 0x80 && high >> UInt64(self - 0x40) & 1 == 1
  }

  /// A Boolean value that indicates whether the byte is a control character, which field values must not contain. A tab is not, because it
  /// is allowed.
  ///
  /// Source: RFC 9110 §5.5.
  @inlinable package var isFieldControl: Bool { self < 0x20 ? self != 0x09 : self == 0x7F }

  /// True for the control characters of ASCII, including the tab. Field values may contain tabs, but those of cookies may not: a tab separates
  /// the fields of a line in Netscape's format for files of cookies.
  package var isControl: Bool { self < 0x20 || self == 0x7F }

  /// The byte with an upper-case ASCII letter in lower case.
  var asciiLowercased: UInt8 {
    (0x41...0x5A).contains(self) ? self | 0x20 : self
  }
}

extension String {
  /// A Boolean value that indicates whether the string is a token, as are methods and field names. Source: RFC 9110 §5.6.2.
  var isHTTPToken: Bool {
    !utf8.isEmpty && allBytes { $0.isHTTPTokenByte }
  }
}

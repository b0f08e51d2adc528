/// Percent-encoding of names and values in URL forms. It differs from that of URIs: a space is `+`.
///
/// Source: the URL standard, "application/x-www-form-urlencoded".
package enum FormEncoding {
  /// Returns `text` in UTF-8: letters, digits and `*-._` unchanged, a space as `+`, and all other bytes as `%XX`.
  package static func encode(_ text: String) -> String {
    var encoded = ""
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F:
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      case 0x20: encoded.append("+")
      default: PercentEncoding.append(byte, to: &encoded)
      }
    }
    return encoded
  }

  /// Decodes `bytes`, where `+` is a space. Returns `nil` if the result is not UTF-8.
  package static func decode(_ bytes: some Sequence<UInt8>) -> String? {
    String(validating: self.bytes(bytes), as: UTF8.self)
  }

  /// Returns the decoded bytes. A `+` is a space. A `%` that is not followed by two hexadecimal digits is kept.
  package static func bytes(_ encoded: some Sequence<UInt8>) -> [UInt8] {
    PercentEncoding.decode(encoded.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
  }
}

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension URLForm {
  /// `text` in UTF-8: letters, digits and `*-._` as they are, a space as `+`, every other byte as `%XX`.
  static func percentEncoded(_ text: String) -> String {
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

  /// The text that `bytes` spell, `+` being a space; `nil` when it is not UTF-8.
  ///
  /// A `%` without two hexadecimal digits behind it stands for itself.
  package static func percentDecoded(_ bytes: Data) -> String? {
    let spaced = bytes.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(validating: PercentEncoding.decode(spaced), as: UTF8.self)
  }
}

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Body {
  /// Name–value pairs as a URL form, in their order, of type `application/x-www-form-urlencoded`.
  ///
  ///     .urlForm(["grant_type": "password", "scope": "read", "scope": "write"])
  ///
  /// Source: the URL standard, "application/x-www-form-urlencoded serializing".
  public static func urlForm(_ fields: KeyValuePairs<String, String>) -> HTTP.Body {
    urlForm(fields.map { ($0.key, $0.value) })
  }

  /// Name–value pairs as a URL form, in their order, of type `application/x-www-form-urlencoded`.
  ///
  /// Source: the URL standard, "application/x-www-form-urlencoded serializing".
  public static func urlForm(_ fields: [(String, String)]) -> HTTP.Body {
    let pairs = fields.map { "\(URLForm.encode($0))=\(URLForm.encode($1))" }
    return HTTP.Body(Data(pairs.joined(separator: "&").utf8), contentType: .applicationFormURLEncoded)
  }
}

/// The percent-encoding of URL forms.
enum URLForm {
  /// `text` in UTF-8: letters, digits and `*-._` as they are, a space as `+`, every other byte as `%XX`.
  static func encode(_ text: String) -> String {
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
}

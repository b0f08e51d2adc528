extension HTTP.HeaderValue {
  /// Whether this media type is JSON: `application/json`, `text/json`, or any that ends in `+json`. Source: RFC 6839 §3.1.
  package var isJSON: Bool {
    let type = mediaType
    return type == "application/json" || type == "text/json" || type.hasSuffix("+json")
  }

  /// Whether this media type is a URL form's.
  package var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }

  /// Whether this media type is that of a body in parts.
  package var isMultipart: Bool { mediaType.hasPrefix("multipart/") }

  /// Returns the first parameter called `name`, which is in lower case, without quotation marks; `nil` where there is none or its
  /// quotation mark has no end.
  ///
  /// Source: RFC 9110 §5.6.6, and lenient: a value that needs quotation marks and has none ends at a semicolon or a blank.
  package func parameter(_ name: String) -> String? {
    var scanner = FieldScanner(rawValue)
    _ = scanner.text { $0 != 0x3B }
    while scanner.take(";") {
      scanner.skipBlanks()
      let key = scanner.token()?.lowercased()
      scanner.skipBlanks()
      if scanner.take("=") {
        scanner.skipBlanks()
        let isQuoted = scanner.next == 0x22
        let value = scanner.quotedString() ?? (isQuoted ? nil : scanner.text { $0 != 0x3B && $0 != 0x20 && $0 != 0x09 })
        if key == name { return value }
      }
      _ = scanner.text { $0 != 0x3B }
    }
    return nil
  }

  /// Type and subtype in lower case, without parameters.
  package var mediaType: String {
    rawValue.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
  }
}

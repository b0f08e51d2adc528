extension HTTP.HeaderValue {
  /// A Boolean value that indicates whether this media type is JSON: `application/json`, `text/json`, or any that ends in `+json`.
  /// Source: RFC 6839 §3.1.
  package var isJSON: Bool {
    let type = mediaType
    return type == "application/json" || type == "text/json" || type.hasSuffix("+json")
  }

  /// A Boolean value that indicates whether this media type is `application/x-www-form-urlencoded`.
  package var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }

  /// A Boolean value that indicates whether this media type is `text/event-stream`.
  package var isEventStream: Bool { mediaType == "text/event-stream" }

  /// A Boolean value that indicates whether this media type is a multipart type.
  package var isMultipart: Bool { mediaType.hasPrefix("multipart/") }

  /// Returns the first parameter named `name`, which must be in lower case. The result has no quotation marks; it is `nil` if the
  /// parameter is missing or its closing quotation mark is missing.
  ///
  /// Source: RFC 9110 §5.6.6. Parsing is lenient: a value that needs quotation marks but lacks them ends at a semicolon or a space.
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

  /// The type and subtype in lower case, without parameters.
  package var mediaType: String {
    rawValue.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
  }
}

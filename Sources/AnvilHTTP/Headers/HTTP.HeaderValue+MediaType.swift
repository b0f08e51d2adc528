extension HTTP.HeaderValue {
  /// Whether this media type is JSON: `application/json`, `text/json`, or any that ends in `+json`. Source: RFC 6839 §3.1.
  package var isJSON: Bool {
    let type = mediaType
    return type == "application/json" || type == "text/json" || type.hasSuffix("+json")
  }

  /// Whether this media type is a URL form's.
  package var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }

  /// Type and subtype in lower case, without parameters.
  package var mediaType: String {
    rawValue.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
  }
}

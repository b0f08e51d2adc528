extension HTTP.Headers {
  /// Returns the unparsed elements of the list field `key`, of all its lines in order.
  ///
  /// See ``FieldScanner/elements(in:quoting:)``.
  package func elements(of key: HTTP.HeaderKey, quoting: FieldScanner.Quoting = .quotedStrings) -> [String] {
    values(for: key).flatMap { FieldScanner.elements(in: $0.rawValue, quoting: quoting) }
  }

  /// Returns whether the list field `key` contains `token`, which must be in lower case. The case of the field's value is ignored.
  package func hasToken(_ token: String, in key: HTTP.HeaderKey) -> Bool {
    elements(of: key).contains { $0.lowercased() == token }
  }
}

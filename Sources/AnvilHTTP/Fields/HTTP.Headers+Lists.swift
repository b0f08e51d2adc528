extension HTTP.Headers {
  /// Returns the elements of the list field `key`, of all its lines in their order, as they are written.
  ///
  /// See ``FieldScanner/elements(in:quoting:)``.
  package func elements(of key: HTTP.HeaderKey, quoting: FieldScanner.Quoting = .quotedStrings) -> [String] {
    values(for: key).flatMap { FieldScanner.elements(in: $0.rawValue, quoting: quoting) }
  }

  /// Whether the list field `key` contains `token`, which is in lower case. The field's case is ignored.
  package func hasToken(_ token: String, in key: HTTP.HeaderKey) -> Bool {
    elements(of: key).contains { $0.lowercased() == token }
  }
}

extension HTTP.Headers {
  /// The content codings, in lower case and in the order in which they were applied, without `identity`.
  ///
  /// Source: RFC 9110 §8.4.
  package var contentCodings: [String] {
    elements(of: .contentEncoding).map { $0.lowercased() }.filter { $0 != "identity" }
  }
}

extension String {
  /// The text without the scheme and the authority of a URL: its path, query and fragment, as they were written. Other texts are unchanged.
  ///
  /// Source: RFC 3986 §3; RFC 9112 §3.2.2, for URLs as request targets.
  package var withoutOrigin: Substring {
    guard let mark = firstRange(of: "://"), URIReference.isScheme(utf8[..<mark.lowerBound]) else { return self[...] }
    let rest = self[mark.upperBound...]
    return rest[(rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex)...]
  }
}

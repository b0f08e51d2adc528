public import AnvilBase

extension HTTP {
  /// A link in the `Link` field of a response: a target and its relation to the response.
  ///
  /// Source: RFC 8288 §3.
  public struct Link: Hashable, Sendable {
    /// The target as it was sent: an absolute URL, or one relative to the URL of the response.
    public var reference: String
    /// The relation types in lower case, such as `next`. A link can have several.
    public var relations: [String]
    /// The other parameters, with names in lower case. If a name is repeated, the first value is used.
    public var parameters: [String: String]

    package init(reference: String, relations: [String], parameters: [String: String] = [:]) {
      self.reference = reference
      self.relations = relations
      self.parameters = parameters
    }

    /// Returns the target's URL, resolved against `base`. Returns `nil` for an HTTP target without a host, and for an invalid port.
    ///
    /// Percent-encoding is kept. A character that is not allowed in a URL becomes `%XX`.
    ///
    /// Source: RFC 3986 §5.2.
    public func url(relativeTo base: URL) -> URL? {
      URIReference(reference).resolved(against: URIReference(base.absoluteString)).url
    }
  }
}

extension HTTP.Headers {
  /// The links of all `Link` lines, in order. Links that violate the grammar, and links from a resource other than the response
  /// (`anchor`), are left out.
  ///
  /// Source: RFC 8288 §3, appendix B.2.
  public var links: [HTTP.Link] {
    values(for: .link).flatMap { HTTP.Link.links(in: $0.rawValue) }
  }
}

extension HTTP.Link {
  fileprivate static func links(in text: String) -> [HTTP.Link] {
    var scanner = FieldScanner(text)
    var links: [HTTP.Link] = []
    scanner.forEachElement { scanner in
      if let link = scanner.link(), link.parameters["anchor"] == nil { links.append(link) }
    }
    return links
  }
}

extension FieldScanner {
  fileprivate mutating func link() -> HTTP.Link? {
    guard take("<") else { return nil }
    let reference = text { $0 != .greaterThan } ?? ""
    guard take(">") else { return nil }
    var link = HTTP.Link(reference: reference, relations: [])
    var hasRelations = false
    skipBlanks()
    while take(";") {
      skipBlanks()
      guard let name = token()?.lowercased() else { continue }
      skipBlanks()
      var value = ""
      if take("=") {
        skipBlanks()
        // Some servers omit required quotation marks.
        value = quotedString() ?? text { $0 != .semicolon && $0 != .comma && $0 != .space && $0 != .tab } ?? ""
      }
      skipBlanks()
      if name == "rel" {
        // Only the first `rel` parameter counts.
        if !hasRelations { link.relations = value.lowercased().split(separator: " ").map(String.init) }
        hasRelations = true
      } else if link.parameters[name] == nil {
        link.parameters[name] = value
      }
    }
    return link
  }
}

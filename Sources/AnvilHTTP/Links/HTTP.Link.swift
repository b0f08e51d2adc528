#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// A link that a response's `Link` field has: where it leads, and what that is to the response.
  ///
  /// Source: RFC 8288 §3.
  public struct Link: Hashable, Sendable {
    /// Where it leads, as it was sent: a whole URL, or one relative to the response's.
    public var reference: String
    /// What is there, in lower case, `next` for one: several for a link that has several relations.
    public var relations: [String]
    /// The other parameters by name in lower case; of one that is there several times the first.
    public var parameters: [String: String]

    /// A link to `reference`.
    public init(reference: String, relations: [String], parameters: [String: String] = [:]) {
      self.reference = reference
      self.relations = relations
      self.parameters = parameters
    }

    /// Returns the target's URL, resolved against `base`; `nil` for an HTTP target without a host, and for an invalid port.
    ///
    /// What is percent-encoded stays as it is. A character that a URL cannot contain becomes `%XX`.
    ///
    /// Source: RFC 3986 §5.2.
    public func url(relativeTo base: URL) -> URL? {
      URIReference(reference).resolved(against: URIReference(base.absoluteString)).url
    }
  }
}

extension HTTP.Headers {
  /// The links of all `Link` lines, in their order; what does not follow the field's grammar is left out, and so are links that
  /// are about something else than the response (`anchor`).
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
  /// `<reference>; name=value; …`
  fileprivate mutating func link() -> HTTP.Link? {
    guard take("<") else { return nil }
    let reference = text { $0 != 0x3E } ?? ""
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
        // Some servers leave out quotation marks that they would need.
        value = quotedString() ?? text { $0 != 0x3B && $0 != 0x2C && $0 != 0x20 && $0 != 0x09 } ?? ""
      }
      skipBlanks()
      if name == "rel" {
        // Those that follow the first are to be ignored.
        if !hasRelations { link.relations = value.lowercased().split(separator: " ").map(String.init) }
        hasRelations = true
      } else if link.parameters[name] == nil {
        link.parameters[name] = value
      }
    }
    return link
  }
}

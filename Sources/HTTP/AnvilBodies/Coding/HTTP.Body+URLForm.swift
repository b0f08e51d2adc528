internal import AnvilBase
public import AnvilHTTP
public import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Body {
  /// Creates a URL form of name–value pairs, in order, of type `application/x-www-form-urlencoded`.
  ///
  ///     .urlForm(["grant_type": "password", "scope": "read", "scope": "write"])
  ///
  /// Names are not interpreted: brackets as in `"user[name]"` have no meaning.
  ///
  /// Source: the URL standard, "application/x-www-form-urlencoded serializing".
  public static func urlForm(_ fields: KeyValuePairs<String, String>) -> HTTP.Body {
    urlForm(fields.map { ($0.key, $0.value) })
  }

  /// Creates a URL form of name–value pairs, in order, of type `application/x-www-form-urlencoded`.
  ///
  /// Source: the URL standard, "application/x-www-form-urlencoded serializing".
  public static func urlForm(_ fields: [(String, String)]) -> HTTP.Body {
    let pairs = fields.map { "\(FormEncoding.encode($0))=\(FormEncoding.encode($1))" }
    return HTTP.Body(Data(pairs.joined(separator: "&").utf8), contentType: .applicationFormURLEncoded)
  }

  /// Creates a URL form of `value`, of type `application/x-www-form-urlencoded`. Nested names use brackets; see ``URLForm``.
  ///
  ///     try .urlForm(Search(query: "swift", languages: ["en", "fi"]))       // query=swift&languages[]=en&languages[]=fi
  ///
  /// For a dictionary literal of strings, the function for pairs is called instead. It keeps order and duplicates, and does not throw.
  ///
  /// - Throws: An error of the encoder.
  @_disfavoredOverload  // else a literal would prefer being a dictionary to being pairs
  public static func urlForm(
    _ value: some Encodable, encoder: URLForm.Encoder = URLForm.Encoder()
  ) throws -> HTTP.Body {
    try HTTP.Body(encoder.encode(value), contentType: .applicationFormURLEncoded)
  }
}

extension HTTP.Query {
  /// Creates the items of a value, with the names and texts of a URL form; see ``URLForm``. Properties that are `nil` have no items.
  ///
  ///     struct Filter: Encodable { var state: State?; var labels: [String]; var since: Date }
  ///
  ///     let found: [Issue] = try await gateway.get("issues", query: HTTP.Query(encoding: filter))
  ///     // ?labels=a&labels=b&since=2026-02-03T04:05:06Z
  ///
  /// The elements of an array have the same name, as in the literal of a query. For a server that expects `labels[]=a`, pass
  /// `URLForm.Encoder(arrays: .brackets)`.
  ///
  /// - Throws: An error of the encoder, `EncodingError.invalidValue` for a value that a form cannot represent.
  public init(
    encoding value: some Encodable, encoder: URLForm.Encoder = URLForm.Encoder(arrays: .repeated)
  ) throws {
    self.init(try encoder.pairs(of: value).map { Item($0.name, $0.value) })
  }
}

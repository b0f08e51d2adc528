public import AnvilFormats
public import AnvilHTTP
internal import AnvilText

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

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Body {
  /// Name–value pairs as a URL form, in their order, of type `application/x-www-form-urlencoded`.
  ///
  ///     .urlForm(["grant_type": "password", "scope": "read", "scope": "write"])
  ///
  /// Names are written as they are: `"user[name]"` is a name like any other.
  ///
  /// Source: the URL standard, "application/x-www-form-urlencoded serializing".
  public static func urlForm(_ fields: KeyValuePairs<String, String>) -> HTTP.Body {
    urlForm(fields.map { ($0.key, $0.value) })
  }

  /// Name–value pairs as a URL form, in their order, of type `application/x-www-form-urlencoded`.
  ///
  /// Source: the URL standard, "application/x-www-form-urlencoded serializing".
  public static func urlForm(_ fields: [(String, String)]) -> HTTP.Body {
    let pairs = fields.map { "\(URLForm.percentEncoded($0))=\(URLForm.percentEncoded($1))" }
    return HTTP.Body(Data(pairs.joined(separator: "&").utf8), contentType: .applicationFormURLEncoded)
  }

  /// `value` as a URL form with names in brackets, as ``URLForm`` has them, of type `application/x-www-form-urlencoded`.
  ///
  ///     try .urlForm(Search(query: "swift", languages: ["en", "fi"]))       // query=swift&languages[]=en&languages[]=fi
  ///
  /// A dictionary literal of strings is a list of pairs instead, which keeps its order and duplicates and cannot fail.
  ///
  /// - Throws: what the encoder throws.
  @_disfavoredOverload  // else a literal would prefer being a dictionary to being pairs
  public static func urlForm(
    _ value: some Encodable, encoder: URLForm.Encoder = URLForm.Encoder()
  ) throws -> HTTP.Body {
    try HTTP.Body(encoder.encode(value), contentType: .applicationFormURLEncoded)
  }
}

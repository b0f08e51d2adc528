public import AnvilJSON

extension HTTP.Body {
  /// Returns the merge patch that makes `new` of `old`, of type `application/merge-patch+json`: the body of a PATCH that changes what
  /// differs and nothing else.
  ///
  ///     request.headers[.ifMatch] = response.headers[.eTag]
  ///     request.body = try .mergePatch(from: user, to: changed)
  ///
  /// A property that is `nil` in `new` and not in `old` is removed. The patch of two equal values is `{}`.
  ///
  /// - Throws: what the encoder throws, `JSON.SyntaxError` for a value nested deeper than a document may be, and `JSON.PatchError`
  ///   for a patch larger than a document can be.
  /// - Source: RFC 7396. `JSON.mergePatch(from:to:)` has the details.
  public static func mergePatch<Value: Encodable>(
    from old: Value, to new: Value, encoder: JSON.Encoder = JSON.Encoder()
  ) throws -> HTTP.Body {
    try mergePatch(from: JSON(parsing: encoder.encode(old)), to: JSON(parsing: encoder.encode(new)))
  }

  /// Returns the merge patch that makes `new` of `old`, of type `application/merge-patch+json`.
  ///
  /// - Throws: `JSON.PatchError` for a patch larger than a document can be.
  /// - Source: RFC 7396. `JSON.mergePatch(from:to:)` has the details.
  public static func mergePatch(from old: JSON, to new: JSON) throws(JSON.PatchError) -> HTTP.Body {
    HTTP.Body(try JSON.mergePatch(from: old, to: new).serializedData(), contentType: .applicationMergePatchJSON)
  }
}

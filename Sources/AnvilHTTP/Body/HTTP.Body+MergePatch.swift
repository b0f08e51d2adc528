public import AnvilJSON
public import AnvilModel

extension HTTP.Body {
  /// Creates a body with the merge patch that makes `new` of `old`, of type `application/merge-patch+json`: a PATCH that changes what
  /// differs and nothing else.
  ///
  ///     request.headers[.ifMatch] = response.headers[.eTag]
  ///     request.body = .mergePatch(from: user, to: changed)
  ///
  /// A property that is `nil` in `new` and not in `old` is removed. The patch of two equal values is `{}`.
  ///
  /// Both are encoded when the body is sent: in `format`, or else in the format of the request that it belongs to. A format that does
  /// not write JSON, a value that cannot be encoded, and a patch larger than a document can be make the request fail with
  /// `TransportError.Code.invalidRequest`.
  ///
  /// - Source: RFC 7396. `JSON.mergePatch(from:to:)` has the details.
  public static func mergePatch<Value: Encodable & Sendable>(
    from old: Value, to new: Value, with format: (any EncodingFormat)? = nil
  ) -> HTTP.Body {
    .deferred(contentType: .applicationMergePatchJSON) { inherited throws(HTTP.BodyError) in
      let format = format ?? inherited
      if let type = format.contentType, !type.isJSON {
        throw .unencodable(type: "\(Value.self)", reason: "\(type.rawValue) is not JSON")
      }
      do {
        return try mergePatch(
          from: JSON(parsing: format.encode(old)), to: JSON(parsing: format.encode(new)))
      } catch {
        throw .unencodable(new, error)
      }
    }
  }

  /// Returns the merge patch that makes `new` of `old`, of type `application/merge-patch+json`.
  ///
  /// - Throws: `JSON.PatchError` for a patch larger than a document can be.
  /// - Source: RFC 7396. `JSON.mergePatch(from:to:)` has the details.
  public static func mergePatch(from old: JSON, to new: JSON) throws(JSON.PatchError) -> HTTP.Body {
    HTTP.Body(try JSON.mergePatch(from: old, to: new).serializedData(), contentType: .applicationMergePatchJSON)
  }
}

public import AnvilBase
public import AnvilHTTP
public import AnvilJSON

extension HTTP.Body {
  /// Creates a body with the merge patch from `old` to `new`, of type `application/merge-patch+json`, for a PATCH request that sends only
  /// the differences.
  ///
  ///     request.headers[.ifMatch] = response.headers[.eTag]
  ///     request.body = .mergePatch(from: user, to: changed)
  ///
  /// A property that is `nil` in `new` but not in `old` is removed. The patch of two equal values is `{}`.
  ///
  /// Both values are encoded when the body is sent, in `format` or, by default, in the format of the request. The request fails with
  /// `TransportError.Code.invalidRequest` if the format does not write JSON, if a value cannot be encoded, or if the patch exceeds
  /// the maximum size of a document.
  ///
  /// - Source: RFC 7396. `JSON.mergePatch(from:to:)` has the details.
  public static func mergePatch<Value: Encodable & Sendable>(
    from old: Value, to new: Value, with format: (any EncodingFormat)? = nil
  ) -> HTTP.Body {
    .deferred(contentType: .applicationMergePatchJSON) { inherited throws(HTTP.BodyError) in
      let format = format ?? inherited ?? JSON.Encoder.rfc3339()
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

  /// Returns a body with the merge patch from `old` to `new`, of type `application/merge-patch+json`.
  ///
  /// - Throws: `JSON.PatchError` if the patch exceeds the maximum size of a document.
  /// - Source: RFC 7396. `JSON.mergePatch(from:to:)` has the details.
  public static func mergePatch(from old: JSON, to new: JSON) throws(JSON.PatchError) -> HTTP.Body {
    HTTP.Body(try JSON.mergePatch(from: old, to: new).serializedData(), contentType: .applicationMergePatchJSON)
  }
}

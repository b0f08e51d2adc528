public import AnvilBase
public import AnvilHTTP
internal import AnvilJSON

extension HTTP.Body {
  /// Creates a body that encodes `value` when it is sent, in `format` or, by default, in the format of its request.
  ///
  /// This method does not throw. If the value cannot be encoded, the request fails with `TransportError.Code.invalidRequest`.
  public static func encoding(_ value: some Encodable & Sendable, with format: (any EncodingFormat)? = nil) -> HTTP.Body
  {
    .deferred { inherited throws(HTTP.BodyError) in
      let format = format ?? inherited ?? JSON.Encoder.rfc3339()
      do {
        return HTTP.Body(try format.encode(value), contentType: format.contentType)
      } catch {
        throw .unencodable(value, error)
      }
    }
  }
}

extension HTTP.BodyError {
  /// Returns the error for a `value` that cannot be encoded because of `error`. It contains no part of the value.
  static func unencodable<Value>(_ value: Value, _ error: any Error) -> HTTP.BodyError {
    .unencodable(type: "\(Value.self)", reason: (error as? EncodingError)?.summary ?? "\(error)")
  }
}

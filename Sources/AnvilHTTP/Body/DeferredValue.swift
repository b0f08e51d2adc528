public import AnvilModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A value that is encoded when its body is sent, in the format that is set at that time.
package final class DeferredValue: Sendable {
  private let encode: @Sendable (any EncodingFormat) throws(HTTP.BodyError) -> HTTP.Body

  init(_ encode: @escaping @Sendable (any EncodingFormat) throws(HTTP.BodyError) -> HTTP.Body) {
    self.encode = encode
  }

  /// Returns the value encoded in its format, or in `inherited` if it has none.
  func body(in inherited: any EncodingFormat) throws(HTTP.BodyError) -> HTTP.Body { try encode(inherited) }
}

extension HTTP.Body {
  /// Creates a body that encodes `value` when it is sent, in `format` or, by default, in the format of its request.
  ///
  /// This method does not throw. If the value cannot be encoded, the request fails with `TransportError.Code.invalidRequest`.
  public static func encoding(_ value: some Encodable & Sendable, with format: (any EncodingFormat)? = nil) -> HTTP.Body
  {
    .deferred { inherited throws(HTTP.BodyError) in
      let format = format ?? inherited
      do {
        return HTTP.Body(try format.encode(value), contentType: format.contentType)
      } catch {
        throw .unencodable(value, error)
      }
    }
  }

  /// Creates a body that calls `encode` with the request's format whenever it is read. `encode` must return bytes in memory.
  package static func deferred(
    contentType: HTTP.HeaderValue? = nil,
    _ encode: @escaping @Sendable (any EncodingFormat) throws(HTTP.BodyError) -> HTTP.Body
  ) -> HTTP.Body {
    HTTP.Body(storage: .value(DeferredValue(encode)), contentType: contentType)
  }

  /// A Boolean value that indicates whether the body contains a value that has not been encoded yet.
  package var isDeferred: Bool {
    if case .value = storage { true } else { false }
  }

  /// Returns this body with its value encoded as it will be sent. A body without such a value is returned unchanged.
  ///
  ///     request.body = try request.body.encoded()      // request.body.data has the bytes from here on
  ///
  /// The formats, and a media type and content codings that were set, are kept.
  ///
  /// - Throws: ``HTTP/BodyError/unencodable(type:reason:)``.
  public func encoded() throws(HTTP.BodyError) -> HTTP.Body { try encoded(in: encodingFormat) }

  /// Returns this body with its value encoded in the value's format, or in `format` if it has none.
  package func encoded(in format: any EncodingFormat) throws(HTTP.BodyError) -> HTTP.Body {
    guard case .value(let value) = storage else { return self }
    var body = try value.body(in: format)
    body.contentType = contentType ?? body.contentType
    body.contentEncoding = contentEncoding ?? body.contentEncoding
    body.ownEncodingFormat = ownEncodingFormat
    body.ownDecodingFormat = ownDecodingFormat
    return body
  }

  /// Returns the bytes in memory, and encodes a value that has not been encoded yet.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream; ``HTTP/BodyError/unencodable(type:reason:)``.
  func bytes() throws(HTTP.BodyError) -> Data {
    guard let data = try encoded().data else { throw .notCollected }
    return data
  }
}

extension HTTP.BodyError {
  /// Returns the error for a `value` that cannot be encoded because of `error`. It shows nothing of the value.
  static func unencodable<Value>(_ value: Value, _ error: any Error) -> HTTP.BodyError {
    .unencodable(type: "\(Value.self)", reason: (error as? EncodingError)?.summary ?? "\(error)")
  }
}

public import AnvilModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A value that is encoded when its body is sent, in the format that holds then.
package final class DeferredValue: Sendable {
  private let encode: @Sendable (any EncodingFormat) throws(HTTP.BodyError) -> HTTP.Body

  init(_ encode: @escaping @Sendable (any EncodingFormat) throws(HTTP.BodyError) -> HTTP.Body) {
    self.encode = encode
  }

  /// The value's bytes in its own format, or else in `inherited`.
  func body(in inherited: any EncodingFormat) throws(HTTP.BodyError) -> HTTP.Body { try encode(inherited) }
}

extension HTTP.Body {
  /// Creates a body of `value`, which is encoded when it is sent: in `format`, or else in the format of the request that it belongs
  /// to.
  ///
  /// Nothing is thrown here. A value that cannot be encoded makes the request fail with
  /// `TransportError.Code.invalidRequest`.
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

  /// Creates a body that `encode` makes when it is sent. It is called with the request's format, and each time that the body is read;
  /// it returns bytes in memory.
  package static func deferred(
    contentType: HTTP.HeaderValue? = nil,
    _ encode: @escaping @Sendable (any EncodingFormat) throws(HTTP.BodyError) -> HTTP.Body
  ) -> HTTP.Body {
    HTTP.Body(storage: .value(DeferredValue(encode)), contentType: contentType)
  }

  /// Whether it holds a value that has still to be encoded.
  package var isDeferred: Bool {
    if case .value = storage { true } else { false }
  }

  /// Returns the body with its value encoded as it will be sent; any other body as it is.
  ///
  ///     request.body = try request.body.encoded()      // request.body.data has the bytes from here on
  ///
  /// Formats stay, and so do a media type and content codings that were set.
  ///
  /// - Throws: ``HTTP/BodyError/unencodable(type:reason:)``.
  public func encoded() throws(HTTP.BodyError) -> HTTP.Body { try encoded(in: encodingFormat) }

  /// The body with its value encoded in the value's own format, or else in `format`.
  package func encoded(in format: any EncodingFormat) throws(HTTP.BodyError) -> HTTP.Body {
    guard case .value(let value) = storage else { return self }
    var body = try value.body(in: format)
    body.contentType = contentType ?? body.contentType
    body.contentEncoding = contentEncoding ?? body.contentEncoding
    body.ownEncodingFormat = ownEncodingFormat
    body.ownDecodingFormat = ownDecodingFormat
    return body
  }

  /// The bytes in memory, of a value that has still to be encoded, too.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, ``HTTP/BodyError/unencodable(type:reason:)``.
  func bytes() throws(HTTP.BodyError) -> Data {
    guard let data = try encoded().data else { throw .notCollected }
    return data
  }
}

extension HTTP.BodyError {
  /// That `value` cannot be encoded, because of `error`. Nothing of the value is shown.
  static func unencodable<Value>(_ value: Value, _ error: any Error) -> HTTP.BodyError {
    .unencodable(type: "\(Value.self)", reason: (error as? EncodingError)?.summary ?? "\(error)")
  }
}

package import AnvilBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A value that is encoded when its body is sent, in the format that is set at that time.
package final class DeferredValue: Sendable {
  /// A function that encodes the value. It uses the value's own format if there is one, otherwise its argument, otherwise a default format.
  package typealias Encode = @Sendable ((any EncodingFormat)?) throws(HTTP.BodyError) -> HTTP.Body

  private let encode: Encode

  init(_ encode: @escaping Encode) {
    self.encode = encode
  }

  /// Returns the value as a body in memory. It is encoded in its own format if there is one, otherwise in `inherited`.
  func body(in inherited: (any EncodingFormat)?) throws(HTTP.BodyError) -> HTTP.Body { try encode(inherited) }
}

extension HTTP.Body {
  /// Creates a body that calls `encode` whenever its bytes are needed. The argument of `encode` is the format of the request, or `nil`. The
  /// result must be bytes in memory.
  package static func deferred(
    contentType: HTTP.HeaderValue? = nil, _ encode: @escaping DeferredValue.Encode
  ) -> HTTP.Body {
    HTTP.Body(storage: .value(DeferredValue(encode)), contentType: contentType)
  }

  /// A Boolean value that indicates whether the body is a value that has not been encoded yet.
  package var isDeferred: Bool {
    if case .value = storage { true } else { false }
  }

  /// Returns this body with its value encoded as it will be sent. Any other body, including a form with such a value, is returned
  /// unchanged.
  ///
  ///     request.body = try request.body.encoded()      // request.body.data has the bytes from here on
  ///
  /// The result has the formats of this body, and its media type and content codings if they were set.
  ///
  /// - Throws: ``HTTP/BodyError/unencodable(type:reason:)``.
  public func encoded() throws(HTTP.BodyError) -> HTTP.Body { try encoded(in: ownEncodingFormat) }

  /// Returns this body with its value encoded. The value's own format is used if there is one, otherwise `format`.
  package func encoded(in format: (any EncodingFormat)?) throws(HTTP.BodyError) -> HTTP.Body {
    guard case .value(let value) = storage else { return self }
    var body = try value.body(in: format)
    body.contentType = contentType ?? body.contentType
    body.contentEncoding = contentEncoding ?? body.contentEncoding
    body.takeFormats(of: self)
    return body
  }

  /// Returns the bytes of a body in memory. A value that has not been encoded yet is encoded.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream; ``HTTP/BodyError/unencodable(type:reason:)``.
  package func bytes() throws(HTTP.BodyError) -> Data {
    // Without a copy of the body, whose formats are existential values.
    if case .data(let data) = storage { return data }
    guard let data = try encoded().data else { throw .notCollected }
    return data
  }
}

public import AnvilModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A value that is encoded when its body is sent, in the format that holds then.
package final class DeferredValue: Sendable {
  /// What the value's type is called.
  private let typeName: String
  private let format: (any EncodingFormat)?
  private let encode: @Sendable (any EncodingFormat) throws -> Data

  init<Value: Encodable & Sendable>(_ value: Value, format: (any EncodingFormat)?) {
    typeName = "\(Value.self)"
    self.format = format
    encode = { try $0.encode(value) }
  }

  /// The value's bytes in its own format, or else in `inherited`.
  func body(in inherited: any EncodingFormat) throws(HTTP.BodyError) -> HTTP.Body {
    let format = format ?? inherited
    do {
      return HTTP.Body(try encode(format), contentType: format.contentType)
    } catch {
      throw .unencodable(type: typeName, reason: (error as? EncodingError)?.summary ?? "\(error)")
    }
  }
}

extension HTTP.Body {
  /// Creates a body of `value`, which is encoded when it is sent: in `format`, or else in the format of the request that it belongs
  /// to.
  ///
  /// Nothing is thrown here. A value that cannot be encoded makes the request fail with
  /// `TransportError.Code.invalidRequest`.
  public static func encoding(_ value: some Encodable & Sendable, with format: (any EncodingFormat)? = nil) -> HTTP.Body
  {
    HTTP.Body(storage: .value(DeferredValue(value, format: format)), contentType: nil)
  }

  /// Whether it holds a value that has still to be encoded.
  package var isDeferred: Bool {
    if case .value = storage { true } else { false }
  }

  /// The body with its value encoded, where it is one; with the same formats and, where it has one, the same media type.
  ///
  /// - Throws: ``HTTP/BodyError/unencodable(type:reason:)``.
  package func encoded() throws(HTTP.BodyError) -> HTTP.Body {
    guard case .value(let value) = storage else { return self }
    var body = try value.body(in: encodingFormat)
    body.contentType = contentType ?? body.contentType
    body.ownEncodingFormat = ownEncodingFormat
    body.ownDecodingFormat = ownDecodingFormat
    return body
  }
}

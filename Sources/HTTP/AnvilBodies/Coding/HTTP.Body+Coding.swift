public import AnvilBase
public import AnvilHTTP
internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Body {
  /// The format used by ``encode(_:with:)``: by default a new `JSON.Encoder` that writes dates as in RFC 3339.
  public var encodingFormat: any EncodingFormat {
    get { ownEncodingFormat ?? JSON.Encoder.rfc3339() }
    set { ownEncodingFormat = newValue }
  }

  /// The format used by ``decode(as:container:with:)``: by default a new `JSON.Decoder` that reads dates as in RFC 3339.
  public var decodingFormat: any DecodingFormat {
    get { ownDecodingFormat ?? JSON.Decoder.rfc3339() }
    set { ownDecodingFormat = newValue }
  }

  /// Replaces the body with `value`, encoded in `format`, and sets the format's media type. The default of `format` is ``encodingFormat``.
  /// The values of ``encodingFormat`` and ``decodingFormat`` are kept.
  ///
  /// - Throws: An error of the format; the body is then unchanged.
  public mutating func encode(_ value: some Encodable, with format: (any EncodingFormat)? = nil) throws {
    let format = format ?? encodingFormat
    var encoded = try HTTP.Body(format.encode(value), contentType: format.contentType)
    encoded.takeFormats(of: self)
    self = encoded
  }

  /// Decodes a value of type `type` from the body in `format`. The default of `format` is ``decodingFormat``. If the body wraps the value
  /// in an object, `container` is the type of that object.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format.
  public func decode<T: Decodable>(
    as type: T.Type, container: (any DecodableContainer<T>.Type)? = nil, with format: (any DecodingFormat)? = nil
  ) throws -> T {
    let format = format ?? decodingFormat
    guard let container else { return try format.decode(type, from: bytes()) }
    return try format.element(of: container, from: bytes())
  }

  /// Creates a body with `value` as JSON, by default of type `application/json` and with dates as in RFC 3339.
  ///
  /// - Throws: An error of the encoder.
  public static func json(_ value: some Encodable, encoder: (any EncodingFormat)? = nil) throws -> HTTP.Body {
    let encoder = encoder ?? JSON.Encoder.rfc3339()
    return try HTTP.Body(encoder.encode(value), contentType: encoder.contentType)
  }

  /// Creates a body with `value`, wrapped in `container`, as JSON, by default of type `application/json`.
  ///
  /// - Throws: An error of the encoder.
  public static func json<T, Container: EncodableContainer>(
    _ value: T, container: Container.Type, encoder: (any EncodingFormat)? = nil
  ) throws -> HTTP.Body where Container.Contained == T {
    try json(container.init(element: value), encoder: encoder)
  }
}

extension DecodingFormat {
  /// Returns the value that `container` wraps in `data`.
  fileprivate func element<Container: DecodableContainer>(
    of container: Container.Type, from data: Data
  ) throws -> Container.Contained {
    try decode(container, from: data).element
  }
}

extension EncodingFormat {
  /// The media type as a header value.
  var contentType: HTTP.HeaderValue? {
    mediaType.map(HTTP.HeaderValue.init(rawValue:))
  }
}

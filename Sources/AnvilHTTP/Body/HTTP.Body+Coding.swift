public import AnvilJSON
public import AnvilModel

extension HTTP.Body {
  /// The format used by ``encode(_:)``: a new `JSON.Encoder` by default.
  public var encodingFormat: any EncodingFormat {
    get { ownEncodingFormat ?? JSON.Encoder() }
    set { ownEncodingFormat = newValue }
  }

  /// The format used by ``decode(as:)``: a new `JSON.Decoder` by default.
  public var decodingFormat: any DecodingFormat {
    get { ownDecodingFormat ?? JSON.Decoder() }
    set { ownDecodingFormat = newValue }
  }

  /// Replaces the body with `value`, encoded in ``encodingFormat``, and sets the format's media type. The formats are kept.
  ///
  /// - Throws: An error of the format; the body is then unchanged.
  public mutating func encode(_ value: some Encodable) throws {
    try encode(value, with: encodingFormat)
  }

  /// Replaces the body with `value`, encoded in `format`, and sets the format's media type. The body's formats are kept.
  ///
  /// - Throws: An error of the format; the body is then unchanged.
  public mutating func encode(_ value: some Encodable, with format: any EncodingFormat) throws {
    var encoded = try HTTP.Body(format.encode(value), contentType: format.contentType)
    encoded.ownEncodingFormat = ownEncodingFormat
    encoded.ownDecodingFormat = ownDecodingFormat
    self = encoded
  }

  /// Decodes a value of type `type` from the body in ``decodingFormat``.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format.
  public func decode<T: Decodable>(as type: T.Type) throws -> T {
    try decode(as: type, with: decodingFormat)
  }

  /// Decodes a value of type `type` from the body in `format`.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format.
  public func decode<T: Decodable>(as type: T.Type, with format: any DecodingFormat) throws -> T {
    try format.decode(type, from: bytes())
  }

  /// Decodes a `container` from the body in ``decodingFormat`` and returns the wrapped value of type `type`.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format.
  public func decode<T, Container: DecodableContainer>(
    as type: T.Type, container: Container.Type
  ) throws -> T where Container.Contained == T {
    try decode(as: type, container: container, with: decodingFormat)
  }

  /// Decodes a `container` from the body in `format` and returns the wrapped value of type `type`.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format.
  public func decode<T, Container: DecodableContainer>(
    as type: T.Type, container: Container.Type, with format: any DecodingFormat
  ) throws -> T where Container.Contained == T {
    try decode(as: container, with: format).element
  }

  /// Creates a body with `value` as JSON, by default of type `application/json`.
  ///
  /// - Throws: An error of the encoder.
  public static func json(_ value: some Encodable, encoder: any EncodingFormat = JSON.Encoder()) throws -> HTTP.Body {
    try HTTP.Body(encoder.encode(value), contentType: encoder.contentType)
  }

  /// Creates a body with `value`, wrapped in `container`, as JSON, by default of type `application/json`.
  ///
  /// - Throws: An error of the encoder.
  public static func json<T, Container: EncodableContainer>(
    _ value: T, container: Container.Type, encoder: any EncodingFormat = JSON.Encoder()
  ) throws -> HTTP.Body where Container.Contained == T {
    try json(container.init(element: value), encoder: encoder)
  }
}

extension EncodingFormat {
  /// The media type as a header value.
  var contentType: HTTP.HeaderValue? {
    mediaType.map(HTTP.HeaderValue.init(rawValue:))
  }
}

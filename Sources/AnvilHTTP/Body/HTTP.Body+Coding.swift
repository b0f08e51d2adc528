public import AnvilJSON
public import AnvilModel

extension HTTP.Body {
  /// The format that ``encode(_:)`` writes: a new `JSON.Encoder` unless set.
  public var encodingFormat: any EncodingFormat {
    get { ownEncodingFormat ?? JSON.Encoder() }
    set { ownEncodingFormat = newValue }
  }

  /// The format that ``decode(as:)`` reads: a new `JSON.Decoder` unless set.
  public var decodingFormat: any DecodingFormat {
    get { ownDecodingFormat ?? JSON.Decoder() }
    set { ownDecodingFormat = newValue }
  }

  /// Replaces the body by `value` in ``encodingFormat``, of that format's media type. The formats stay.
  ///
  /// - Throws: what the format throws; the body is then as it was.
  public mutating func encode(_ value: some Encodable) throws {
    try encode(value, with: encodingFormat)
  }

  /// Replaces the body by `value` in `format`, of that format's media type. The body's own formats stay.
  ///
  /// - Throws: what the format throws; the body is then as it was.
  public mutating func encode(_ value: some Encodable, with format: any EncodingFormat) throws {
    var encoded = try HTTP.Body(format.encode(value), contentType: format.contentType)
    encoded.ownEncodingFormat = ownEncodingFormat
    encoded.ownDecodingFormat = ownDecodingFormat
    self = encoded
  }

  /// A value of type `type` from the body, read in ``decodingFormat``.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and what the format throws.
  public func decode<T: Decodable>(as type: T.Type) throws -> T {
    try decode(as: type, with: decodingFormat)
  }

  /// A value of type `type` from the body, read in `format`.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and what the format throws.
  public func decode<T: Decodable>(as type: T.Type, with format: any DecodingFormat) throws -> T {
    try format.decode(type, from: bytes())
  }

  /// A value of type `type` out of the `container` that wraps it, read in ``decodingFormat``.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and what the format throws.
  public func decode<T, Container: DecodableContainer>(
    as type: T.Type, container: Container.Type
  ) throws -> T where Container.Contained == T {
    try decode(as: type, container: container, with: decodingFormat)
  }

  /// A value of type `type` out of the `container` that wraps it, read in `format`.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and what the format throws.
  public func decode<T, Container: DecodableContainer>(
    as type: T.Type, container: Container.Type, with format: any DecodingFormat
  ) throws -> T where Container.Contained == T {
    try decode(as: container, with: format).element
  }

  /// `value` as JSON, of type `application/json`.
  ///
  /// - Throws: what the encoder throws.
  public static func json(_ value: some Encodable, encoder: any EncodingFormat = JSON.Encoder()) throws -> HTTP.Body {
    try HTTP.Body(encoder.encode(value), contentType: encoder.contentType)
  }

  /// `value` wrapped in `container` as JSON, of type `application/json`.
  ///
  /// - Throws: what the encoder throws.
  public static func json<T, Container: EncodableContainer>(
    _ value: T, container: Container.Type, encoder: any EncodingFormat = JSON.Encoder()
  ) throws -> HTTP.Body where Container.Contained == T {
    try json(container.init(element: value), encoder: encoder)
  }
}

extension EncodingFormat {
  /// The media type as a field's value.
  var contentType: HTTP.HeaderValue? {
    mediaType.map(HTTP.HeaderValue.init(rawValue:))
  }
}

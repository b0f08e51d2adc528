/// A format from which models are decoded: JSON, a property list, or anything else with a `Decoder`.
///
/// `JSON.Decoder` conforms, and so do Foundation's `JSONDecoder` and `PropertyListDecoder`. Any of them can be used as a format.
/// To add a format, implement ``decoder(for:)``; the other methods have default implementations.
public protocol DecodingFormat: Sendable {
  /// Returns a decoder for the root of `data`.
  ///
  /// This method does not fail. For data that is not in this format, it returns a decoder whose methods all throw the error. Decode the
  /// root with `decoder.singleValueContainer().decode(T.self)`, not with `T(from: decoder)`: only the former applies the format's
  /// strategies (dates, URLs, decimals) to the root.
  func decoder(for data: Data) -> any Decoder

  /// Decodes a value of type `type` from all of `data`.
  ///
  /// - Throws: `DecodingError` if the data is not in this format or does not match the type, and errors of the type's `init(from:)`.
  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T

  /// Returns `value` updated from `data`.
  ///
  /// An object is updated in place and returned, so the result can be discarded.
  ///
  /// - Throws: `DecodingError` if the data is not in this format or does not match, also for a null at the root, and errors of the
  ///   value's `update(from:)`.
  @discardableResult
  func update<T: DecoderUpdatable>(_ value: T, from data: Data) throws -> T
}

extension DecodingFormat {
  /// Decodes the root with ``decoder(for:)``.
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    try decoder(for: data).singleValueContainer().decode(type)
  }
}

/// A format to which models are encoded: JSON, a property list, or anything else with an `Encoder`.
///
/// `JSON.Encoder` conforms, and so do Foundation's `JSONEncoder` and `PropertyListEncoder`.
public protocol EncodingFormat: Sendable {
  /// The media type of the result of ``encode(_:)``, such as `application/json`; `nil` if the format has no media type.
  ///
  /// Source: RFC 9110 §8.3.1 (media type), RFC 6838 (registration).
  var mediaType: String? { get }

  /// Encodes `value` in this format.
  ///
  /// - Throws: `EncodingError` if the format cannot represent the value, and errors of the type's `encode(to:)`.
  func encode<T: Encodable>(_ value: T) throws -> Data
}

extension EncodingFormat {
  /// No media type: a body in this format is sent without `Content-Type` unless the caller sets one.
  public var mediaType: String? { nil }
}

/// Foundation's JSON decoder. Strategies are set on the decoder.
extension JSONDecoder: DecodingFormat {
  /// Returns a decoder for the root of the JSON text `data`, with this decoder's strategies.
  public func decoder(for data: Data) -> any Decoder {
    rootDecoder { try decode(RootDecoder.self, from: data) }
  }
}

/// Foundation's property list decoder. XML, binary and OpenStep are detected from the data.
extension PropertyListDecoder: DecodingFormat {
  /// Returns a decoder for the root of the property list `data`.
  public func decoder(for data: Data) -> any Decoder {
    rootDecoder { try decode(RootDecoder.self, from: data) }
  }
}

/// Foundation's JSON encoder. Strategies are set on the encoder.
extension JSONEncoder: EncodingFormat {
  /// `application/json`. Source: RFC 8259 §11.
  public var mediaType: String? { "application/json" }
}

/// Foundation's property list encoder, which writes the property list format of its `outputFormat`.
extension PropertyListEncoder: EncodingFormat {
  /// `application/x-plist`, the type in common use. No type is registered.
  public var mediaType: String? { "application/x-plist" }
}

/// A value that keeps the decoder from which it is decoded.
///
/// Foundation's coders pass their `Decoder` only to a type that is being decoded. They copy the input before they return, so the
/// decoder remains valid (the tests use one after its data was released).
private struct RootDecoder: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) throws {
    self.decoder = decoder
  }
}

private func rootDecoder(_ decode: () throws -> RootDecoder) -> any Decoder {
  do {
    return try decode().decoder
  } catch {
    return FailingDecoder(error: error)
  }
}

/// A decoder for input that could not be parsed. All of its methods throw the error of the parser.
package struct FailingDecoder: Decoder {
  let error: any Error

  package init(error: any Error) { self.error = error }

  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw error }
  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw error }
  package func singleValueContainer() throws -> any SingleValueDecodingContainer { throw error }
}

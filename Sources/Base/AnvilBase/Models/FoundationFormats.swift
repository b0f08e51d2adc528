#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

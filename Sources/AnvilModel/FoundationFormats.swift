#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// JSON as Foundation reads it, with every strategy set on the decoder.
extension JSONDecoder: DecodingFormat {
  /// A decoder that stands at the root of the JSON text `data`, with this decoder's strategies.
  public func decoder(for data: Data) -> any Decoder {
    rootDecoder { try decode(RootDecoder.self, from: data) }
  }
}

/// Property lists as Foundation reads them: XML, binary and OpenStep, detected from the bytes.
extension PropertyListDecoder: DecodingFormat {
  /// A decoder that stands at the root of the property list `data`.
  public func decoder(for data: Data) -> any Decoder {
    rootDecoder { try decode(RootDecoder.self, from: data) }
  }
}

/// JSON as Foundation writes it, with every strategy set on the encoder.
extension JSONEncoder: EncodingFormat {
  /// `application/json`. Source: RFC 8259 §11.
  public var mediaType: String? { "application/json" }
}

/// Property lists as Foundation writes them, in the encoder's `outputFormat`.
extension PropertyListEncoder: EncodingFormat {
  /// `application/x-plist`, the type in common use; none is registered.
  public var mediaType: String? { "application/x-plist" }
}

/// Keeps the decoder that it is decoded from.
///
/// Foundation's coders show their `Decoder` only to a type that is being decoded. They copy the input in before they
/// return, so that a decoder kept this way stays valid (the tests keep one past the life of its data).
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

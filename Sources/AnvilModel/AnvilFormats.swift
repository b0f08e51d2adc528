public import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// JSON as Anvil's engine reads it, with every strategy set on the decoder.
extension JSON.Decoder: DecodingFormat {
  /// A decoder that stands at the root of the JSON text `data`, with this decoder's strategies.
  public func decoder(for data: Data) -> any Swift.Decoder {
    do {
      return try rootDecoder(for: data)
    } catch {
      return FailingDecoder(error: error)
    }
  }
}

/// JSON as Anvil's engine writes it, with every strategy set on the encoder.
extension JSON.Encoder: EncodingFormat {
  /// `application/json`. Source: RFC 8259 §11.
  public var mediaType: String? { "application/json" }
}

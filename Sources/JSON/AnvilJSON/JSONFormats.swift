public import AnvilBase

/// Anvil's JSON decoder. Strategies are set on the decoder.
extension JSON.Decoder: DecodingFormat {
  /// Returns a decoder for the root of the JSON text `data`, with this decoder's strategies.
  public func decoder(for data: Data) -> any Swift.Decoder {
    do {
      return try rootDecoder(for: data)
    } catch {
      return FailingDecoder(error: error)
    }
  }
}

/// Anvil's JSON encoder. Strategies are set on the encoder.
extension JSON.Encoder: EncodingFormat {
  /// `application/json`. Source: RFC 8259 §11.
  public var mediaType: String? { "application/json" }
}

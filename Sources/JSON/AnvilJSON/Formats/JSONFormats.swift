public import AnvilBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

  /// Returns `value` updated from the JSON text `data`. If its type is `JSONDirectlyUpdatable` and no strategy of this decoder requires
  /// containers, the value is updated by a `JSON.Reader`. Otherwise it is updated from ``decoder(for:)``.
  ///
  /// Both ways have the same results and errors, with one exception: a property that is coded by a strategy and is not in the text. A
  /// `JSON.Reader` keeps the exact value of the property. With a decoder, the property gets the value that results from coding the old
  /// value with the strategy.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T, from data: Data) throws -> T {
    if let type = DirectUpdates.type(T.self), let updated = updated(value, as: type, from: data) { return updated }
    var updated = value
    try updated.update(from: decoder(for: data))
    return updated
  }

  private func updated<T, Direct: JSONDirectlyUpdatable>(_ value: T, as type: Direct.Type, from data: Data) -> T? {
    guard let value = value as? Direct else { return nil }
    return updatedDirectly(value, from: data) as? T
  }
}

/// Anvil's JSON encoder. Strategies are set on the encoder.
extension JSON.Encoder: EncodingFormat {
  /// `application/json`. Source: RFC 8259 §11.
  public var mediaType: String? { "application/json" }
}

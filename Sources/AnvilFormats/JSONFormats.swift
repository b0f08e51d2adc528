public import AnvilJSON
public import AnvilModel

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

  /// Updates the value on the direct path if its type has one and no strategy of this decoder needs a container, otherwise from
  /// ``decoder(for:)``. The results and the errors are the same, with one exception: a property that is coded by a strategy and is not in
  /// the text keeps its exact value on the direct path, and from a decoder the one that the strategy gives back.
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

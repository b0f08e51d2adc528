#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DecodingFormat {
  /// The model that `factory` makes of all of `data`.
  ///
  /// - Throws: `DecodingError` when the bytes are not of this format, at the latest when the factory reads them, and
  ///   whatever the factory throws.
  public func decode<Factory: DecodingFactory>(using factory: Factory, from data: Data) throws -> Factory.Model {
    try factory.create(from: decoder(for: data))
  }
}

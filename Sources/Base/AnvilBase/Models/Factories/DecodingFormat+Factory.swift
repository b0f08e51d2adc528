#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DecodingFormat {
  /// Decodes all of `data` with `factory`.
  ///
  /// - Throws: `DecodingError` if the data is not in this format (at the latest when the factory reads it), and errors of the factory.
  public func decode<Factory: DecodingFactory>(using factory: Factory, from data: Data) throws -> Factory.Model {
    try factory.create(from: decoder(for: data))
  }
}

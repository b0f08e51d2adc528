#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DecodingFormat {
  /// Updates the value from ``decoder(for:)``.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T, from data: Data) throws -> T {
    var updated = value
    try updated.update(from: decoder(for: data))
    return updated
  }
}

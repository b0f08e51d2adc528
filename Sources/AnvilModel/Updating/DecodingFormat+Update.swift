#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DecodingFormat {
  /// `value` after it has taken over what `data` says.
  ///
  /// The result of updating an object is the same object, so that it can be dropped.
  ///
  /// - Throws: `DecodingError` when the bytes are not of this format or do not fit, a null at the root included, and
  ///   whatever the value's own `update(from:)` throws.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T, from data: Data) throws -> T {
    var updated = value
    try updated.update(from: decoder(for: data))
    return updated
  }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DecodingFormat {
  /// Returns `value` updated from `data`.
  ///
  /// An object is updated in place and returned, so the result can be discarded.
  ///
  /// - Throws: `DecodingError` if the data is not in this format or does not match, also for a null at the root, and errors of the
  ///   value's `update(from:)`.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T, from data: Data) throws -> T {
    var updated = value
    try updated.update(from: decoder(for: data))
    return updated
  }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A storage for the responses of a cache, by URL and variant.
///
/// The cache decides what to store, and when a stored response is fresh. The storage decides only which responses to remove when it is
/// full. The body that it returns must be, byte for byte, the one that was
/// stored with the entry. A body whose write was interrupted, or whose bytes have changed since, must be treated as absent. The cache
/// treats an error as an absent response; requests never fail because of it.
public protocol CacheStorage: Sendable {
  /// Returns the entries for a URL, in any order.
  func entries(for key: CacheKey) async throws -> [CacheEntry]

  /// Returns the body that was stored with the entry, and marks the entry as used; `nil` if it is no longer stored.
  func body(of entry: CacheEntry, for key: CacheKey) async throws -> Data?

  /// Stores an entry with its body, atomically, and replaces the URL's entry of the same variant.
  ///
  /// The least recently used entries are removed to make room. An entry that is larger than the storage is not stored, and the entry that
  /// it replaces is removed.
  func store(_ entry: CacheEntry, body: Data, for key: CacheKey) async throws

  /// Updates the metadata of the entry with the same ID, but not its body. Does nothing if it is no longer stored.
  func update(_ entry: CacheEntry, for key: CacheKey) async throws

  /// Removes the entry with the same ID, if it is stored.
  func remove(_ entry: CacheEntry, for key: CacheKey) async throws

  /// Removes all entries for a URL.
  func removeAll(for key: CacheKey) async throws

  /// Removes all entries.
  func removeAll() async throws
}

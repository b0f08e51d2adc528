#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a cache keeps its responses: by URL, and for one URL by variant.
///
/// A storage decides nothing but what to let go of when it is full. It never gives a body that is not, byte for byte,
/// the one that was stored with the entry: a write that did not come to its end, or bytes that changed since, are as if
/// they were not there. What it throws the cache takes for nothing stored; requests never fail by it.
public protocol CacheStorage: Sendable {
  /// The entries for a URL, in no order.
  func entries(for key: CacheKey) async throws -> [CacheEntry]

  /// The body that was stored with the entry, which counts as a use of it; `nil` where it is there no more.
  func body(of entry: CacheEntry, for key: CacheKey) async throws -> Data?

  /// Stores an entry with its body, both or none, in the place of the URL's entry of the same variant.
  ///
  /// What was not used for longest is let go of to make room. What is larger than the storage is not stored, and what
  /// was in its place is removed.
  func store(_ entry: CacheEntry, body: Data, for key: CacheKey) async throws

  /// Changes what is stored beside the body of the entry with the same ID; does nothing where there is none any more.
  func update(_ entry: CacheEntry, for key: CacheKey) async throws

  /// Removes the entry with the same ID, if it is there.
  func remove(_ entry: CacheEntry, for key: CacheKey) async throws

  /// Removes all entries for a URL.
  func removeAll(for key: CacheKey) async throws

  /// Removes everything.
  func removeAll() async throws
}

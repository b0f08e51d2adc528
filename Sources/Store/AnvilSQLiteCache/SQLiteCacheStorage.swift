public import AnvilClient
internal import AnvilStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cache storage that keeps responses in a SQLite database, up to a size limit.
///
///     let storage = try await SQLiteCacheStorage(path: "cache.db")
///     configuration.cache = storage
///
/// Stored responses outlive the process. Several storages, also in different processes, may share one file. An entry and its body are one
/// row, so that a process that ends during a write leaves no incomplete entry. Each body has a checksum: a response that was damaged is
/// removed and treated as not stored.
///
/// URLs, credentials and the request fields that select a variant are stored as digests. Response bodies and response fields are stored
/// unchanged. The field `Set-Cookie` is not stored. A new file is readable only by its owner; the mode of an existing file is not changed.
///
/// When the limit is reached, the least recently used responses are removed.
public final class SQLiteCacheStorage: CacheStorage {
  private let worker: CacheWorker

  /// Opens the storage in the file at `path`, and creates the file if it does not exist. Its folder has to exist. While the storage is in
  /// use, files with the suffixes `-wal` and `-shm` are next to it.
  ///
  /// A damaged storage is replaced with an empty one. A file that is not a cache is not changed.
  ///
  /// - Parameters:
  ///   - path: The path of the file. It is never read as a URI.
  ///   - limit: The approximate maximum size of all responses together, in bytes.
  ///   - busyTimeout: The time that a write waits for other processes before it fails.
  /// - Throws: `StoreError`: `notADatabase` for a file that is not a database, `schemaMismatch` for a database that is not a cache,
  ///   `cannotOpen`, and other errors of opening a database.
  public init(path: String, limit: Int = 256 << 20, busyTimeout: Duration = .seconds(5)) async throws {
    worker = try CacheWorker(path: path, limit: limit, busyTimeout: busyTimeout)
    try await worker.open()
  }

  /// Returns the entries for a URL, in no particular order. Damaged entries are removed.
  ///
  /// - Throws: `StoreError`.
  public func entries(for key: CacheKey) async throws -> [CacheEntry] {
    try await worker.entries(for: key.rawValue)
  }

  /// Returns the body of the entry, and marks the entry as used. Returns `nil` if the entry was removed or is damaged.
  ///
  /// - Throws: `StoreError`.
  public func body(of entry: CacheEntry, for key: CacheKey) async throws -> Data? {
    try await worker.body(of: entry, key.rawValue)
  }

  /// Stores an entry with its body in one transaction. It replaces the entry for the same URL and variant. An entry that is larger than the
  /// storage's limit is not stored, but the earlier entry is removed.
  ///
  /// - Throws: `StoreError`.
  public func store(_ entry: CacheEntry, body: Data, for key: CacheKey) async throws {
    try await worker.store(entry, body, key.rawValue)
  }

  /// Updates the stored entry with the same ID, without its body. It does nothing if the entry was removed.
  ///
  /// - Throws: `StoreError`.
  public func update(_ entry: CacheEntry, for key: CacheKey) async throws {
    try await worker.update(entry, key.rawValue)
  }

  /// Removes the entry with the same ID, if it exists.
  ///
  /// - Throws: `StoreError`.
  public func remove(_ entry: CacheEntry, for key: CacheKey) async throws {
    try await worker.remove(entry, key.rawValue)
  }

  /// Removes all entries for a URL.
  ///
  /// - Throws: `StoreError`.
  public func removeAll(for key: CacheKey) async throws {
    try await worker.removeAll(for: key.rawValue)
  }

  /// Removes all entries.
  ///
  /// - Throws: `StoreError`.
  public func removeAll() async throws {
    try await worker.removeAll()
  }

  /// Closes the file. Later calls throw `StoreError.Code.closed`.
  public func close() async {
    await worker.close()
  }
}

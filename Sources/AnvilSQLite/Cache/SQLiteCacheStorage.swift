public import AnvilClient
internal import AnvilStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps a cache's responses in a SQLite database, up to a limit.
///
///     let storage = try await SQLiteCacheStorage(path: "cache.db")
///     let service = TransportService(session: session, interceptors: [CacheInterceptor(storage: storage)])
///
/// What was stored outlives the process. Several storages, in several processes, may share one file. An entry and its
/// body are one row: a process that ends in the midst of writing leaves nothing of it, and bytes that are not those
/// that were written are found out by a checksum, removed, and taken for nothing stored.
///
/// URLs, credentials and selecting fields are in the file as digests; bodies of responses are as they came, and so are
/// fields, but for `Set-Cookie`, which is not there. Only its owner may read a file that is made here; the mode of one that
/// is there is left alone.
/// When a response does not fit, those that were not used for longest are let go of.
public final class SQLiteCacheStorage: CacheStorage {
  private let worker: CacheWorker

  /// The storage in the file at `path`, which is made when there is none; its folder has to be there. Beside it are
  /// `-wal` and `-shm` while it is in use.
  ///
  /// A storage that is damaged is made anew, empty. A file that is something else is left alone.
  ///
  /// - Parameters:
  ///   - path: the path, never a URI.
  ///   - limit: the most bytes that all responses together take, about.
  ///   - busyTimeout: how long a write waits for those of other processes before it fails.
  /// - Throws: `StoreError`: `notADatabase` for a file that is none, `schemaMismatch` for a database of something else,
  ///   `cannotOpen`, and what else opening throws.
  public init(path: String, limit: Int = 256 << 20, busyTimeout: Duration = .seconds(5)) async throws {
    worker = try CacheWorker(path: path, limit: limit, busyTimeout: busyTimeout)
    try await worker.open()
  }

  /// The entries for a URL, in no order. One that is damaged is removed.
  ///
  /// - Throws: `StoreError`.
  public func entries(for key: CacheKey) async throws -> [CacheEntry] {
    try await worker.entries(for: key.rawValue)
  }

  /// The body that was stored with the entry, which counts as a use of it; `nil` where it is there no more, or was
  /// damaged.
  ///
  /// - Throws: `StoreError`.
  public func body(of entry: CacheEntry, for key: CacheKey) async throws -> Data? {
    try await worker.body(of: entry, key.rawValue)
  }

  /// Stores an entry with its body, in one transaction, in the place of the URL's entry of the same variant.
  ///
  /// - Throws: `StoreError`.
  public func store(_ entry: CacheEntry, body: Data, for key: CacheKey) async throws {
    try await worker.store(entry, body, key.rawValue)
  }

  /// Changes what is stored beside the body of the entry with the same ID; does nothing where there is none any more.
  ///
  /// - Throws: `StoreError`.
  public func update(_ entry: CacheEntry, for key: CacheKey) async throws {
    try await worker.update(entry, key.rawValue)
  }

  /// Removes the entry with the same ID, if it is there.
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

  /// Removes everything.
  ///
  /// - Throws: `StoreError`.
  public func removeAll() async throws {
    try await worker.removeAll()
  }

  /// Lets go of the file. Whatever is asked afterwards throws `StoreError.Code.closed`.
  public func close() async {
    await worker.close()
  }
}

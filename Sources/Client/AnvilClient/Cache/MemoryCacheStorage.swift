internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cache storage in memory with a size limit.
///
/// If a response does not fit, the least recently used ones are removed. Returning a body does not copy its bytes.
public final class MemoryCacheStorage: CacheStorage {
  private let contents: Mutex<Contents>

  /// Creates an empty storage.
  ///
  /// - Parameter limit: The approximate maximum number of bytes of all responses together.
  public init(limit: Int = 32 << 20) {
    contents = Mutex(Contents(limit: limit))
  }

  /// The approximate number of bytes of the responses.
  package var size: Int { contents.withLock(\.size) }

  /// Returns the entries for a URL, in any order.
  public func entries(for key: CacheKey) -> [CacheEntry] {
    contents.withLock { $0.items[key]?.values.map(\.entry) ?? [] }
  }

  /// Returns the body that was stored with the entry, and marks the entry as used; `nil` if it is no longer stored.
  public func body(of entry: CacheEntry, for key: CacheKey) -> Data? {
    contents.withLock { $0.use(entry, key) }
  }

  /// Stores an entry with its body, and replaces the URL's entry of the same variant.
  public func store(_ entry: CacheEntry, body: Data, for key: CacheKey) {
    let removed = contents.withLock { $0.store(entry, body, key) }
    // The removed items are released here, outside of the lock.
    _ = consume removed
  }

  /// Updates the metadata of the entry with the same ID, but not its body. Does nothing if it is no longer stored.
  public func update(_ entry: CacheEntry, for key: CacheKey) {
    contents.withLock { $0.update(entry, key) }
  }

  /// Removes the entry with the same ID, if it is stored.
  public func remove(_ entry: CacheEntry, for key: CacheKey) {
    let removed = contents.withLock { $0.holds(entry, key) ? $0.remove(entry.variant, key) : nil }
    _ = consume removed
  }

  /// Removes all entries for a URL.
  public func removeAll(for key: CacheKey) {
    let removed = contents.withLock { contents in
      (contents.items[key] ?? [:]).keys.map { contents.remove($0, key) }
    }
    _ = consume removed
  }

  /// Removes all entries.
  public func removeAll() {
    let removed = contents.withLock { contents in
      defer { contents = Contents(limit: contents.limit) }
      return contents
    }
    _ = consume removed
  }
}

extension MemoryCacheStorage {
  private struct Item {
    var entry: CacheEntry
    let body: Data
    /// The number of the item's last use, counting the uses of all items.
    var use: Int
  }

  private struct Contents {
    let limit: Int
    var items: [CacheKey: [String: Item]] = [:]
    var size = 0
    /// The uses of all items, in order. Only the last use of each item counts. Earlier ones are obsolete and are removed in bulk.
    private var uses: ArraySlice<(number: Int, key: CacheKey, variant: String)> = []
    private var useCount = 0
    private var itemCount = 0

    init(limit: Int) {
      self.limit = limit
    }

    func holds(_ entry: CacheEntry, _ key: CacheKey) -> Bool {
      items[key]?[entry.variant]?.entry.id == entry.id
    }

    mutating func use(_ entry: CacheEntry, _ key: CacheKey) -> Data? {
      guard holds(entry, key), let body = items[key]?[entry.variant]?.body else { return nil }
      let number = numberOfUse(key, entry.variant)
      items[key]?[entry.variant]?.use = number
      return body
    }

    /// Stores the entry. Returns the items that it replaces or that were removed to make room, so that the caller can release them outside
    /// the lock.
    mutating func store(_ entry: CacheEntry, _ body: Data, _ key: CacheKey) -> [Item?] {
      var removed = [remove(entry.variant, key)]
      guard entry.size <= limit else { return removed }
      while size > limit - entry.size, let oldest = uses.popFirst() {
        guard items[oldest.key]?[oldest.variant]?.use == oldest.number else { continue }
        removed.append(remove(oldest.variant, oldest.key))
      }
      size += entry.size
      itemCount += 1
      let number = numberOfUse(key, entry.variant)
      items[key, default: [:]][entry.variant] = Item(entry: entry, body: body, use: number)
      return removed
    }

    mutating func update(_ entry: CacheEntry, _ key: CacheKey) {
      guard holds(entry, key), let old = items[key]?[entry.variant]?.entry else { return }
      size += entry.size - old.size
      items[key]?[entry.variant]?.entry = entry
    }

    mutating func remove(_ variant: String, _ key: CacheKey) -> Item? {
      guard let item = items[key]?.removeValue(forKey: variant) else { return nil }
      if items[key]?.isEmpty == true { items[key] = nil }
      size -= item.entry.size
      itemCount -= 1
      return item
    }

    private mutating func numberOfUse(_ key: CacheKey, _ variant: String) -> Int {
      if uses.count > 2 * itemCount + 64 {
        let items = items
        uses = uses.filter { items[$0.key]?[$0.variant]?.use == $0.number }[...]
      }
      useCount += 1
      uses.append((useCount, key, variant))
      return useCount
    }
  }
}

internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps a cache's responses in memory, up to a limit; gone with the process.
///
/// When a response does not fit, those that were not used for longest are let go of. Copying one out copies no bytes.
public final class MemoryCacheStorage: CacheStorage {
  private let contents: Mutex<Contents>

  /// A storage with nothing in it.
  ///
  /// - Parameter limit: the most bytes that all responses together take, about.
  public init(limit: Int = 32 << 20) {
    contents = Mutex(Contents(limit: limit))
  }

  /// How many bytes the responses take, about.
  public var size: Int { contents.withLock(\.size) }

  /// The entries for a URL, in no order.
  public func entries(for key: CacheKey) -> [CacheEntry] {
    contents.withLock { $0.items[key]?.values.map(\.entry) ?? [] }
  }

  /// The body that was stored with the entry, which counts as a use of it; `nil` where it is there no more.
  public func body(of entry: CacheEntry, for key: CacheKey) -> Data? {
    contents.withLock { $0.use(entry, key) }
  }

  /// Stores an entry with its body in the place of the URL's entry of the same variant.
  public func store(_ entry: CacheEntry, body: Data, for key: CacheKey) {
    let removed = contents.withLock { $0.store(entry, body, key) }
    // Freed here and not under the lock.
    _ = consume removed
  }

  /// Changes what is stored beside the body of the entry with the same ID; does nothing where there is none any more.
  public func update(_ entry: CacheEntry, for key: CacheKey) {
    contents.withLock { $0.update(entry, key) }
  }

  /// Removes the entry with the same ID, if it is there.
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

  /// Removes everything.
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
    /// The number of its last use.
    var use: Int
  }

  private struct Contents {
    let limit: Int
    var items: [CacheKey: [String: Item]] = [:]
    var size = 0
    /// The uses in order. Those that are not the last of their item say nothing any more, and are cleared away in bulk.
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

    /// Returns what had to go.
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

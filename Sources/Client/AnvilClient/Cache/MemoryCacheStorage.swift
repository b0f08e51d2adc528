public import AnvilBase
internal import AnvilHTTP
internal import Synchronization

/// A cache storage in memory with a size limit.
///
/// If a response does not fit, the least recently used ones are removed. Returning a body does not copy its bytes.
public final class MemoryCacheStorage: CacheStorage {
  private let contents: Mutex<Contents>

  /// Creates an empty storage.
  ///
  /// - Parameter limit: The approximate maximum number of bytes of all responses together.
  public init(sizeLimit limit: Int = 32 << 20) {
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

/// The SHA-256 of a list of texts. The cache uses it to identify URLs, credentials and the values of fields that `Vary` names, without
/// storing them.
///
/// The length of each text is hashed before the text, so that different lists have different inputs.
struct CacheDigest {
  private var bytes: [UInt8] = []

  mutating func add(_ text: some StringProtocol) {
    bytes.append(contentsOf: "\(text.utf8.count):".utf8)
    bytes.append(contentsOf: text.utf8)
  }

  /// The digest of the added texts, as 64 hexadecimal digits.
  var text: String { HashFunction.sha256.hexadecimal(of: bytes) }
}

/// The key of the responses for a URL in a cache.
///
/// It is a digest of the URL without its fragment, so that a storage contains no secrets of URLs in clear text. Scheme and host are
/// case-insensitive, the default port equals no port, and an empty path equals `/`. Everything else is compared byte for byte.
///
/// Source: RFC 9111 §2; RFC 9110 §4.2.3.
public struct CacheKey: Hashable, Sendable {
  /// The digest, 64 hexadecimal digits.
  public let rawValue: String

  /// Creates the key of `url`; `nil` for a URL that cannot be cached, because it has a scheme other than `http` and `https` or no host.
  public init?(_ url: URL) {
    guard let origin = HTTP.Origin(url), origin.scheme == "https" || origin.scheme == "http",
      let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return nil }
    var digest = CacheDigest()
    digest.add(origin.description)
    digest.add("\(parts.percentEncodedUser ?? ""):\(parts.percentEncodedPassword ?? "")")
    digest.add(parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath)
    digest.add(parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    rawValue = digest.text
  }
}

/// The variants of a URL's responses, which select the requests that a stored response may answer.
enum CacheVariant {
  /// The fields that identify the caller to the server. A response is reused only for the same values, because callers may get different
  /// responses.
  private static let credentials: [HTTP.HeaderKey] = [.authorization, .cookie]

  /// Whether the name of a field says that it has a credential. Kept because every request needs it, and limited because a program may make
  /// up names.
  private static let credentialNames = Mutex<[HTTP.HeaderKey: Bool]>([:])
  private static let credentialNameLimit = 1_000

  /// Returns the fields of `headers` whose values are hidden in logs because of their names, such as `X-Api-Key`. A redirect to another
  /// origin does not keep them either.
  static func credentialFields(of headers: HTTP.Headers) -> [HTTP.HeaderKey] {
    credentialNames.withLock { known in
      headers.map(\.key).filter { key in
        if let isCredential = known[key] { return isCredential }
        let isCredential = HTTP.Redaction().isSecret(name: key.rawValue)
        if known.count < credentialNameLimit { known[key] = isCredential }
        return isCredential
      }
    }
  }

  /// Returns the names of the fields in `Vary`, in lower case and sorted; `nil` for `*`, which no request matches.
  ///
  /// Source: RFC 9111 §4.1; RFC 9110 §12.5.5.
  static func names(in headers: HTTP.Headers) -> [String]? {
    let names = headers.elements(of: .vary).map { $0.lowercased() }
    guard !names.contains("*") else { return nil }
    return Set(names).sorted()
  }

  /// Returns a digest of the credentials of a request and of its values of the fields `names`.
  ///
  /// - Parameter sensitive: Further fields that contain credentials.
  static func text(
    of headers: HTTP.Headers, names: [String], sensitive: Set<HTTP.HeaderKey>
  ) -> String {
    var digest = CacheDigest()
    let others = sensitive.map { $0.rawValue.lowercased() }.sorted().map(HTTP.HeaderKey.init(rawValue:))
    for key in credentials + others.filter({ !credentials.contains($0) }) {
      // A sensitive field that is absent is skipped, so that requests that do not mark it as sensitive have the same key.
      guard headers.contains(key) else { continue }
      digest.add(key.rawValue.lowercased())
      for value in headers.values(for: key) { digest.add(identity(of: value, in: key) ?? value.rawValue) }
    }
    digest.add("")
    for name in names {
      let key = HTTP.HeaderKey(rawValue: name)
      digest.add(name)
      digest.add(headers.contains(key) ? "=" : "")
      // Line breaks between values and blanks are ignored: `a, b` equals `a,b`, and `a` followed by `b`. Other equivalences are known only
      // to the server.
      let values = headers.values(for: key).flatMap { value in
        identity(of: value, in: key).map { [$0] } ?? FieldScanner.elements(in: value.rawValue)
      }
      digest.add("\(values.count)")
      for value in values { digest.add(value) }
    }
    return digest.text
  }

  /// Returns a digest of the user and the realm of a Digest credential, which are constant while its count and signature change with each
  /// request. `nil` for any other value, which is used in full.
  ///
  /// Source: RFC 7616 §3.4.
  private static func identity(of value: HTTP.HeaderValue, in key: HTTP.HeaderKey) -> String? {
    guard key == .authorization else { return nil }
    var scanner = FieldScanner(value.rawValue)
    scanner.skipBlanks()
    guard scanner.token()?.lowercased() == "digest", scanner.next == .space else { return nil }
    let rest = String(decoding: value.rawValue.utf8.dropFirst(scanner.position), as: UTF8.self)
    let parameters = FieldScanner.directives(in: rest)
    let users = parameters.filter { ["username", "username*", "userhash"].contains($0.name) }
    let realms = parameters.filter { $0.name == "realm" }
    guard users.contains(where: { $0.name != "userhash" }), !realms.isEmpty else { return nil }
    var digest = CacheDigest()
    for parameter in users + realms {
      digest.add(parameter.name)
      digest.add(parameter.argument ?? "")
    }
    // A field value cannot contain a line break, so no value from a request equals this one.
    return "Digest\n\(digest.text)"
  }
}

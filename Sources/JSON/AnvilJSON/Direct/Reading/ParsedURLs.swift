internal import AnvilBase

/// A cache of the URLs that a reader has parsed, by their text. Lists of objects often repeat URLs, such as the picture
/// of an author. Comparing two texts is several times as fast as `URL(string:)`.
struct ParsedURLs {
  private struct Entry {
    var text = ScannedString(start: 0, length: -1, isNonASCII: false)
    var url: URL?
  }

  /// The entries of a direct-mapped cache. The index is derived from the text; a later URL replaces an earlier one with
  /// the same index.
  private var entries: [Entry] = []

  /// The minimum size of a text, in bytes, for which URLs are cached.
  private static var leastByteCount: Int { 1 << 14 }
  private static var largestEntryCount: Int { 1 << 10 }

  /// Returns the URL that was parsed from the same characters as `text` of `bytes`, or parses it. Returns `nil` if `text` is not a URL.
  mutating func url(_ text: ScannedString, in bytes: PaddedBytes) -> URL? {
    guard bytes.count >= Self.leastByteCount, text.length >= 16 else { return Self.parsed(text, in: bytes) }
    if entries.isEmpty { entries = Array(repeating: Entry(), count: Self.entryCount(for: bytes.count)) }
    let index = Self.hash(text, in: bytes) & (entries.count &- 1)
    let known = entries[index].text
    if known.length == text.length,
      bytes.withSpan(at: known.start, length: known.length, { bytes.equals($0, at: text.start) })
    {
      return entries[index].url
    }
    guard let url = Self.parsed(text, in: bytes) else { return nil }
    entries[index] = Entry(text: text, url: url)
    return url
  }

  private static func parsed(_ text: ScannedString, in bytes: PaddedBytes) -> URL? {
    URL(string: bytes.string(at: text.start, length: text.length, isASCII: !text.isNonASCII))
  }

  /// Returns a power of two that grows with the text.
  private static func entryCount(for byteCount: Int) -> Int {
    var count = 16
    while count < largestEntryCount, count < byteCount >> 10 { count *= 2 }
    return count
  }

  /// Returns a hash of the length, the last eight bytes, and the eight bytes in the middle, because URLs of one site
  /// begin with the same characters.
  private static func hash(_ text: ScannedString, in bytes: PaddedBytes) -> Int {
    let last = bytes.load(UInt64.self, at: text.start &+ text.length &- 8)
    let middle = bytes.load(UInt64.self, at: text.start &+ text.length / 2)
    let mixed =
      (last ^ (middle &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(truncatingIfNeeded: text.length)) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 40)
  }
}

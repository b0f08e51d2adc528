internal import AnvilHTTP

/// The value of `Content-Range` in a response: the range of bytes or, if the requested range could not be satisfied, only the total number.
///
/// Source: RFC 9110 §14.4.
enum ContentRange: Hashable, Sendable {
  /// The bytes from `first` to `last`, both inclusive and counted from 0. `total` is the length of the complete resource; `nil` if it is
  /// not known.
  case bytes(first: Int, last: Int, total: Int?)
  /// The requested range could not be satisfied; the resource has `total` bytes: `bytes */total`.
  case unsatisfied(total: Int)

  /// Parses the range in `headers`; `nil` if it is missing, repeated, invalid, or in another unit than bytes.
  init?(_ headers: HTTP.Headers) {
    let values = headers.values(for: .contentRange)
    guard values.count == 1, let text = values.first?.rawValue else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let total = Self.number(parts[1])
    if parts[0] == "*" {
      guard let total else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    // `last` must be less than the largest number, so that the position after it does not overflow.
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
      last < .max, total != nil || parts[1] == "*", last < total ?? .max
    else { return nil }
    self = .bytes(first: first, last: last, total: total)
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}

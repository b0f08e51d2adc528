public import Foundation

/// Bodies in the form in which a content coding stores bytes without compressing them.
public enum Stored {
  /// The codings that libraries of the system may decode, and `text`, of at most 128 bytes and an odd number of them, in each of them.
  ///
  /// Source: RFC 1951 §3.2.4, RFC 7932 §9, RFC 8878 §3.1.1.
  public static func codings(of text: Data) -> [(name: String, body: Data)] {
    let count = UInt8(text.count)
    return [
      ("deflate", [1, count, 0, ~count, 0xFF] + text),
      ("br", [0x0B, (count - 1) / 2, 0x80] + text + [0x03]),
      ("zstd", [0x28, 0xB5, 0x2F, 0xFD, 0x20, count, count << 3 | 1, count >> 5, 0] + text),
    ]
  }
}

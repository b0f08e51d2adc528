internal import Foundation

/// Escapes text for a terminal, as ``Swift/String/printableLines`` does. The text can be received in chunks.
struct TerminalText {
  /// The bytes at the end of the last chunk that may begin a character or a line end.
  private var rest = Data()

  /// Returns the printable text up to the end of `chunk`. Bytes at the end that a later chunk may complete are kept back.
  mutating func append(_ chunk: Data) -> Data {
    let bytes = rest + chunk
    // A copy: Foundation traps if bytes are appended to a slice of a slice.
    rest = Data(bytes.suffix(Self.incompleteCount(bytes)))
    return Self.printable(bytes.dropLast(rest.count))
  }

  /// Returns the printable text of the bytes that were kept back.
  mutating func finish() -> Data {
    defer { rest = Data() }
    return Self.printable(rest)
  }

  private static func printable(_ bytes: Data) -> Data {
    Data(String(decoding: bytes, as: UTF8.self).printableLines.utf8)
  }

  /// Returns the number of bytes at the end that are an incomplete character in UTF-8; 1 for a CR, which an LF may follow.
  private static func incompleteCount(_ bytes: Data) -> Int {
    if bytes.last == 0x0D { return 1 }
    let tail = bytes.suffix(3)
    guard let start = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
    let length =
      switch tail[start] {
      case 0xC0..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0...: 4
      default: 1
      }
    let count = tail.endIndex - start
    return count < length ? count : 0
  }
}

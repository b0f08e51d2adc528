#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Bytes that have come and are not yet read, taken by the line or by the count.
struct LineBuffer {
  private var bytes: [UInt8] = []
  /// Where the bytes not yet taken begin.
  private var start = 0
  /// Before this, and not before `start`, there is no line feed.
  private var searched = 0

  /// How many bytes there are.
  var count: Int { bytes.count - start }

  mutating func append(_ more: [UInt8]) {
    // All that was taken goes at once, so that a byte is moved once and not with each line.
    if start > 0 {
      bytes.removeSubrange(..<start)
      searched = max(searched - start, 0)
      start = 0
    }
    bytes += more
  }

  /// The next line, without its CR LF; `nil` when its end has not come.
  ///
  /// - Throws: `tooLong` when there are more than `limit` bytes before the line's end, 400 for a line feed without a
  ///   carriage return.
  mutating func takeLine(limit: Int, tooLong: BadRequest) throws(BadRequest) -> [UInt8]? {
    let end = bytes[max(searched, start)...].firstIndex(of: 0x0A)
    guard (end ?? bytes.count) - start <= limit + 1 else { throw tooLong }
    guard let end else {
      searched = bytes.count
      return nil
    }
    guard end > start, bytes[end - 1] == 0x0D else { throw .malformed("a line ends without a carriage return") }
    let line = Array(bytes[start..<(end - 1)])
    start = end + 1
    return line
  }

  /// The next bytes, `limit` at most.
  mutating func take(upTo limit: Int) -> Data {
    let end = start + min(limit, count)
    defer { start = end }
    return Data(bytes[start..<end])
  }
}

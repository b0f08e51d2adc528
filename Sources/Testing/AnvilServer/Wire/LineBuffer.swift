#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A buffer of received bytes, from which lines or a number of bytes are taken.
struct LineBuffer {
  private var bytes: [UInt8] = []
  /// The offset of the first byte that was not taken yet.
  private var start = 0
  /// The offset up to which no line feed was found, so that no byte is searched twice.
  private var searched = 0

  /// The number of bytes in the buffer.
  var count: Int { bytes.count - start }

  mutating func append(_ more: [UInt8]) {
    // Bytes that were taken are removed together here, so that each remaining byte is moved once and not with every line.
    if start > 0 {
      bytes.removeSubrange(..<start)
      searched = max(searched - start, 0)
      start = 0
    }
    bytes += more
  }

  /// Removes and returns the next line without its CR LF, or `nil` if the line is incomplete.
  ///
  /// - Throws: `tooLong` if the line is longer than `limit` bytes; an error with status 400 for a line feed without a carriage return.
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

  /// Removes and returns the next bytes, at most `limit`.
  mutating func take(upTo limit: Int) -> Data {
    let end = start + min(limit, count)
    defer { start = end }
    return Data(bytes[start..<end])
  }
}

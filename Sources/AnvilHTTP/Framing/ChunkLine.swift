/// The line before the bytes of a chunk: their count in hexadecimal digits, and perhaps extensions.
///
/// Source: RFC 9112 §7.1 and §7.1.1.
package enum ChunkLine {
  /// Why a line is refused.
  package struct Malformed: Error {
    /// What is wrong with it.
    package let reason: String

    package init(reason: String) {
      self.reason = reason
    }
  }

  /// The most bytes that a line may have.
  package static let maximumSize = 4 << 10

  /// Returns the count that `line`, without its line end, gives; `Int.max` for any that is larger.
  ///
  /// Blanks may follow the digits, as some servers pad them. Nothing else may but extensions, which are ignored: a reader that
  /// takes `5g` or `0x5` for a count finds the end of the message elsewhere than the next one.
  package static func size(of line: [UInt8]) throws(Malformed) -> Int {
    var size = 0
    var index = 0
    while index < line.count, let digit = hexadecimalValue(line[index]) {
      let (product, overflows) = size.multipliedReportingOverflow(by: 16)
      size = overflows || product > .max - digit ? .max : product + digit
      index += 1
    }
    guard index > 0 else { throw Malformed(reason: "a chunk does not begin with its size in hexadecimal digits") }
    while index < line.count, line[index] == 0x20 || line[index] == 0x09 { index += 1 }
    guard index < line.count else { return size }
    guard line[index] == 0x3B else { throw Malformed(reason: "the size of a chunk is not hexadecimal") }
    guard line[index...].allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw Malformed(reason: "an extension of a chunk has a control character")
    }
    return size
  }

  private static func hexadecimalValue(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte - 0x30)
    case 0x41...0x46: Int(byte - 0x37)
    case 0x61...0x66: Int(byte - 0x57)
    default: nil
    }
  }
}

/// The part of a chunked body that is not content: sizes and extensions.
///
/// Chunks of a single byte are legitimate, and so is an extension here and there. A body that consists of little else keeps its
/// reader busy without giving it anything.
package struct ChunkOverhead {
  /// How many bytes there may be beyond what the content accounts for.
  package static let limit = 16 << 10
  /// How many bytes of a line are free of charge: sixteen digits and the line end.
  private static let allowance = 18

  private var excess = 0

  package init() {}

  /// Counts a chunk whose line, without its line end, has `lineSize` bytes.
  package mutating func add(lineSize: Int, contentSize: Int) throws(ChunkLine.Malformed) {
    excess += lineSize + 2 - Self.allowance
    excess -= min(contentSize, Self.limit)
    excess = max(excess, 0)
    guard excess <= Self.limit else {
      throw ChunkLine.Malformed(
        reason: "the extensions of chunks have more than \(Self.limit) bytes in excess of the content")
    }
  }
}

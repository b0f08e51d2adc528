internal import AnvilBase

/// The line before the data of a chunk: its size in hexadecimal digits, with optional extensions. Source: RFC 9112 §7.1 and §7.1.1.
package enum ChunkLine {
  package struct Malformed: Error {
    package let reason: String

    package init(reason: String) {
      self.reason = reason
    }
  }

  /// The maximum number of bytes of a line.
  package static let maximumSize = 4 << 10

  /// Returns the size in `line`, which has no line end. A size larger than `Int.max` is returned as `Int.max`.
  ///
  /// The digits may be followed by spaces and tabs, because some servers pad them, and by extensions, which are ignored. Anything else is
  /// an error: a parser that accepts `5g` or `0x5` finds a different end of the message than other parsers.
  package static func size(of line: [UInt8]) throws(Malformed) -> Int {
    var size = 0
    var index = 0
    while index < line.count, let digit = line[index].hexadecimalValue {
      let (product, overflows) = size.multipliedReportingOverflow(by: 16)
      size = overflows || product > .max - Int(digit) ? .max : product + Int(digit)
      index += 1
    }
    guard index > 0 else { throw Malformed(reason: "a chunk does not begin with its size in hexadecimal digits") }
    while index < line.count, line[index].isBlank { index += 1 }
    guard index < line.count else { return size }
    guard line[index] == .semicolon else { throw Malformed(reason: "the size of a chunk is not hexadecimal") }
    guard !line[index...].contains(where: \.isFieldControl) else {
      throw Malformed(reason: "an extension of a chunk has a control character")
    }
    return size
  }
}

/// Limits the bytes of a chunked body that are not content: the lines with sizes and extensions.
///
/// Single-byte chunks and occasional extensions are legitimate. A body that consists of little else keeps its reader busy without
/// delivering content.
package struct ChunkOverhead {
  /// The maximum number of bytes by which the counted bytes may exceed the content.
  package static let limit = 16 << 10
  /// The number of bytes that are not counted in each line: those of a size with sixteen digits and of the line end.
  private static let allowance = 18

  private var excess = 0

  package init() {}

  /// Throws if the limit is exceeded. `lineSize` is the number of bytes of the chunk's line, without the line end.
  package mutating func add(lineSize: Int, contentSize: Int) throws(ChunkLine.Malformed) {
    excess += lineSize + 2 - Self.allowance
    excess -= min(contentSize, Self.limit)
    excess = max(excess, 0)
    guard excess <= Self.limit else {
      throw ChunkLine.Malformed(
        reason: "the chunk extensions exceed the content by more than \(Self.limit) bytes")
    }
  }
}

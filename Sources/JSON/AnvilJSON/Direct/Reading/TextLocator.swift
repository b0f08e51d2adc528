/// The context of a location in a text, found by reading the text up to it. Only errors use it.
///
/// The text need not be valid JSON after the location. Before the location it may be invalid if a caller passed an arbitrary offset. The
/// result is then meaningless but safe.
enum TextLocator {
  private struct Container {
    var start: Int
    var isObject: Bool
    /// The range of the key of the member that contains the location, with its quotation marks; `nil` if the location is before the end of
    /// a key.
    var key: Range<Int>?
    var index = 0
  }

  /// Returns the path from the outermost value to the one that contains `offset`.
  ///
  /// - Complexity: O(*n*), where *n* is the offset.
  static func path(to offset: Int, in source: RawSpan) -> JSON.Path {
    paths(to: [offset], in: source)[0]
  }

  /// Returns the paths from the outermost value to those that contain the offsets, which are in ascending order.
  ///
  /// - Complexity: O(*n*), where *n* is the last offset.
  static func paths(to offsets: [Int], in source: RawSpan) -> [JSON.Path] {
    var open: [Container] = []
    var next = 0
    return offsets.map { offset in
      read(source, from: &next, to: offset, &open)
      return JSON.Path(
        steps: open.compactMap { container in
          guard container.isObject else { return .index(container.index) }
          return container.key.map { .key(string(at: $0, in: source)) }
        })
    }
  }

  /// Returns the start of the container that ends just before `end`; `nil` if no container ends there.
  static func startOfContainer(endingAt end: Int, in source: RawSpan) -> Int? {
    var open: [Container] = []
    var next = 0
    let start = read(source, from: &next, to: end, &open)
    return end > 0 && end <= source.byteCount && [0x5D, 0x7D].contains(source[end - 1]) ? start : nil
  }

  /// Stores the containers that are open at `end` in `open`, starting at `next`. Moves `next` to `end`, or to the end of the string that
  /// contains `end`. Returns the start of the container that ended last before `end`.
  @discardableResult
  private static func read(
    _ source: RawSpan, from next: inout Int, to end: Int, _ open: inout [Container]
  ) -> Int? {
    let end = min(end, source.byteCount)
    var closed: Int?
    while next < end {
      let byte = source[next]
      switch byte {
      case 0x22:
        let endOfString = endOfString(from: next, in: source)
        // A location within a key belongs to the object.
        guard endOfString <= end else { return closed }
        if let last = open.last, last.isObject, last.key == nil { open[open.count - 1].key = next..<endOfString }
        next = endOfString
        continue
      case 0x7B, 0x5B: open.append(Container(start: next, isObject: byte == 0x7B))
      case 0x7D, 0x5D:
        if let container = open.popLast() { closed = container.start }
      case 0x2C where !open.isEmpty:
        open[open.count - 1].key = nil
        open[open.count - 1].index += 1
      default: break
      }
      next += 1
    }
    return closed
  }

  /// Returns the offset after the string whose opening quotation mark is at `start`; the end of the text if it is not closed.
  static func endOfString(from start: Int, in source: RawSpan) -> Int {
    var next = start + 1
    while next < source.byteCount, source[next] != 0x22 {
      next += source[next] == 0x5C ? 2 : 1
    }
    return min(next + 1, source.byteCount)
  }

  /// Returns the offset of the comma or closing bracket after the value that begins at `start`, or the end of the text.
  static func endOfValue(from start: Int, in source: RawSpan) -> Int {
    var next = start
    var depth = 0
    while next < source.byteCount {
      switch source[next] {
      case 0x22:
        next = endOfString(from: next, in: source)
        continue
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D:
        if depth == 0 { return next }
        depth -= 1
      case 0x2C where depth == 0: return next
      default: break
      }
      next += 1
    }
    return next
  }

  /// Returns the string or key in `range`, which includes its quotation marks.
  static func string(at range: Range<Int>, in source: RawSpan) -> String {
    let text = range.map { source[$0] }
    return (try? JSON(parsing: text))?.string ?? String(decoding: text, as: UTF8.self)
  }

  /// Returns the beginning of the value at `offset`, at most 40 bytes. White space between tokens is reduced to one space.
  static func excerpt(at offset: Int, in source: RawSpan) -> String? {
    var bytes: [UInt8] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    for next in offset..<max(offset, source.byteCount) {
      let byte = source[next]
      let isWhitespace = [0x20, 0x0A, 0x0D, 0x09].contains(byte)
      if !isInString, depth == 0, next > offset, isWhitespace || [0x2C, 0x7D, 0x5D].contains(byte) { break }
      guard bytes.count < 40 else {
        // Do not cut within a scalar.
        if byte & 0xC0 == 0x80, let lead = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) {
          bytes.removeSubrange(lead...)
        }
        return String(decoding: bytes, as: UTF8.self) + "…"
      }
      if !isInString, isWhitespace {
        if bytes.last != 0x20 { bytes.append(0x20) }
        continue
      }
      bytes.append(byte)
      if isInString {
        isInString = isEscaped || byte != 0x22
        isEscaped = !isEscaped && byte == 0x5C
      } else {
        isInString = byte == 0x22
        if byte == 0x7B || byte == 0x5B { depth += 1 }
        if byte == 0x7D || byte == 0x5D { depth -= 1 }
      }
      if !isInString, depth <= 0, byte == 0x7D || byte == 0x5D || byte == 0x22 && bytes.count > 1 { break }
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

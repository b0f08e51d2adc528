internal import AnvilBase
internal import AnvilHTTP

/// A strict parser for chunked bodies, which accepts the bytes in pieces of any size.
///
/// libcurl finds the end of a body by itself, but is lenient: it accepts a line feed as a line end and ignores anything that follows the
/// digits of a size. Therefore libcurl is set to pass on the raw bytes, which are parsed here. Source: RFC 9112 §7.1.
struct ChunkReader {
  enum Element: Equatable {
    /// The offsets of the bytes of a part of the content.
    case content(Range<Int>)
    /// A line of the trailer section with its line end. The last line consists only of the line end.
    case trailer([UInt8])
    /// The offsets of the bytes after the end of the body.
    case excess(Range<Int>)
  }

  private enum State {
    case size
    case content(left: Int)
    case contentEnd
    case trailers
    case over
  }

  private var state = State.size
  private var incompleteLine: [UInt8] = []
  private var overhead = ChunkOverhead()

  var isOver: Bool { if case .over = state { true } else { false } }

  /// Returns the next element at `position` and moves `position` past it. Returns `nil` when all bytes were read.
  mutating func next(in bytes: RawSpan, from position: inout Int) throws(ChunkLine.Malformed) -> Element? {
    while position < bytes.byteCount {
      switch state {
      case .size:
        guard let line = try takeLine(of: bytes, from: &position) else { return nil }
        let size = try ChunkLine.size(of: line.dropLast(2))
        guard size < .max else { throw ChunkLine.Malformed(reason: "the size of a chunk is too large") }
        try overhead.add(lineSize: line.count - 2, contentSize: size)
        state = size == 0 ? .trailers : .content(left: size)
      case .content(let left):
        let end = position + min(left, bytes.byteCount - position)
        defer { position = end }
        state = end - position == left ? .contentEnd : .content(left: left - (end - position))
        return .content(position..<end)
      case .contentEnd:
        let expected: UInt8 = incompleteLine.isEmpty ? .carriageReturn : .lineFeed
        guard bytes[position] == expected else {
          throw ChunkLine.Malformed(reason: "the data of a chunk is not followed by CRLF")
        }
        position += 1
        if incompleteLine.isEmpty {
          incompleteLine.append(expected)
        } else {
          incompleteLine.removeAll(keepingCapacity: true)
          state = .size
        }
      case .trailers:
        guard let line = try takeLine(of: bytes, from: &position) else { return nil }
        if line.count == 2 { state = .over }
        return .trailer(line)
      case .over:
        defer { position = bytes.byteCount }
        return .excess(position..<bytes.byteCount)
      }
    }
    return nil
  }

  /// Returns a line with its CR LF, or `nil` if the line is incomplete.
  private mutating func takeLine(
    of bytes: RawSpan, from position: inout Int
  ) throws(ChunkLine.Malformed) -> [UInt8]? {
    while position < bytes.byteCount {
      let byte = bytes[position]
      position += 1
      incompleteLine.append(byte)
      guard incompleteLine.count <= ChunkLine.maximumSize + 2 else {
        throw ChunkLine.Malformed(reason: "a line of the chunked body has more than \(ChunkLine.maximumSize) bytes")
      }
      guard byte == .lineFeed else { continue }
      guard incompleteLine.count >= 2, incompleteLine[incompleteLine.count - 2] == .carriageReturn else {
        throw ChunkLine.Malformed(reason: "a line of the chunked body does not end with CRLF")
      }
      defer { incompleteLine.removeAll(keepingCapacity: true) }
      return incompleteLine
    }
    return nil
  }
}

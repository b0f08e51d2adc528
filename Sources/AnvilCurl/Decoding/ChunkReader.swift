internal import AnvilHTTP

/// Takes a body out of its chunks, however the bytes are cut.
///
/// libcurl finds the end of a body by itself, and is lenient: it takes a line feed for a line end and passes over whatever
/// follows the digits of a size. It therefore hands over the bytes as they come, and they are read here, strictly.
///
/// Source: RFC 9112 §7.1.
struct ChunkReader {
  /// What the next bytes are.
  enum Element: Equatable {
    /// Bytes of the body, by their offsets.
    case content(Range<Int>)
    /// A line of the trailer section with its end; the last one is empty.
    case trailer([UInt8])
    /// Bytes after the end of the body, by their offsets.
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
  /// The line that has begun.
  private var line: [UInt8] = []
  private var overhead = ChunkOverhead()

  /// Whether the body has ended, its trailers included.
  var isOver: Bool { if case .over = state { true } else { false } }

  /// Returns what the bytes from `position` on are, and moves `position` behind it; `nil` when all were read.
  mutating func next(in bytes: RawSpan, from position: inout Int) throws(ChunkLine.Malformed) -> Element? {
    while position < bytes.byteCount {
      switch state {
      case .size:
        guard let line = try takeLine(of: bytes, from: &position) else { return nil }
        let size = try ChunkLine.size(of: line.dropLast(2))
        guard size < .max else { throw ChunkLine.Malformed(reason: "the size of a chunk is larger than any can be") }
        try overhead.add(lineSize: line.count - 2, contentSize: size)
        state = size == 0 ? .trailers : .content(left: size)
      case .content(let left):
        let end = position + min(left, bytes.byteCount - position)
        defer { position = end }
        state = end - position == left ? .contentEnd : .content(left: left - (end - position))
        return .content(position..<end)
      case .contentEnd:
        let expected: UInt8 = line.isEmpty ? 0x0D : 0x0A
        guard bytes[position] == expected else {
          throw ChunkLine.Malformed(reason: "a chunk does not end where its size says")
        }
        position += 1
        if line.isEmpty {
          line.append(expected)
        } else {
          line.removeAll(keepingCapacity: true)
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

  /// Returns a line with its CR LF; `nil` when its end has not come.
  private mutating func takeLine(
    of bytes: RawSpan, from position: inout Int
  ) throws(ChunkLine.Malformed) -> [UInt8]? {
    while position < bytes.byteCount {
      let byte = bytes[position]
      position += 1
      line.append(byte)
      guard line.count <= ChunkLine.maximumSize + 2 else {
        throw ChunkLine.Malformed(reason: "a line among chunks has more than \(ChunkLine.maximumSize) bytes")
      }
      guard byte == 0x0A else { continue }
      guard line.count >= 2, line[line.count - 2] == 0x0D else {
        throw ChunkLine.Malformed(reason: "a line among chunks does not end with CRLF")
      }
      defer { line.removeAll(keepingCapacity: true) }
      return line
    }
    return nil
  }
}

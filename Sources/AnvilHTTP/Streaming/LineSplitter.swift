#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Cuts text that comes in chunks into lines, without holding more than one of them and a chunk.
///
///     splitter.append(chunk)
///     while let line = try splitter.next() { … }      // then the next chunk; after the last one:
///     let rest = try splitter.finish()
///
/// A mark of UTF-8 at the beginning of the text belongs to no line.
struct LineSplitter {
  /// What ends a line.
  enum Ends {
    /// LF and CR LF. A CR alone belongs to its line.
    case lineFeed
    /// LF, CR LF and CR.
    case lineFeedOrReturn
  }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private let ends: Ends
  private let limit: Int

  private var chunk = Data()
  /// How many bytes of the chunk have been read.
  private var at = 0
  /// Where the chunk's next LF and CR stand; behind its end for none. Known until they are passed, so that each byte is
  /// looked at once for each of them, however often they come.
  private var nextLineFeed = -1
  private var nextReturn = -1
  /// The part of the line that came before the chunk.
  private var pending = Data()
  /// Whether the last line ended with a CR at its chunk's end, so that an LF that follows belongs to that end.
  private var isBehindReturn = false

  /// How many lines have ended.
  private(set) var count = 0
  /// How many bytes of the text stand before the line that was given last.
  private(set) var lineOffset = 0
  /// How many bytes of the text have been read.
  private var offset = 0

  /// - Parameter limit: how many bytes a line may have, its end not counted.
  init(ends: Ends, limit: Int) {
    self.ends = ends
    // Less what is added to it below.
    self.limit = max(0, min(limit, .max - 4))
  }

  /// Takes the text's next bytes; those before have been used up: ``next()`` has returned `nil`.
  mutating func append(_ chunk: Data) {
    assert(at == self.chunk.count)
    self.chunk = chunk
    at = 0
    nextLineFeed = -1
    nextReturn = -1
  }

  /// The next line, without its end; `nil` when it does not end in what has been given.
  ///
  /// - Throws: ``HTTP/BodyError/lineTooLong(line:limit:)``; the splitter must not be used after.
  mutating func next() throws(HTTP.BodyError) -> Data? {
    if isBehindReturn, at < chunk.count {
      isBehindReturn = false
      if chunk[chunk.startIndex + at] == Self.lineFeed {
        at += 1
        offset += 1
      }
    }
    guard at < chunk.count, let (end, next) = findEnd() else {
      try keep(chunk.slice(at..<chunk.count))
      at = chunk.count
      return nil
    }
    let part = chunk.slice(at..<end)
    lineOffset = offset - pending.count
    offset += next - at
    at = next
    var line = part
    if !pending.isEmpty {
      line = Data()
      swap(&line, &pending)
      line.append(part)
    }
    // The CR of a CR LF may have come with the chunk before.
    if ends == .lineFeed, line.last == Self.carriageReturn { line = line.dropLast() }
    return try counted(line)
  }

  /// What stands behind the last line's end; `nil` when nothing does.
  ///
  /// - Throws: ``HTTP/BodyError/lineTooLong(line:limit:)``.
  mutating func finish() throws(HTTP.BodyError) -> Data? {
    guard !pending.isEmpty else { return nil }
    var line = Data()
    swap(&line, &pending)
    lineOffset = offset - line.count
    line = try counted(line)
    return line.isEmpty ? nil : line
  }

  /// Where the line ends in the chunk, and where the next begins; `nil` when it does not end there.
  private mutating func findEnd() -> (end: Int, next: Int)? {
    if nextLineFeed < at { nextLineFeed = chunk.offset(of: Self.lineFeed, from: at) ?? chunk.count }
    if ends == .lineFeedOrReturn {
      if nextReturn < at { nextReturn = chunk.offset(of: Self.carriageReturn, from: at) ?? chunk.count }
      if nextReturn < nextLineFeed {
        isBehindReturn = true
        return (nextReturn, nextReturn + 1)
      }
    }
    return nextLineFeed < chunk.count ? (nextLineFeed, nextLineFeed + 1) : nil
  }

  /// Keeps a part of a line that has not ended.
  private mutating func keep(_ part: Data) throws(HTTP.BodyError) {
    guard !part.isEmpty else { return }
    // A mark, and the CR of an end, do not count and may be among them.
    guard part.count <= limit + 4 - pending.count else { throw .lineTooLong(line: count + 1, limit: limit) }
    pending.append(part)
    offset += part.count
  }

  /// `line` without the text's mark, and counted.
  private mutating func counted(_ line: Data) throws(HTTP.BodyError) -> Data {
    let isMarked = count == 0 && line.starts(with: [0xEF, 0xBB, 0xBF])
    let line = isMarked ? line.dropFirst(3) : line
    guard line.count <= limit else { throw .lineTooLong(line: count + 1, limit: limit) }
    count += 1
    return line
  }
}

extension Data {
  /// The bytes at the offsets of `range`, which are counted from the first and are there.
  fileprivate func slice(_ range: Range<Int>) -> Data {
    self[(startIndex + range.lowerBound)..<(startIndex + range.upperBound)]
  }
}

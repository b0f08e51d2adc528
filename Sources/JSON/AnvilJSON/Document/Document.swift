#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A parsed text, consisting of its bytes and its tape. It is immutable.
///
/// `@unchecked Sendable`: both memories are written, by the parser or a builder, before the document exists, and are only read
/// afterwards. The hint is atomic.
@safe
@usableFromInline
final class Document: @unchecked Sendable {
  let bytes: PaddedBytes
  let tape: TapeMemory
  /// The number of words of the tape.
  let wordCount: Int
  /// The likely position of the next key that the mapping looks up.
  let memberHint = MemberHint()

  private let lifetime: PaddedBytes.Lifetime
  /// The owner of both memories if the document was taken from a partial parser.
  let partial: PartialMemory?

  init(
    bytes: PaddedBytes, tape: TapeMemory, wordCount: Int, for lifetime: PaddedBytes.Lifetime = .kept,
    in partial: PartialMemory? = nil
  ) {
    self.lifetime = lifetime
    self.partial = partial
    self.bytes = bytes
    self.tape = tape
    self.wordCount = wordCount
  }

  deinit {
    guard partial == nil else { return }
    bytes.deallocate(after: lifetime)
    tape.deallocate(used: wordCount)
  }

  /// The encodings that a text may have, as known before the text is examined.
  enum KnownEncoding {
    /// The encoding is unknown. It may be UTF-8, UTF-16 or UTF-32.
    case any
    /// The text is UTF-8. NULs therefore belong to the text and do not indicate another encoding.
    case utf8
    /// The text has been converted to UTF-8. A byte-order mark therefore belongs to the text and is not skipped.
    case utf8WithoutMark
  }

  /// Parses `source`.
  ///
  /// - Throws: ``JSON/SyntaxError``.
  static func parse(
    _ source: borrowing RawSpan, options: JSON.ParsingOptions, for lifetime: PaddedBytes.Lifetime = .kept,
    in encoding: KnownEncoding = .any
  ) throws(JSON.SyntaxError) -> Document {
    let limit = options.effectiveSizeLimit
    guard source.byteCount <= limit else {
      throw JSON.SyntaxError(code: .tooLarge(limit: limit), offset: limit, line: 1, column: 1)
    }
    if encoding == .any, let encoding = TextEncoding(of: source) {
      let text = encoding.transcoded(source)
      do throws(JSON.SyntaxError) {
        // Safety: the array outlives the call, and `UInt8` has no padding.
        return try parse(unsafe text.elementSpan.bytes, options: options, for: lifetime, in: .utf8WithoutMark)
      } catch {
        let offset = encoding.offset(in: source, ofUTF8: error.offset)
        throw JSON.SyntaxError(
          code: error.code.beforeTranscoding, offset: offset, line: error.line, column: error.column)
      }
    }
    let start = encoding != .utf8WithoutMark && TextEncoding.hasUTF8Mark(source) ? 3 : 0
    if options.syntax == .json5 { return try parseJSON5(source, from: start, options: options) }
    if options.root == .members { return try parseMembers(source, from: start, options: options, for: lifetime) }
    return try parseUTF8(source, from: start, options: options, for: lifetime)
  }

  /// Parses `source`, which does not exceed the size limit, from `start` on as JSON in UTF-8.
  ///
  /// - Throws: ``JSON/SyntaxError``.
  static func parseUTF8(
    _ source: borrowing RawSpan, from start: Int, options: JSON.ParsingOptions, for lifetime: PaddedBytes.Lifetime
  ) throws(JSON.SyntaxError) -> Document {
    let bytes = PaddedBytes(copying: source, for: lifetime)
    let tape = TapeMemory(
      parsingUpTo: TapeMemory.capacity(for: source.byteCount, depthLimit: options.depthLimit))
    do throws(ParseFailure) {
      let count = try TapeParser.parse(bytes, from: start, into: tape, options: options)
      return Document(
        bytes: bytes, tape: lifetime == .kept ? tape.shrunk(to: count) : tape, wordCount: count, for: lifetime)
    } catch {
      bytes.deallocate(after: lifetime)
      tape.deallocate(used: tape.capacity)
      throw JSON.SyntaxError(error, in: source)
    }
  }
}

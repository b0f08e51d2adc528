internal import AnvilBase
package import AnvilJSON

/// A text that should be JSON, with functions that find its tokens and offsets even if it cannot be parsed.
///
/// Each query scans the text again. This is fast enough, because texts are examined only after an error.
package struct SourceText: Sendable {
  /// The text in UTF-8, including a byte-order mark at its beginning.
  let bytes: [UInt8]
  /// The original encoding and bytes, if the text was not in UTF-8.
  private let original: (encoding: TextEncoding, bytes: [UInt8])?
  /// True if the text consists of the members of an object without the braces.
  let isMembers: Bool
  /// The offset at which the text stops being valid JSON; for valid JSON, the end of the text.
  private(set) var brokenOffset: Int
  /// The offset at which the text begins, after a byte-order mark.
  let start: Int

  /// Creates a text from `bytes` in UTF-8, UTF-16 or UTF-32. `root` is the parser's option.
  package init(_ bytes: [UInt8], root: JSON.ParsingOptions.Root = .anyValue) {
    // Safety: `UInt8` has no padding, and the array outlives the call.
    let span = unsafe bytes.elementSpan.bytes
    original = TextEncoding(of: span).map { ($0, bytes) }
    let text = original?.encoding.transcoded(span) ?? bytes
    brokenOffset = text.count
    var tokens = text.tokens()
    let first = tokens.next()?.kind
    isMembers = root == .members && first != .open(isObject: true)
    start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    self.bytes = text
  }

  /// Creates a text of the document that begins at the byte `start` of a text in UTF-8 with several documents, one per line.
  /// Offsets are those in the whole text.
  package init(_ bytes: [UInt8], documentAt start: Int) {
    self.bytes = bytes
    self.start = max(0, min(start, bytes.count))
    brokenOffset = bytes.count
    original = nil
    isMembers = false
  }

  /// Returns the same text, which is known to be broken at `offset`.
  func broken(at offset: Int) -> SourceText {
    var text = self
    text.brokenOffset = max(0, min(offset, brokenOffset))
    return text
  }

  /// Returns the offset in the original text that corresponds to `offset` in ``bytes``. The search starts at `known`, a pair of
  /// corresponding offsets: `known.offset` in ``bytes``, which must not be greater than `offset`, and `known.before` in the original text.
  func originalOffset(of offset: Int, from known: (offset: Int, before: Int) = (0, 0)) -> Int {
    guard let original else { return offset }
    // Safety: as above.
    let span = unsafe original.bytes.elementSpan.bytes
    // A position within a scalar cannot be resumed from, and U+FEFF at the position would be mistaken for a byte-order mark.
    let next = bytes[min(known.offset, bytes.count)...].prefix(3)
    guard known.offset <= offset, known.before <= span.byteCount, next.first.map({ $0 & 0xC0 != 0x80 }) ?? false,
      !next.elementsEqual([0xEF, 0xBB, 0xBF])
    else { return original.encoding.offset(in: span, ofUTF8: offset) }
    let rest = span.extracting(known.before..<span.byteCount)
    return known.before + original.encoding.offset(in: rest, ofUTF8: offset - known.offset)
  }

  /// Returns the offset in ``bytes`` that corresponds to `offset` in the original text.
  func offset(ofOriginal offset: Int) -> Int {
    guard let original else { return max(0, min(offset, bytes.count)) }
    let prefix = Array(original.bytes.prefix(max(0, offset)))
    // The whole text's encoding is used, since a short prefix may not suffice to detect it.
    return min(original.encoding.transcoded(unsafe prefix.elementSpan.bytes).count, bytes.count)
  }

  /// Returns the text of a string token, without quotation marks and escapes. A key without quotation marks is returned as is.
  func string(_ token: Token) -> String { bytes.tokens().string(token) }

  /// Returns the kind of value that starts with `token`; `nil` if no value starts with it.
  func kind(_ token: Token) -> JSON.Kind? {
    switch token.kind {
    case .open(let isObject): isObject ? .object : .array
    case .string: .string
    case .word:
      switch String(decoding: bytes[token.range], as: UTF8.self) {
      case "null": .null
      case "true", "false": .bool
      case let text where text.utf8.first.map { TokenScanner.isNumberStart($0) } ?? false: .number
      case "NaN", "Infinity": .number
      default: nil
      }
    case .close, .colon, .comma, .comment: nil
    }
  }
}

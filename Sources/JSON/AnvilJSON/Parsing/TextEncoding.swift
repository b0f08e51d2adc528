package import AnvilBase

/// The encodings of JSON texts besides UTF-8.
///
/// They are detected by a byte-order mark or by the pattern of NULs, since the first two characters of a text are ASCII
/// unless it is a lone string. Source: RFC 4627 §3.
package enum TextEncoding: Sendable {
  case utf16LittleEndian, utf16BigEndian, utf32LittleEndian, utf32BigEndian

  /// Detects the encoding of `source`. The result is `nil` for UTF-8.
  package init?(of source: borrowing RawSpan) {
    guard source.byteCount >= 2 else { return nil }
    // Nearly all texts begin with neither NULs nor a byte-order mark.
    if source.byteCount >= 4, source[0] & source[1] < 0x80, source[0] != 0, source[1] != 0, source[2] != 0,
      source[3] != 0
    {
      return nil
    }
    func byte(_ index: Int) -> UInt8 { index < source.byteCount ? source[index] : 1 }
    switch (byte(0), byte(1), byte(2), byte(3)) {
    case (0xFF, 0xFE, 0, 0): self = .utf32LittleEndian
    case (0, 0, 0xFE, 0xFF): self = .utf32BigEndian
    case (0xFF, 0xFE, _, _): self = .utf16LittleEndian
    case (0xFE, 0xFF, _, _): self = .utf16BigEndian
    case (0, 0, 0, 1...): self = .utf32BigEndian
    case (1..., 0, 0, 0): self = .utf32LittleEndian
    case (0, 1..., _, _): self = .utf16BigEndian
    case (1..., 0, _, _): self = .utf16LittleEndian
    default: return nil
    }
  }

  static func hasUTF8Mark(_ source: borrowing RawSpan) -> Bool {
    source.byteCount >= 3 && source[0] == 0xEF && source[1] == 0xBB && source[2] == 0xBF
  }

  /// Returns `source` as UTF-8 without its mark. Ill-formed sequences become a byte that is invalid in UTF-8 and that the parser reports.
  package func transcoded(_ source: borrowing RawSpan) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(source.byteCount)
    var index = 0
    var isFirst = true
    while index < source.byteCount {
      let scalar = nextScalar(source, &index)
      defer { isFirst = false }
      guard let scalar, let units = UTF8.encode(scalar) else {
        output.append(0xFF)
        continue
      }
      if !isFirst || scalar != "\u{FEFF}" { output.append(contentsOf: units) }
    }
    return output
  }

  /// Returns the offset in `source` of the scalar that is at `offset` in ``transcoded(_:)``.
  package func offset(in source: borrowing RawSpan, ofUTF8 offset: Int) -> Int {
    var index = 0
    var written = 0
    while index < source.byteCount {
      let start = index
      let scalar = nextScalar(source, &index)
      // The mark is removed, and an ill-formed sequence becomes one byte.
      let width = start == 0 && scalar == "\u{FEFF}" ? 0 : scalar.map { UTF8.width($0) } ?? 1
      guard written + width <= offset else { return start }
      written += width
    }
    return source.byteCount
  }

  private func nextScalar(_ source: borrowing RawSpan, _ index: inout Int) -> Unicode.Scalar? {
    switch self {
    case .utf32LittleEndian, .utf32BigEndian:
      return unit(source, &index, width: 4).flatMap(Unicode.Scalar.init)
    case .utf16LittleEndian, .utf16BigEndian:
      guard let high = unit(source, &index, width: 2) else { return nil }
      guard high & 0xFC00 == 0xD800 else { return Unicode.Scalar(high) }
      var next = index
      guard let low = unit(source, &next, width: 2), low & 0xFC00 == 0xDC00 else { return nil }
      index = next
      return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }
  }

  /// Returns the next code unit of `width` bytes; `nil` if the text ends within it.
  private func unit(_ source: borrowing RawSpan, _ index: inout Int, width: Int) -> UInt32? {
    guard index + width <= source.byteCount else {
      index = source.byteCount
      return nil
    }
    let isBigEndian = self == .utf16BigEndian || self == .utf32BigEndian
    var value: UInt32 = 0
    for position in 0..<width {
      value = value << 8 | UInt32(source[index + (isBigEndian ? position : width - 1 - position)])
    }
    index += width
    return value
  }
}

extension JSON.SyntaxError.Code {
  /// The code of the same error in the text before transcoding. The byte 0xFF in the transcoded text stands for an ill-formed sequence.
  var beforeTranscoding: JSON.SyntaxError.Code {
    if case .unexpectedByte(0xFF, _) = self { .invalidEncoding } else { self }
  }
}

extension RawSpan {
  @inline(__always)
  subscript(index: Int) -> UInt8 {
    // Safety: the index is checked here, because `unsafeLoad` does not check it.
    precondition(index >= 0 && index < byteCount)
    return unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
  }
}

extension JSON {
  /// A text that is JSON except for escapes of unpaired surrogates.
  package struct RepairedText: Sendable {
    package struct Replacement: Sendable {
      /// The path of the string; for a key, that of its object.
      package let path: Path
      /// The escape as it was written: `\ud800`.
      package let escape: String
    }

    /// The value. U+FFFD replaces each unpaired surrogate.
    package let value: JSON
    /// The replaced escapes in the order of the text.
    package let replacements: [Replacement]
  }

  /// Returns the value of a text in UTF-8 whose only errors are escapes of unpaired surrogates. Returns `nil` for other texts, and for
  /// valid JSON.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes. JSON is parsed once, other texts twice.
  package static func repairing(_ data: Data, options: ParsingOptions) -> RepairedText? {
    guard options.syntax == .json, options.root != .members, TextEncoding(of: data.bytes) == nil else { return nil }
    let first: Int
    do throws(SyntaxError) {
      _ = try JSON(parsing: data, options: options)
      return nil
    } catch {
      guard error.code == .loneSurrogate else { return nil }
      first = error.offset
    }
    var text = [UInt8](data)
    let offsets = replaceLoneSurrogates(in: &text, from: first)
    guard let value = try? JSON(parsing: text, options: options) else { return nil }
    let source = data.bytes
    let paths = TextLocator.paths(to: offsets, in: source)
    let replacements = zip(offsets, paths).map { offset, path in
      RepairedText.Replacement(
        path: path, escape: String(decoding: (offset..<offset + 6).map { source[$0] }, as: UTF8.self))
    }
    return RepairedText(value: value, replacements: replacements)
  }

  /// Replaces each escape of an unpaired surrogate by that of U+FFFD, which has the same length. Returns their offsets.
  ///
  /// - Parameter first: The offset of an escape. In JSON, backslashes are only in strings, and each begins an escape.
  @discardableResult
  package static func replaceLoneSurrogates(in text: inout [UInt8], from first: Int) -> [Int] {
    var offsets: [Int] = []
    var next = first
    while let at = text[min(next, text.count)...].firstIndex(of: .backslash) {
      next = at + 2
      guard let unit = unit(ofEscapeAt: at, in: text) else { continue }
      next = at + 6
      guard unit & 0xF800 == 0xD800 else { continue }
      if unit < 0xDC00, let low = self.unit(ofEscapeAt: at + 6, in: text), low & 0xFC00 == 0xDC00 {
        next = at + 12
      } else {
        text.replaceSubrange(at + 2..<at + 6, with: "fffd".utf8)
        offsets.append(at)
      }
    }
    return offsets
  }

  /// Returns the UTF-16 code unit of the `\u` escape at `offset`; `nil` for anything else.
  private static func unit(ofEscapeAt offset: Int, in text: [UInt8]) -> UInt16? {
    guard offset + 6 <= text.count, text[offset] == .backslash, text[offset + 1] == UInt8(ascii: "u") else {
      return nil
    }
    return UInt16(String(decoding: text[offset + 2..<offset + 6], as: UTF8.self), radix: 16)
  }
}

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension JSON {
  /// A text that is JSON except for escapes of unpaired surrogates.
  package struct RepairedText: Sendable {
    /// An escape that was replaced.
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
    while let at = text[min(next, text.count)...].firstIndex(of: 0x5C) {
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
    guard offset + 6 <= text.count, text[offset] == 0x5C, text[offset + 1] == 0x75 else { return nil }
    return UInt16(String(decoding: text[offset + 2..<offset + 6], as: UTF8.self), radix: 16)
  }
}

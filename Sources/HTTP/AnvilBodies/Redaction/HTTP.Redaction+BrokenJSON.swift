internal import AnvilHTTP
internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Redaction {
  /// Returns whether invalid JSON, such as truncated JSON, has a member with a secret name or a URL with a secret.
  ///
  /// A name is the text before a colon, with or without quotation marks. Unbalanced quotation marks therefore do not hide names from
  /// this check.
  ///
  /// - Complexity: O(*n*), where *n* is the length of `text`.
  func namesSecret(inBroken text: Data) -> Bool {
    // Text with two bytes per character, in which names cannot be found.
    if text.contains(0) { return true }
    var name: [UInt8] = []
    var isNameOver = false
    for byte in text {
      switch byte {
      case UInt8(ascii: ":"):
        if isSecret(writtenName: name) { return true }
        name = []
        isNameOver = false
      case UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"):
        name = []
        isNameOver = false
      case UInt8(ascii: "\""), UInt8(ascii: "'"): isNameOver = true
      case ...0x20 where name.isEmpty || isNameOver: break
      default:
        if isNameOver { name = [] }
        isNameOver = false
        name.append(byte)
      }
    }
    return hasSecretURL(text)
  }

  private func isSecret(writtenName name: [UInt8]) -> Bool {
    guard !name.isEmpty else { return false }
    if name.contains(UInt8(ascii: "\\")), let text = try? JSON(parsing: [0x22] + name + [0x22]).string {
      return isSecret(name: text)
    }
    return isSecret(name: String(decoding: name, as: UTF8.self))
  }

  private func hasSecretURL(_ text: Data) -> Bool {
    let redaction = showingMoreOfURLs
    return text.split { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }.contains { word in
      let word = String(decoding: word, as: UTF8.self).replacing(#"\/"#, with: "/")
      return word.containsSchemeEnd && redaction.shown(reference: word) != word
    }
  }
}

extension Data {
  /// A Boolean value that indicates whether the first byte, after white space and a byte order mark, opens an object or an array.
  var beginsLikeJSON: Bool {
    let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
    let first =
      prefix(3).allSatisfy { marks.contains($0) || $0 <= 0x20 || $0 == 0x7B || $0 == 0x5B }
      ? first { $0 > 0x20 && !marks.contains($0) } : first { $0 > 0x20 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

@testable import AnvilHTTP

/// A response's head read plainly, from arrays. Source: RFC 9112 §4, §5.
struct ReferenceHead: Equatable {
  var code = 0
  var fields: [[String]] = []

  /// The head that `lines` spell up to the empty one, each with its end; `nil` where one of them is wrong.
  init?(_ lines: [[UInt8]]) {
    for line in lines {
      guard line.count >= 2, line.suffix(2) == [0x0D, 0x0A] else { return nil }
      let text = Array(line.dropLast(2))
      if text.isEmpty {
        guard code > 0 else { return nil }
        return
      }
      if code == 0 {
        guard let code = Self.code(text) else { return nil }
        self.code = code
      } else if text[0] == 0x20 || text[0] == 0x09 {
        guard let name = fields.last?[0].lowercased(), let more = Self.value(text) else { return nil }
        // The end of a body must not depend on whether a reader joins lines.
        guard name != "content-length", name != "transfer-encoding" else { return nil }
        let last = fields[fields.count - 1][1]
        fields[fields.count - 1][1] = last.isEmpty ? more : "\(last) \(more)"
      } else {
        guard let colon = text.firstIndex(of: 0x3A), colon > 0, text[..<colon].allSatisfy(\.isHTTPTokenByte),
          let value = Self.value(Array(text[(colon + 1)...]))
        else { return nil }
        fields.append([String(decoding: text[..<colon], as: UTF8.self), value])
      }
    }
  }

  private static func code(_ line: [UInt8]) -> Int? {
    let words = line.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, words[1].count == 3 || words[1].dropFirst(3).first == 0x20 else { return nil }
    let digits = words[1].prefix(3)
    guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 >= 100 ? $0 : nil }
  }

  private static func value(_ bytes: [UInt8]) -> String? {
    var bytes = bytes[...]
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
    return String(validating: bytes, as: UTF8.self) ?? String(bytes.map { Character(Unicode.Scalar($0)) })
  }
}

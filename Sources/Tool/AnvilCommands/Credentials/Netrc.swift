/// The entries of a netrc file: users and passwords by host.
///
/// Words are separated by white space. A word in quotation marks may contain blanks, and `\"`, `\\`, `\n`, `\r` and
/// `\t`. In the place of a keyword, a word that begins with `#` begins a comment. Macros are skipped.
///
/// Source: ftp(1), "The .netrc file"; curl's documentation of quotation marks and comments in it.
struct Netrc: Sendable {
  /// A user and a password.
  struct Entry: Hashable, Sendable {
    /// The host of the entry, or `nil` for every host.
    var host: String?
    var login = ""
    var password = ""
  }

  /// The error for an invalid file. It contains no text of the file, which may be a password.
  struct Malformed: Error, CustomStringConvertible {
    let line: Int
    let reason: String

    var description: String { "line \(line): \(reason)" }
  }

  /// The entries in their order.
  let entries: [Entry]

  /// Reads the entries of `text`.
  ///
  /// - Throws: ``Malformed`` for an unknown keyword, a keyword without its value, a value before the first host, and a
  ///   quotation mark without an end.
  init(_ text: String) throws(Malformed) {
    var scanner = NetrcScanner(text)
    var entries: [Entry] = []
    while let keyword = try scanner.keyword() {
      switch keyword {
      case "machine": entries.append(Entry(host: try scanner.value(of: keyword).lowercased()))
      case "default": entries.append(Entry())
      case "macdef":
        _ = try scanner.value(of: keyword)
        scanner.skipMacro()
      case "login", "password", "account":
        let value = try scanner.value(of: keyword)
        guard let last = entries.indices.last else {
          throw scanner.malformed("\(keyword) appears before the first machine")
        }
        if keyword == "login" { entries[last].login = value }
        if keyword == "password" { entries[last].password = value }
      default: throw scanner.malformed("expected machine, default, login, password, account or macdef")
      }
    }
    self.entries = entries
  }

  /// Returns the first entry for `host` or for every host, or `nil` if the file has no such entry.
  func entry(for host: String) -> Entry? {
    let host = host.lowercased()
    return entries.first { $0.host == nil || $0.host == host }
  }
}

/// The words of a netrc file.
private struct NetrcScanner {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  func malformed(_ reason: String) -> Netrc.Malformed { Netrc.Malformed(line: line, reason: reason) }

  /// Returns the next keyword, or `nil` at the end.
  mutating func keyword() throws(Netrc.Malformed) -> String? {
    while true {
      skipSpace()
      guard position < bytes.count else { return nil }
      guard bytes[position] == UInt8(ascii: "#") else { return try word() }
      skipLine()
    }
  }

  /// Returns the word after `keyword`.
  mutating func value(of keyword: String) throws(Netrc.Malformed) -> String {
    skipSpace()
    guard position < bytes.count else { throw malformed("\(keyword) has no value") }
    return try word()
  }

  /// Skips the rest of the line and all lines up to an empty one.
  mutating func skipMacro() {
    skipLine()
    while position < bytes.count {
      let start = position
      skipLine()
      if bytes[start..<position].allSatisfy({ $0 <= 0x20 }) { return }
    }
  }

  private mutating func word() throws(Netrc.Malformed) -> String {
    guard bytes[position] != UInt8(ascii: "\"") else { return try quotedWord() }
    let start = position
    while position < bytes.count, bytes[position] > 0x20 { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func quotedWord() throws(Netrc.Malformed) -> String {
    var word: [UInt8] = []
    position += 1
    while position < bytes.count, bytes[position] != 0x0A {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: word, as: UTF8.self)
      case UInt8(ascii: "\\") where position < bytes.count && bytes[position] != 0x0A:
        word.append(Self.escapes[bytes[position]] ?? bytes[position])
        position += 1
      default: word.append(byte)
      }
    }
    throw malformed("a quotation mark is not closed")
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] <= 0x20 {
      if bytes[position] == 0x0A { line += 1 }
      position += 1
    }
  }

  private mutating func skipLine() {
    while position < bytes.count, bytes[position] != 0x0A { position += 1 }
    guard position < bytes.count else { return }
    position += 1
    line += 1
  }
}

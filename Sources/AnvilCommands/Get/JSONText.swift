internal import Foundation

/// A JSON value as it was written: a range of bytes that are known to be well-formed.
///
/// Numbers, escapes and the order of keys stay as they are, because nothing is converted. Nesting is limited to
/// ``Scanner/maximumDepth``; a byte order mark in front is skipped. Source: RFC 8259.
struct JSONText: Sendable {
  /// What a value is.
  enum Kind: String {
    case object, array, string, number, boolean, null
  }

  private let bytes: [UInt8]
  private let range: Range<Int>

  /// The document in `data`.
  ///
  /// - Throws: ``Invalid`` when it is not JSON in UTF-8.
  /// - Complexity: O(*n*) in its bytes.
  init(_ data: Data) throws(Invalid) {
    let bytes = Array(data)
    guard String(validating: bytes, as: UTF8.self) != nil else {
      let repaired = String(decoding: bytes, as: UTF8.self).utf8
      let offset = zip(bytes, repaired).enumerated().first { $1.0 != $1.1 }?.offset
      throw Invalid(reason: "not UTF-8", at: offset ?? 0, in: bytes)
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var scanner = Scanner(bytes, from: start)
    try scanner.scanDocument()
    self.init(bytes, start..<bytes.count)
  }

  /// The value in `range` of valid bytes, white space around it left out.
  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    let text = bytes[range]
    let start = text.firstIndex { !$0.isJSONSpace } ?? range.lowerBound
    let end = text.lastIndex { !$0.isJSONSpace }.map { $0 + 1 } ?? start
    self.range = start..<end
  }

  /// What the value is.
  var kind: Kind {
    switch bytes[range].first {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "n"): .null
    default: .number
    }
  }

  /// The value's own bytes.
  var raw: Data { Data(bytes[range]) }
}

extension JSONText {
  /// The elements of an array in order; empty for another kind.
  var elements: [JSONText] {
    kind == .array ? parts : []
  }

  /// The members of an object in order, duplicates kept; empty for another kind.
  var members: [(key: String, value: JSONText)] {
    guard kind == .object else { return [] }
    return parts.map { member in
      let keyEnd = endOfString(at: member.range.lowerBound)
      let colon = bytes[keyEnd..<member.range.upperBound].firstIndex(of: UInt8(ascii: ":")) ?? keyEnd
      let key = JSONText(bytes, member.range.lowerBound..<keyEnd)
      return (key.string ?? "", JSONText(bytes, min(colon + 1, member.range.upperBound)..<member.range.upperBound))
    }
  }

  /// What stands between a container's brackets, parted at its own commas.
  private var parts: [JSONText] {
    var parts: [JSONText] = []
    var depth = 0
    var start = range.lowerBound + 1
    var position = start
    let end = range.upperBound - 1
    while position < end {
      switch bytes[position] {
      case UInt8(ascii: "\""): position = endOfString(at: position) - 1
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        parts.append(JSONText(bytes, start..<position))
        start = position + 1
      default: break
      }
      position += 1
    }
    let last = JSONText(bytes, min(start, end)..<end)
    return last.range.isEmpty ? parts : parts + [last]
  }

  /// The index after the string that begins at `start`.
  private func endOfString(at start: Int) -> Int {
    var position = start + 1
    while position < range.upperBound, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(position + 1, range.upperBound)
  }
}

extension JSONText {
  /// The text of a string, its escapes decoded and half a surrogate pair read as U+FFFD; `nil` for another kind.
  var string: String? {
    guard kind == .string else { return nil }
    var units: [UInt16] = []
    var rest = String(decoding: bytes[range].dropFirst().dropLast(), as: UTF8.self).utf16[...]
    while let unit = rest.popFirst() {
      guard unit == UInt16(UInt8(ascii: "\\")) else {
        units.append(unit)
        continue
      }
      let escape = rest.popFirst().flatMap(Unicode.Scalar.init)
      switch escape {
      case "b": units.append(0x08)
      case "f": units.append(0x0C)
      case "n": units.append(0x0A)
      case "r": units.append(0x0D)
      case "t": units.append(0x09)
      case "u":
        units.append(UInt16(String(rest.prefix(4)) ?? "", radix: 16) ?? 0xFFFD)
        rest = rest.dropFirst(4)
      default: units += (escape.map { Character($0) }.map(String.init) ?? "").utf16
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The value indented by two spaces a level; tokens as they are, empty containers as `{}` and `[]`, no line end.
  var pretty: Data {
    var pretty: [UInt8] = []
    var depth = 0
    var position = range.lowerBound
    var isFirst = false

    func breakLine() {
      pretty.append(UInt8(ascii: "\n"))
      pretty.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    while position < range.upperBound {
      let byte = bytes[position]
      let isCloser = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      position += 1
      if byte.isJSONSpace { continue }
      if isCloser { depth = max(0, depth - 1) }
      if isFirst != isCloser { breakLine() }
      isFirst = false
      pretty.append(byte)
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        isFirst = true
      case UInt8(ascii: ","): breakLine()
      case UInt8(ascii: ":"): pretty.append(UInt8(ascii: " "))
      case UInt8(ascii: "\""):
        let end = endOfString(at: position - 1)
        pretty.append(contentsOf: bytes[position..<end])
        position = end
      default: break
      }
    }
    return Data(pretty)
  }
}

extension JSONText {
  /// Why bytes are not JSON, and where: line and column count from 1, columns in characters.
  struct Invalid: Error, CustomStringConvertible {
    let line: Int
    let column: Int
    let reason: String

    init(reason: String, at offset: Int, in bytes: [UInt8]) {
      let before = bytes[..<min(offset, bytes.count)]
      let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      line = before.count { $0 == 0x0A } + 1
      column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
      self.reason = reason
    }

    /// `line 1, column 9: expected a value, found "}"`.
    var description: String { "line \(line), column \(column): \(reason)" }
  }
}

internal import AnvilJSON

/// Parses JSONPath queries. Source: RFC 9535, appendix A.
struct JSONQueryParser {
  struct Malformed: Error {
    let expected: String
    /// The position in Unicode scalars, counted from 0.
    let position: Int
  }

  private static let depthLimit = 100
  /// The largest index. Source: RFC 7493 §2.2.
  private static let largestInteger = 9_007_199_254_740_991

  let scalars: [Unicode.Scalar]
  var position = 0
  var depth = 0
  var rootCount = 0

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  static func parse(_ text: String) throws(Malformed) -> JSONQuery {
    var parser = JSONQueryParser(text)
    try parser.expect("$", "\"$\"")
    let query = JSONQuery(segments: try parser.segments())
    guard parser.position == parser.scalars.count else { throw parser.malformed("\".\", \"..\" or \"[\"") }
    return query
  }

  func malformed(_ expected: String) -> Malformed { Malformed(expected: expected, position: position) }

  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  func starts(with text: String) -> Bool { scalars[position...].starts(with: text.unicodeScalars) }

  mutating func take(_ text: String) -> Bool {
    guard starts(with: text) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  mutating func expect(_ text: String, _ name: String) throws(Malformed) {
    guard take(text) else { throw malformed(name) }
  }

  mutating func skipBlanks() {
    while let scalar = next, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" { position += 1 }
  }

  mutating func nested<Result>(
    _ parse: (inout JSONQueryParser) throws(Malformed) -> Result
  ) throws(Malformed) -> Result {
    guard depth < Self.depthLimit else { throw malformed("at most \(Self.depthLimit) nested filters") }
    depth += 1
    let result = try parse(&self)
    depth -= 1
    return result
  }

  mutating func segments() throws(Malformed) -> [JSONQuery.Segment] {
    var segments: [JSONQuery.Segment] = []
    while true {
      let start = position
      skipBlanks()
      if take("..") {
        let selectors = next == "[" ? try bracketed() : [try shorthand()]
        segments.append(.init(reach: .descendants, selectors: selectors))
      } else if take(".") {
        segments.append(.init(reach: .children, selectors: [try shorthand()]))
      } else if next == "[" {
        segments.append(.init(reach: .children, selectors: try bracketed()))
      } else {
        position = start
        return segments
      }
    }
  }

  private mutating func shorthand() throws(Malformed) -> JSONQuery.Selector {
    if take("*") { return .wildcard }
    guard let first = next, Self.isNameStart(first) else { throw malformed("a name or \"*\"") }
    var name = String.UnicodeScalarView()
    while let scalar = next, Self.isNameStart(scalar) || ("0"..."9").contains(scalar) {
      name.append(scalar)
      position += 1
    }
    return .name(String(name))
  }

  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_" || scalar.value >= 0x80
  }

  private mutating func bracketed() throws(Malformed) -> [JSONQuery.Selector] {
    try expect("[", "\"[\"")
    var selectors: [JSONQuery.Selector] = []
    repeat {
      skipBlanks()
      selectors.append(try selector())
      skipBlanks()
    } while take(",")
    try expect("]", "\",\" or \"]\"")
    return selectors
  }

  private mutating func selector() throws(Malformed) -> JSONQuery.Selector {
    switch next {
    case "*":
      position += 1
      return .wildcard
    case "'", "\"": return .name(try string())
    case "?":
      position += 1
      skipBlanks()
      return .filter(try nested { parser throws(Malformed) in try parser.condition() })
    default: return try indexOrSlice()
    }
  }

  private mutating func indexOrSlice() throws(Malformed) -> JSONQuery.Selector {
    let start = try integer()
    let end = position
    skipBlanks()
    guard take(":") else {
      position = end
      guard let start else { throw malformed("a name in quotation marks, an index, a slice, \"*\" or \"?\"") }
      return .index(start)
    }
    skipBlanks()
    let last = try integer()
    skipBlanks()
    guard take(":") else { return .slice(start: start, end: last, step: 1) }
    skipBlanks()
    return .slice(start: start, end: last, step: try integer() ?? 1)
  }

  /// Parses an integer without leading zeros, in the range in which doubles are exact. Returns `nil` for other text.
  private mutating func integer() throws(Malformed) -> Int? {
    let start = position
    let isNegative = take("-")
    var digits = ""
    while let scalar = next, ("0"..."9").contains(scalar) {
      digits.unicodeScalars.append(scalar)
      position += 1
    }
    if digits.isEmpty, !isNegative { return nil }
    guard let value = Int(digits), value <= Self.largestInteger, digits == "0" ? !isNegative : !digits.hasPrefix("0")
    else {
      position = start
      throw malformed("an integer without leading zeros up to 2^53 - 1")
    }
    return isNegative ? -value : value
  }
}

extension JSONQueryParser {
  mutating func string() throws(Malformed) -> String {
    guard let quote = next else { throw malformed("a string") }
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = next {
      if scalar == quote {
        position += 1
        return String(text)
      }
      guard scalar.value >= 0x20 else { break }
      if scalar == "\\" {
        position += 1
        text.append(try escaped(quote))
      } else {
        text.append(scalar)
        position += 1
      }
    }
    throw malformed("the end of the string")
  }

  private mutating func escaped(_ quote: Unicode.Scalar) throws(Malformed) -> Unicode.Scalar {
    guard let scalar = next else { throw malformed("an escape") }
    position += 1
    switch scalar {
    case "b": return "\u{8}"
    case "t": return "\t"
    case "n": return "\n"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "/", "\\", quote: return scalar
    case "u": return try escapedScalar()
    default:
      position -= 1
      throw malformed("a JSON escape")
    }
  }

  private mutating func escapedScalar() throws(Malformed) -> Unicode.Scalar {
    let first = try codeUnit()
    guard (0xD800..<0xDC00).contains(first) else {
      guard let scalar = Unicode.Scalar(first) else { throw malformed("a high surrogate before a low one") }
      return scalar
    }
    guard take("\\u") else { throw malformed("a low surrogate after a high one") }
    let second = try codeUnit()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw malformed("a low surrogate after a high one") }
    return scalar
  }

  private mutating func codeUnit() throws(Malformed) -> UInt32 {
    let digits = scalars[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }),
      let unit = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    else { throw malformed("four hexadecimal digits") }
    position += 4
    return unit
  }
}

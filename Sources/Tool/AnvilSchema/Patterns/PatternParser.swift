internal import AnvilBase

/// A parser for the regular expressions of ECMA-262 with the flag `u`, without look-behind and backreferences.
struct PatternParser {
  typealias Failure = SchemaPattern.Failure

  private static let longestPattern = 8192
  private static let deepestGroup = 64

  let scalars: [Unicode.Scalar]
  /// True if the dialect is I-Regexp (RFC 9485).
  let isInteroperable: Bool
  var next = 0
  private(set) var lookaheads: [PatternLookahead] = []
  private(set) var sets: [PatternSet] = []
  var properties: [String: PatternProperty] = [:]
  private var groupNames: Set<String> = []
  private var depth = 0

  init(_ text: String, isInteroperable: Bool) {
    scalars = Array(text.unicodeScalars)
    self.isInteroperable = isInteroperable
  }

  var peek: Unicode.Scalar? { next < scalars.count ? scalars[next] : nil }

  mutating func take(_ text: String) -> Bool {
    guard scalars[next...].starts(with: text.unicodeScalars) else { return false }
    next += text.unicodeScalars.count
    return true
  }

  mutating func parse() throws(Failure) -> PatternNode {
    guard scalars.count <= Self.longestPattern else {
      throw Failure(reason: "a pattern of more than \(Self.longestPattern) characters")
    }
    let node = try choice()
    guard next == scalars.count else { throw Failure(reason: "a regular expression with an unmatched )") }
    return node
  }

  /// Parses alternatives up to the end of the text or `)`.
  private mutating func choice() throws(Failure) -> PatternNode {
    var choices: [PatternNode] = []
    var nodes: [PatternNode] = []
    var isRepeatable = false
    while let scalar = peek, scalar != ")" {
      next += 1
      switch scalar {
      case "|":
        choices.append(.sequence(nodes))
        nodes = []
        isRepeatable = false
        continue
      case "^", "$":
        nodes.append(.assertion(scalar == "^" ? .start : .end))
        isRepeatable = false
        continue
      case "*", "+", "?", "{":
        guard isRepeatable, let body = nodes.popLast() else {
          throw Failure(reason: "a regular expression with nothing to repeat before \(scalar)")
        }
        nodes.append(try repetition(of: body, scalar))
        isRepeatable = false
        continue
      case "(": nodes.append(try group())
      case "[": nodes.append(.set(add(try characterClass())))
      case ".":
        nodes.append(.set(add(PatternSet(isInteroperable ? .interoperableLineEnds : .lineEnds, isNegated: true))))
      case "\\":
        let node = try escape()
        nodes.append(node)
        if case .assertion = node {
          isRepeatable = false
          continue
        }
      case "]", "}": throw Failure(reason: "a regular expression with \(scalar) that is not escaped")
      default: nodes.append(.scalar(scalar))
      }
      isRepeatable = true
    }
    choices.append(.sequence(nodes))
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  /// Parses a group after its `(`, including the closing `)`.
  private mutating func group() throws(Failure) -> PatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepestGroup else {
      throw Failure(reason: "more than \(Self.deepestGroup) nested groups")
    }
    if !take("?") || take(":") { return try groupBody() }
    for kind in ["=", "!"] where take(kind) {
      let body = try groupBody()
      lookaheads.append(PatternLookahead(body: body, isNegative: kind == "!"))
      return .lookahead(lookaheads.count - 1)
    }
    if take("<=") || take("<!") {
      throw Failure(reason: "a regular expression with look-behind, which is not supported")
    }
    guard take("<"), let name = name() else {
      throw Failure(reason: "a regular expression with a group of an unknown kind")
    }
    guard groupNames.insert(name).inserted else {
      throw Failure(reason: "a regular expression with two groups named \(name)")
    }
    return try groupBody()
  }

  private mutating func groupBody() throws(Failure) -> PatternNode {
    let body = try choice()
    guard take(")") else { throw Failure(reason: "a regular expression with an unmatched (") }
    return body
  }

  /// Parses the name of a group, including the closing `>`.
  mutating func name() -> String? {
    let rest = scalars[next...]
    guard let first = rest.first, !("0"..."9").contains(first), let end = rest.firstIndex(of: ">"), end > next,
      rest[..<end].allSatisfy({ $0 == "_" || ($0.isASCII && $0.properties.isAlphabetic) || ("0"..."9").contains($0) })
    else { return nil }
    next = end + 1
    return rest[..<end].reduce(into: "") { $0.unicodeScalars.append($1) }
  }

  mutating func add(_ set: PatternSet) -> Int {
    sets.append(set)
    return sets.count - 1
  }

  private mutating func repetition(of body: PatternNode, _ scalar: Unicode.Scalar) throws(Failure) -> PatternNode {
    let (least, most): (Int, Int?) =
      switch scalar {
      case "*": (0, nil)
      case "+": (1, nil)
      case "?": (0, 1)
      default: try bounds()
      }
    _ = take("?")
    return .repetition(body, least: least, most: most)
  }

  /// Parses the bounds of a repetition after `{`, including the closing `}`. They are clamped to `Int.max`.
  private mutating func bounds() throws(Failure) -> (least: Int, most: Int?) {
    guard let end = scalars[next...].firstIndex(of: "}") else {
      throw Failure(reason: "a regular expression with { that is not escaped")
    }
    let text = scalars[next..<end].reduce(into: "") { $0.unicodeScalars.append($1) }
    let bounds = text.split(separator: ",", omittingEmptySubsequences: false)
    guard bounds.count <= 2, let first = bounds.first, !first.isEmpty,
      bounds.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) })
    else { throw Failure(reason: "a regular expression with { that is not escaped") }
    let least = Int(first) ?? .max
    let most = bounds.count == 1 ? least : bounds[1].isEmpty ? nil : Int(bounds[1]) ?? .max
    guard least <= most ?? .max else {
      throw Failure(reason: "a regular expression with { that is not escaped")
    }
    next = end + 1
    return (least, most)
  }
}

extension PatternParser {
  /// Parses the rest of an escape after its backslash, outside of brackets.
  mutating func escape() throws(Failure) -> PatternNode {
    guard let scalar = peek else { throw Failure(reason: "a regular expression that ends in a backslash") }
    switch scalar {
    case "b", "B":
      next += 1
      return .assertion(scalar == "b" ? .wordBoundary : .noWordBoundary)
    case "-" where isInteroperable:
      next += 1
      return .scalar(scalar)
    case "1"..."9", "k":
      throw Failure(reason: "a regular expression with the backreference \\\(scalar), which is not supported")
    default:
      guard let escaped = try set() else { return .scalar(try character()) }
      return .set(add(PatternSet(escaped.scalars, properties: escaped.properties)))
    }
  }

  private struct EscapedSet {
    var scalars = RangeSet<UInt32>()
    var properties: [PatternProperty] = []
  }

  /// Parses an escape that matches a set, such as `\d`. Returns `nil` if the escape is a single character.
  private mutating func set() throws(Failure) -> EscapedSet? {
    guard let scalar = peek else { return nil }
    let ranges: RangeSet<UInt32>
    switch scalar {
    case "d", "D": ranges = .digits
    case "w", "W": ranges = .wordCharacters
    case "s", "S": ranges = .spaces
    case "p", "P": return EscapedSet(properties: [try property(scalar)])
    default: return nil
    }
    next += 1
    return EscapedSet(scalars: "DWS".unicodeScalars.contains(scalar) ? .everything.subtracting(ranges) : ranges)
  }

  private mutating func property(_ scalar: Unicode.Scalar) throws(Failure) -> PatternProperty {
    guard next + 1 < scalars.count, scalars[next + 1] == "{", let end = scalars[next...].firstIndex(of: "}") else {
      throw Failure(reason: "a regular expression with \\\(scalar) but without a property name")
    }
    let name = scalars[(next + 2)..<end]
    guard
      name.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || "_=0123456789".unicodeScalars.contains($0)) })
    else { throw Failure(reason: "a regular expression with \\\(scalar) but without a property name") }
    next = end + 1
    let text = name.reduce(into: "\\\(scalar){") { $0.unicodeScalars.append($1) } + "}"
    if let known = properties[text] { return known }
    let property = try PatternProperty(text)
    properties[text] = property
    return property
  }

  private mutating func character() throws(Failure) -> Unicode.Scalar {
    guard let scalar = peek else { throw Failure(reason: "a regular expression that ends in a backslash") }
    next += 1
    switch scalar {
    case "t": return "\t"
    case "n": return "\n"
    case "v": return "\u{B}"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "0": return "\0"
    case "c":
      guard let letter = peek, letter.isASCII, letter.properties.isAlphabetic else { break }
      next += 1
      return Unicode.Scalar(UInt8(letter.value & 0x1F))
    case "x": if let value = hexadecimal(2), let result = Unicode.Scalar(value) { return result }
    case "u": if let result = unicodeEscape() { return result }
    default:
      // Other letters are reserved for future versions. Escapes such as `\Z` belong to other languages.
      if !scalar.isASCII || !(scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) { return scalar }
    }
    throw Failure(reason: "a regular expression with \\\(scalar), which ECMAScript does not have")
  }

  private mutating func unicodeEscape() -> Unicode.Scalar? {
    if take("{") {
      guard let end = scalars[next...].firstIndex(of: "}"), (1...6).contains(end - next),
        let value = hexadecimal(end - next)
      else { return nil }
      next += 1
      return Unicode.Scalar(value)
    }
    guard let value = hexadecimal(4) else { return nil }
    guard (0xD800...0xDBFF).contains(value) else { return Unicode.Scalar(value) }
    guard take("\\u"), let low = hexadecimal(4), (0xDC00...0xDFFF).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
  }

  private mutating func hexadecimal(_ count: Int) -> UInt32? {
    guard next + count <= scalars.count else { return nil }
    let text = scalars[next..<(next + count)].reduce(into: "") { $0.unicodeScalars.append($1) }
    guard text.utf8.allSatisfy(\.isHexadecimalDigit), let value = UInt32(text, radix: 16) else { return nil }
    next += count
    return value
  }

  mutating func characterClass() throws(Failure) -> PatternSet {
    let isNegated = take("^")
    var members = EscapedSet()
    while !take("]") {
      guard let first = try classMember(&members) else { continue }
      let mark = next
      guard take("-"), let end = peek, end != "]" else {
        next = mark
        members.scalars.insert(contentsOf: Range(first.value...first.value))
        continue
      }
      guard let last = try classMember(&members) else {
        throw Failure(reason: "a regular expression with a range whose end is a character class")
      }
      guard first <= last else {
        throw Failure(reason: "a regular expression with a range whose end is before its start")
      }
      members.scalars.insert(contentsOf: Range(first.value...last.value))
    }
    return PatternSet(members.scalars, properties: members.properties, isNegated: isNegated)
  }

  /// Parses the next character of a class. A set, such as `\d`, is added to `members`, and `nil` is returned.
  private mutating func classMember(_ members: inout EscapedSet) throws(Failure) -> Unicode.Scalar? {
    guard let scalar = peek else { throw Failure(reason: "a regular expression with an unmatched [") }
    next += 1
    guard scalar == "\\" else { return scalar }
    if take("b") { return "\u{8}" }
    guard let set = try set() else { return try character() }
    members.scalars.formUnion(set.scalars)
    members.properties += set.properties
    return nil
  }
}

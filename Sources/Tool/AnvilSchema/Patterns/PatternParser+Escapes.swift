/// Escapes and character classes.
extension PatternParser {
  /// Parses the rest of an escape after its backslash, outside of brackets. Also returns whether a quantifier can follow the escape.
  mutating func escape() throws(Failure) -> (node: PatternNode, isRepeatable: Bool) {
    guard let scalar = peek else { throw Failure(reason: "a regular expression that ends in a backslash") }
    switch scalar {
    case "b", "B":
      next += 1
      return (.assertion(scalar == "b" ? .wordBoundary : .noWordBoundary), false)
    case "-" where isInteroperable:
      next += 1
      return (.scalar(scalar), true)
    case "1"..."9":
      let digits = scalars[next...].prefix { ("0"..."9").contains($0) }
      next = digits.endIndex
      let text = digits.reduce(into: "") { $0.unicodeScalars.append($1) }
      return (add(.number(Int(text), text: text)), true)
    case "k":
      next += 1
      guard take("<"), let name = name() else {
        throw Failure(reason: "a regular expression with \\k without a group name")
      }
      return (add(.name(name)), true)
    default:
      guard let escaped = try set() else { return (.scalar(try character()), true) }
      return (.set(add(PatternSet(escaped.ranges, properties: escaped.properties))), true)
    }
  }

  /// The set of characters that an escape matches.
  private struct EscapedSet {
    var ranges: [ClosedRange<UInt32>] = []
    var properties: [PatternProperty] = []
  }

  /// Parses an escape that matches a set, such as `\d`. Returns `nil` if the escape is a single character.
  private mutating func set() throws(Failure) -> EscapedSet? {
    guard let scalar = peek else { return nil }
    let ranges: [ClosedRange<UInt32>]
    switch scalar {
    case "d", "D": ranges = PatternSet.digits
    case "w", "W": ranges = PatternSet.wordCharacters
    case "s", "S": ranges = PatternSet.spaces
    case "p", "P": return EscapedSet(properties: [try property(scalar)])
    default: return nil
    }
    next += 1
    return EscapedSet(ranges: "DWS".unicodeScalars.contains(scalar) ? PatternSet.complement(of: ranges) : ranges)
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

  /// Parses an escape for a single character.
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
    guard text.utf8.allSatisfy(\.isHexadecimal), let value = UInt32(text, radix: 16) else { return nil }
    next += count
    return value
  }

  /// Parses a character class after its `[`, including the closing `]`.
  mutating func characterClass() throws(Failure) -> PatternSet {
    let isNegated = take("^")
    var members = EscapedSet()
    while !take("]") {
      guard let first = try classMember(&members) else { continue }
      let mark = next
      guard take("-"), let end = peek, end != "]" else {
        next = mark
        members.ranges.append(first.value...first.value)
        continue
      }
      guard let last = try classMember(&members) else {
        throw Failure(reason: "a regular expression with a range whose end is a character class")
      }
      guard first <= last else {
        throw Failure(reason: "a regular expression with a range whose end is before its start")
      }
      members.ranges.append(first.value...last.value)
    }
    return PatternSet(members.ranges, properties: members.properties, isNegated: isNegated)
  }

  /// Parses the next character of a class. A set, such as `\d`, is added to `members`, and `nil` is returned.
  private mutating func classMember(_ members: inout EscapedSet) throws(Failure) -> Unicode.Scalar? {
    guard let scalar = peek else { throw Failure(reason: "a regular expression with an unmatched [") }
    next += 1
    guard scalar == "\\" else { return scalar }
    if take("b") { return "\u{8}" }
    guard let set = try set() else { return try character() }
    members.ranges += set.ranges
    members.properties += set.properties
    return nil
  }
}

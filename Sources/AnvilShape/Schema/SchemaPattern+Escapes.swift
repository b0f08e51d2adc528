/// Escapes and classes of characters.
extension SchemaPattern {
  /// What a backslash outside of brackets means; whether it can be repeated.
  mutating func escape() throws(Failure) -> Bool {
    guard let scalar = peek else { throw Failure(reason: "a regular expression that ends in a backslash") }
    switch scalar {
    case "b", "B":
      next += 1
      output += scalar == "b" ? "\\b" : "\\B"
      return false
    case "1"..."9":
      output += "\\"
      while let digit = peek, ("0"..."9").contains(digit) {
        output.unicodeScalars.append(digit)
        next += 1
      }
      // What follows may be a digit of its own.
      output += "(?:)"
    case "k":
      next += 1
      guard take("<"), let name = name() else { throw Failure(reason: "a regular expression with \\k and no name") }
      output += "\\k<\(name)>"
    default:
      if let set = try set() {
        output += set
      } else {
        output += Self.literal(try character())
      }
    }
    return true
  }

  /// The set that the escape at hand stands for, in brackets; `nil` when it is a character.
  private mutating func set() throws(Failure) -> String? {
    guard let scalar = peek else { return nil }
    switch scalar {
    case "d", "D", "w", "W", "s", "S": break
    case "p", "P":
      guard next + 1 < scalars.count, scalars[next + 1] == "{", let end = scalars[next...].firstIndex(of: "}") else {
        throw Failure(reason: "a regular expression with \\\(scalar) and no property")
      }
      let property = scalars[(next + 2)..<end]
      guard
        property.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || "_=0123456789".unicodeScalars.contains($0)) }
        )
      else { throw Failure(reason: "a regular expression with \\\(scalar) and no property") }
      next = end + 1
      return property.reduce(into: "\\\(scalar){") { $0.unicodeScalars.append($1) } + "}"
    default: return nil
    }
    next += 1
    let space = "\\t\\n\\u{B}\\u{C}\\r \\u{A0}\\u{FEFF}\\u{2028}\\u{2029}\\p{Zs}"
    return switch scalar {
    case "d": "[0-9]"
    case "D": "[^0-9]"
    case "w": "[A-Za-z0-9_]"
    case "W": "[^A-Za-z0-9_]"
    case "s": "[\(space)]"
    default: "[^\(space)]"
    }
  }

  /// The character that the escape at hand stands for.
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
      // Letters are kept for what may come; `\Z` and its like are of other languages.
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

  mutating func characterClass() throws(Failure) {
    let isNegated = take("^")
    if take("]") {
      output += isNegated ? "[\\u{0}-\\u{10FFFF}]" : "(?!)"
      return
    }
    output += isNegated ? "[^" : "["
    while !take("]") {
      guard let first = try classMember() else { continue }
      let mark = next
      guard take("-"), let end = peek, end != "]" else {
        next = mark
        output += Self.literal(first)
        continue
      }
      guard let last = try classMember(isRangeEnd: true) else { continue }
      guard first <= last else {
        throw Failure(reason: "a regular expression with a range whose end is before its start")
      }
      output += "\(Self.literal(first))-\(Self.literal(last))"
    }
    output += "]"
  }

  /// The next character of a class; `nil` for a set, which is written already.
  private mutating func classMember(isRangeEnd: Bool = false) throws(Failure) -> Unicode.Scalar? {
    guard let scalar = peek else { throw Failure(reason: "a regular expression with [ and no ] behind it") }
    next += 1
    guard scalar == "\\" else { return scalar }
    if take("b") { return "\u{8}" }
    guard let set = try set() else { return try character() }
    guard !isRangeEnd else { throw Failure(reason: "a regular expression with a range that ends in a set") }
    output += set
    return nil
  }
}

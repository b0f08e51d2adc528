/// A literal implementation of RFC 8259, production by production, without SIMD or a tape. It is the oracle for the
/// validity and the value of a text.
struct ReferenceParser {
  private let scalars: [Unicode.Scalar]
  private let depthLimit: Int
  private var at = 0

  /// The value of the UTF-8 text `bytes`, with or without a byte order mark; `nil` if it is not JSON.
  static func parse(_ bytes: [UInt8], depthLimit: Int = 512) -> ReferenceValue? {
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    guard let text = String(validating: hasMark ? Array(bytes.dropFirst(3)) : bytes, as: UTF8.self) else { return nil }
    var parser = ReferenceParser(scalars: Array(text.unicodeScalars), depthLimit: depthLimit)
    guard let value = parser.value(depth: 0), parser.next == nil else { return nil }
    return value
  }

  private init(scalars: [Unicode.Scalar], depthLimit: Int) {
    self.scalars = scalars
    self.depthLimit = depthLimit
  }

  private var next: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    at += 1
    return true
  }

  private mutating func take(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { take($0) }
  }

  private mutating func skipSpace() {
    while let next, [" ", "\t", "\n", "\r"].contains(next) { at += 1 }
  }

  /// A value with the white space around it.
  private mutating func value(depth: Int) -> ReferenceValue? {
    skipSpace()
    guard let value = bareValue(depth: depth) else { return nil }
    skipSpace()
    return value
  }

  private mutating func bareValue(depth: Int) -> ReferenceValue? {
    switch next {
    case "n": take("null") ? .null : nil
    case "t": take("true") ? .bool(true) : nil
    case "f": take("false") ? .bool(false) : nil
    case "\"": string().map(ReferenceValue.string)
    case "[": depth < depthLimit ? array(depth: depth + 1) : nil
    case "{": depth < depthLimit ? object(depth: depth + 1) : nil
    default: number()
    }
  }

  private mutating func array(depth: Int) -> ReferenceValue? {
    at += 1
    skipSpace()
    if take("]") { return .array([]) }
    var elements: [ReferenceValue] = []
    repeat {
      guard let element = value(depth: depth) else { return nil }
      elements.append(element)
    } while take(",")
    return take("]") ? .array(elements) : nil
  }

  private mutating func object(depth: Int) -> ReferenceValue? {
    at += 1
    skipSpace()
    if take("}") { return .object([]) }
    var members: [(key: String, value: ReferenceValue)] = []
    repeat {
      skipSpace()
      guard next == "\"", let key = string() else { return nil }
      skipSpace()
      guard take(":"), let value = value(depth: depth) else { return nil }
      members.append((key, value))
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func number() -> ReferenceValue? {
    let start = at
    _ = take("-")
    if !take("0"), !digits() { return nil }
    if take("."), !digits() { return nil }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      if !digits() { return nil }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<at])
    return .number(String(text))
  }

  private mutating func digits() -> Bool {
    let start = at
    while let next, ("0"..."9").contains(next) { at += 1 }
    return at > start
  }

  private mutating func string() -> String? {
    at += 1
    var result = String.UnicodeScalarView()
    while let scalar = next {
      at += 1
      switch scalar {
      case "\"": return String(result)
      case "\\":
        guard let escaped = escape() else { return nil }
        result.append(escaped)
      case "\0"..<" ": return nil
      default: result.append(scalar)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    defer { at += 1 }
    switch next {
    case "\"", "\\", "/": return next
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      at += 1
      guard let high = unit() else { return nil }
      if let scalar = Unicode.Scalar(high) { return scalar }
      at += 1
      guard take("\\"), take("u"), let low = unit() else { return nil }
      let pair = UTF16.decode(Unicode.UTF16.EncodedScalar([high, low]))
      return high < 0xDC00 && (0xDC00..<0xE000).contains(low) ? pair : nil
    default: return nil
    }
  }

  /// Reads the four hexadecimal digits at `at` and moves `at` to the last of them.
  private mutating func unit() -> UInt16? {
    guard at + 4 <= scalars.count else { return nil }
    var value: UInt16 = 0
    for scalar in scalars[at..<(at + 4)] {
      guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else { return nil }
      value = value << 4 | UInt16(digit)
    }
    at += 3
    return value
  }
}

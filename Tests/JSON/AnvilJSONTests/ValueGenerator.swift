@testable import AnvilJSON

/// Random values and their texts from a seed: small objects with repeated keys, all kinds of numbers, unusual strings.
struct ValueGenerator {
  private var random: RandomSource

  init(seed: UInt64) {
    random = RandomSource(seed: seed)
  }

  mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  /// A JSON text with white space and escapes here and there.
  mutating func text(depth: Int = 4) -> String {
    let space = ["", "", "", " ", "\n\t"][int(0..<5)]
    switch int(0..<(depth > 0 ? 8 : 5)) {
    case 0: return space + ["null", "true", "false"][int(0..<3)] + space
    case 1, 2: return space + number() + space
    case 3, 4: return space + string() + space
    case 5, 6:
      let members = (0..<int(0..<5)).map { _ in "\(space)\(string()):\(text(depth: depth - 1))" }
      return "{\(members.joined(separator: ","))\(space)}"
    default:
      let elements = (0..<int(0..<5)).map { _ in text(depth: depth - 1) }
      return "[\(elements.joined(separator: ","))\(space)]"
    }
  }

  mutating func value(depth: Int = 4) throws -> JSON { try JSON(parsing: text(depth: depth)) }

  mutating func number() -> String {
    let sign = int(0..<3) == 0 ? "-" : ""
    let digits = { (generator: inout ValueGenerator, count: Int) in
      (0..<count).map { _ in String(generator.int(0..<10)) }.joined()
    }
    switch int(0..<6) {
    case 0: return sign + ["0", "1", "10", "1.0", "10e-1", "0.1e1", "1E0", "0.0", "0e9"][int(0..<9)]
    case 1: return sign + String(int(0..<1000))
    case 2: return sign + String(int(0..<Int.max))
    case 3: return sign + "\(int(1..<10))" + digits(&self, int(0..<40))
    case 4: return sign + "\(int(0..<10)).\(digits(&self, int(1..<30)))"
    default: return sign + "\(int(0..<10)).\(digits(&self, int(1..<6)))e\(int(-420..<420))"
    }
  }

  mutating func string() -> String {
    let pieces = [
      "a", "b", "a", "key", "\\n", "\\\"", "\\\\", "/", "~", "~0", "é", "e\u{301}", "\\u0000", "\\u001f",
      "\\ud83d\\ude00", "😀", "\u{FB33}",
      "\u{7F}", "0", "1", "-", "\\u20ac", "0123456789abcdef0123456789",
    ]
    return "\"" + (0..<int(0..<4)).map { _ in pieces[int(0..<pieces.count)] }.joined() + "\""
  }
}

import AnvilJSON
import AnvilTestSupport
import Testing

/// Texts in which the direct reader's predictions of keys, colons and white space are right, and texts in which they are wrong.
@Suite struct DirectReadingPredictionTests {
  /// A member for each key length that has a different comparison.
  private struct Keys: JSONReadable, Equatable {
    var values: [Int]

    static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Keys {
      var (a, b, c, d, e, f, g, h): (Int?, Int?, Int?, Int?, Int?, Int?, Int?, Int?)
      var (i, j, k, l): (Int?, Int?, Int?, Int?)
      try reader.beginObject()
      repeat {
        try reader.read("", into: &a)
        try reader.read("1", into: &b)
        try reader.read("12345", into: &c)
        try reader.read("123456", into: &d)
        try reader.read("1234567", into: &e)
        try reader.read("12345678", into: &f)
        try reader.read("123456789", into: &g)
        try reader.read("12345678901234", into: &h)
        try reader.read("123456789012345", into: &i)
        try reader.read("1234567890123456", into: &j)
        try reader.read("123456789012345678901234567890123456789012345678901234567890123", into: &k)
        try reader.read("1234567890123456789012345678901234567890123456789012345678901234", into: &l)
      } while try reader.hasMoreMembers()
      return Keys(values: [a, b, c, d, e, f, g, h, i, j, k, l].map { $0 ?? -1 })
    }
  }

  private static let lengths = [0, 1, 5, 6, 7, 8, 9, 14, 15, 16, 63, 64]

  @Test(arguments: [":", " :", ": ", " : ", "\n:\t", "  :", ":  ", "\r\n :\r\n "])
  func keysOfAnyLengthAreFoundWithAnySpaceAroundTheColon(colon: String) throws {
    let digits = String(repeating: "1234567890", count: 7)
    var members = Self.lengths.enumerated().map { "\"\(digits.prefix($1))\"\(colon)\($0)" }
    let expected = Keys(values: Array(Self.lengths.indices))
    for separator in [",", ", ", ",\n  ", " ,\t"] {
      #expect(try JSON.read(Keys.self, from: "{\(members.joined(separator: separator))}") == expected)
      #expect(try JSON.read(Keys.self, from: "{\(members.reversed().joined(separator: separator))}") == expected)
    }
    // Keys with common prefixes or suffixes.
    members += [2, 4, 10, 13, 17, 62, 65].map { "\"\(digits.prefix($0))\"\(colon)[]" }
    #expect(try JSON.read(Keys.self, from: "{\(members.reversed().joined(separator: ","))}") == expected)
  }

  @Test func anyWhiteSpaceIsSkipped() throws {
    var random = RandomSource(seed: 5)
    let expected: [[String: [Int]]] = [["a": [1, 22, 333], "b": []], [:], ["c": [4444]]]
    for round in 0..<400 {
      let usual = Int.random(in: 0...70, using: &random)
      func space(_ depth: Int) -> String {
        switch round % 4 {
        case 0: return "\n" + String(repeating: " ", count: usual * depth)
        case 1: return "\n" + String(repeating: " ", count: Int.random(in: 0...9, using: &random))
        case 2: return "\r\n" + String(repeating: "\t", count: depth)
        default:
          let characters = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            " \n\t\r".randomElement(using: &random)
          }
          return String(characters.compactMap { $0 })
        }
      }
      let text = """
        [\(space(1)){\(space(2))"a":\(space(2))[\(space(3))1,\(space(3))22\(space(3)),\(space(3))333\(space(2))],\(space(2))"b"\
        \(space(2)): [\(space(2))]\(space(1))},\(space(1)){\(space(1))},\(space(1)){\(space(2))"c": [4444]\(space(1))}\(space(0))]
        """
      #expect(try JSON.read([[String: [Int]]].self, from: text) == expected, "\(text)")
    }
  }

  @Test func textsThatEndInWhiteSpaceAreIncomplete() {
    for count in 0...140 {
      for start in ["[1,", "[", "{", #"{"a":1,"#, "[1", #"{"a":[]"#, "[[1],\n  [2],"] {
        for space in [" ", "\n ", "\n"] {
          let text = start + space + String(repeating: " ", count: count)
          #expect(throws: JSON.ReadingError.self) { try JSON.read([String: [Int]].self, from: text) }
          #expect(throws: JSON.ReadingError.self) { try JSON.read([[Int]].self, from: text) }
        }
      }
    }
  }
}

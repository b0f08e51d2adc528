import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

@Suite struct ValueEqualityTests {
  private func json(_ text: String) throws -> JSON {
    try JSON(parsing: text, options: .init(depthLimit: .max))
  }

  private func expectEqual(_ left: JSON, _ right: JSON, _ comment: Comment) {
    #expect(left == right && right == left, comment)
    #expect(left.hashValue == right.hashValue, comment)
  }

  @Test(arguments: [
    ("1", "1.0"), ("1", "10e-1"), ("1", "0.1E+1"), ("0", "-0"), ("0", "0.000e99999999999999999999"), ("-0.0", "0"),
    ("100", "1e2"), ("-1200", "-1.2e3"), ("18446744073709551615", "18446744073709551615.0"),
    ("18446744073709551616", "18446744073709551616.00"),
    ("123456789012345678901234567890", "1.2345678901234567890123456789e29"),
    ("0.1", "0.10000000000000000000"), ("0.1", "1e-1"), ("1e400", "10e399"), ("1e400", "0.01e402"),
    ("-1e400", "-100e398"),
    ("1e-400", "10e-401"), ("1e99999999999999999999", "10e99999999999999999998"),
    ("1e100000000000000000000", "0.1e100000000000000000001"), ("1e100000000000000000000", "10e99999999999999999999"),
    ("1e-100000000000000000000", "0.1e-99999999999999999999"), ("1e0000000000000000000000000000001", "10"),
    ("1.05e1", "10.5"), ("1000000000000000000000.5", "1000000000000000000000500e-3"), ("10.01", "1001e-2"),
    ("576460752303423488", "5.76460752303423488e17"), ("-9223372036854775808", "-9223372036854775808.0"),
    ("9007199254740993", "9007199254740993.0"), ("900719925474099300", "9007199254740993e2"),
    ("123456789012345678", "1234567890.12345678e8"), ("1000000000000000000", "1e18"), ("5e-324", "0.5e-323"),
    ("1e308", "100000e303"), ("0e-999", "0"),
    ("12345678901234567890123456789012345678", "1.2345678901234567890123456789012345678e37"),
    ("0.12345678901234567", "12345678901234567e-17"), ("1.0000000000000000", "1"), ("-1e-400", "-10e-401"),
  ])
  func numbersInDifferentNotationsAreEqual(left: String, right: String) throws {
    expectEqual(try json(left), try json(right), "\(left) \(right)")
  }

  @Test(arguments: [
    ("9007199254740993", "9007199254740992.0"), ("9007199254740993", "9007199254740992"), ("1", "-1"), ("1", "1.1"),
    ("0.1", "0.10000000000000000000000000001"), ("0.1", "0.1000000000000000055511151231257827"), ("1e400", "1e401"),
    ("1e400", "-1e400"), ("1e-400", "1e-401"), ("1e-400", "0"), ("1e99999999999999999999", "1e99999999999999999998"),
    ("1e12345678901", "1e1234567890"), ("1e99999999999999999999", "1e-99999999999999999999"),
    ("18446744073709551615", "18446744073709551616"), ("18446744073709551617", "18446744073709551616"),
    ("123456789012345678901234567890", "123456789012345678901234567891"), ("1001e400", "101e401"),
    ("101e400", "1001e400"),
    ("1.5e400", "15e400"), ("12e400", "1.2e400"), ("12e400", "1e400"),
    ("1e18446744073709551617", "1e1"),
  ])
  func differentNumbersAreDifferent(left: String, right: String) throws {
    #expect(try json(left) != json(right))
    #expect(try json(right) != json(left))
  }

  @Test(arguments: [
    ("null", "false"), ("0", "false"), ("1", "true"), (#""1""#, "1"), ("[]", "{}"), ("null", "[]"), ("\"\"", "null"),
    ("[1]", "[1,1]"), ("[1,2]", "[2,1]"), ("[[1],[]]", "[[],[1]]"), (#"{"a":1}"#, #"{"a":2}"#),
    (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":1}"#), (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#),
    (#"{"a":null}"#, "{}"), (#""a""#, #""b""#), (#""a""#, #""aa""#), ("[{\"a\":[1]}]", "[{\"a\":[2]}]"),
  ])
  func differentValuesAreDifferent(left: String, right: String) throws {
    #expect(try json(left) != json(right))
    #expect(try json(right) != json(left))
  }

  @Test(arguments: [
    (#"{"a":1,"b":[2]}"#, #"{ "b" : [2.0], "a" : 1 }"#), (#"{"a":1,"a":2}"#, #"{"a":1}"#),
    (#"{"a":1,"b":0,"a":2}"#, #"{"b":0,"a":1,"a":3,"b":4}"#), (#""\u00e9""#, #""é""#), (#""\/""#, #""/""#),
    (#"{"\u0061":[]}"#, #"{"a":[]}"#), (#"[{"x":{"y":1,"z":2}}]"#, #"[{"x":{"z":2,"y":1}}]"#),
  ])
  func valuesInDifferentNotationsAreEqual(left: String, right: String) throws {
    expectEqual(try json(left), try json(right), "\(left) \(right)")
  }

  @Test func stringsAreComparedByScalars() {
    let composed: JSON = "\u{E9}"
    let decomposed: JSON = "e\u{301}"
    #expect("\u{E9}" == "e\u{301}")
    #expect(composed != decomposed)
    let object: JSON = ["\u{E9}": 1, "e\u{301}": 2]
    #expect(object["\u{E9}"] == 1 && object["e\u{301}"] == 2)
    #expect(object != ["\u{E9}": 1])
  }

  @Test func equalityIgnoresPathAndDocument() throws {
    let json = try json(#"{"a": {"x": [1, "y"]}, "b": [[1.0, "y"]]}"#)
    let (left, right) = (try #require(json["a"]?["x"]), try #require(json["b"]?[0]))
    expectEqual(left, right, "paths and documents differ")
    #expect(Set([left, right]).count == 1)
  }

  @Test func equalityIsSymmetricAndConsistentWithHashing() throws {
    var generator = ValueGenerator(seed: 3)
    var values: [JSON] = []
    for _ in 0..<120 { values.append(try generator.value(depth: 2)) }
    for left in values {
      expectEqual(left, left.compactCopy(), "\(left)")
      for right in values {
        let isEqual = left == right
        if (right == left) != isEqual { Issue.record("\(left) equals \(right) in one order only") }
        if isEqual {
          #expect(left.hashValue == right.hashValue, "\(left) \(right)")
          for third in values where right == third { #expect(left == third) }
        }
      }
    }
  }

  /// Chosen numbers must not have the same hash, or sets of them would take quadratic time.
  @Test(arguments: [
    (0..<200).map { "1e\(400 + $0)" }, (0..<200).map { "-1e-\(400 + $0)" }, (0..<200).map { "1\($0 + 100)e-400" },
    (0..<200).map { "12345678901234567890123456\($0 + 100)" }, (0..<200).map { "-9007199254740993\($0 + 100)" },
    (0..<200).map { "0.1000000000000000055\($0 + 1000)1" }, (0..<200).map { "1e\($0 + 1)00000000000000000000000" },
    (0..<200).map { "1.\($0 + 1000)1e-323" }, (0..<200).map { "9007199254740993\($0 + 100)e9" },
  ])
  func differentNumbersHaveDifferentHashes(texts: [String]) throws {
    let hashes = Set(try texts.map { try json($0).hashValue })
    #expect(hashes.count > texts.count - 5)
  }

  @Test func equalityIgnoresTheOrderOfMembers() throws {
    var generator = ValueGenerator(seed: 4)
    for _ in 0..<200 {
      let members = try (0..<generator.int(0..<12)).map { number in
        (key: "k\(number)", value: try generator.value(depth: 1))
      }
      var shuffled = members
      for index in shuffled.indices.reversed() { shuffled.swapAt(index, generator.int(0..<(index + 1))) }
      expectEqual(JSON(members), JSON(shuffled), "\(JSON(members))")
    }
  }

  /// The difference of exponents is computed as by hand, on texts that fit an integer.
  @Test func decimalTextsAgreeWithExactArithmetic() throws {
    var generator = ValueGenerator(seed: 5)
    for _ in 0..<rounds(3_000) {
      let digits = generator.int(1..<2000)
      let exponent = generator.int(0..<6)
      let written = (0..<4).map { shift -> String in
        let padded = String(digits) + String(repeating: "0", count: shift)
        let point = padded.index(padded.startIndex, offsetBy: generator.int(1..<padded.count + 1))
        let fraction = padded[point...]
        let power = exponent - shift + fraction.count
        return "\(padded[..<point])\(fraction.isEmpty ? "" : "." + fraction)e\(power + 400)"
      }
      for text in written {
        expectEqual(try json(written[0]), try json(text), "\(written[0]) \(text)")
        #expect(try json(text) != json("\(digits + 1)e\(exponent + 400)"), "\(text)")
      }
    }
  }

  @Test func deeplyNestedValuesCompareHashAndPrint() throws {
    let depth = 50_000
    let open = String(repeating: #"[{"a":"#, count: depth)
    let close = String(repeating: "}]", count: depth)
    let left = try json(open + "1" + close)
    let right = try json(open + "1.0" + close)
    expectEqual(left, right, "deep")
    #expect(try left != json(open + "2" + close))
    #expect(left.serialized() == Array((open + "1" + close).utf8))
    #expect(try left.canonicalForm() == right.canonicalForm())
    #expect(left.compactCopy() == left)
    let steps = JSON(left.document, at: left.document.wordCount - 1).stepsFromRoot
    #expect(steps.count == 2 * depth && steps[1] == .key("a"))
  }
}

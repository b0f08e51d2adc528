import Foundation
import Testing

@testable import AnvilJSON

/// RFC 8785's own examples.
@Suite struct ValueCanonicalTests {
  private func canonical(_ text: String) throws -> String {
    String(decoding: try JSON(parsing: text).canonicalForm(), as: UTF8.self)
  }

  /// Appendix B: bits of a double and its text.
  @Test(
    arguments: [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
      (0x8000_0000_0000_0001, "-5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
      (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
      (0xC340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
      (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"), (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
      (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
      (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
      (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
      (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
      (0x41B3_DE43_5555_5557, "333333333.33333343"), (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
      (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ] as [(UInt64, String)])
  func numbersOfAppendixBAreReproduced(bits: UInt64, text: String) throws {
    let double = Double(bitPattern: bits)
    #expect(try JSON(double).canonicalForm() == Array(text.utf8))
    #expect(try canonical(double.description) == text)
  }

  /// §3.2.2 and §3.2.3.
  @Test func exampleOfSection3IsReproduced() throws {
    let text = #"""
      {
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
      }
      """#
    #expect(
      try canonical(text)
        == #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
        + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#)
  }

  /// §3.2.3: by code units of UTF-16, in which an emoji comes before U+FB33.
  @Test func keysAreSortedByCodeUnitsOfUTF16() throws {
    let text = #"""
      {
        "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
        "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
      }
      """#
    let json = try JSON(parsing: try canonical(text))
    #expect(
      json.members.map { $0.value.string } == [
        "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign", "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
      ])
  }

  @Test func orderIsThatOfUTF16ForAnyKeys() throws {
    var generator = ValueGenerator(seed: 7)
    let scalars: [Unicode.Scalar] = [
      "a", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
    ]
    for _ in 0..<300 {
      let keys = (0..<6).map { _ in
        String(
          String.UnicodeScalarView((0..<generator.int(0..<4)).map { _ in scalars[generator.int(0..<scalars.count)] }))
      }
      let json = JSON(keys.map { (key: $0, value: nil as JSON) })
      let sorted = Array(try JSON(parsing: json.canonicalForm()).keys)
      let units = sorted.map { Array($0.utf16) }
      for (left, right) in zip(units, units.dropFirst()) { #expect(left.lexicographicallyPrecedes(right)) }
      #expect(Set(sorted.map { Array($0.utf16) }) == Set(keys.map { Array($0.utf16) }))
      let byScalars = try JSON(parsing: json.serialized(order: .sortedKeys)).keys.map { Array($0.unicodeScalars) }
      for (left, right) in zip(byScalars, byScalars.dropFirst()) { #expect(!right.lexicographicallyPrecedes(left)) }
    }
  }

  @Test func firstOfARepeatedKeyCounts() throws {
    #expect(try canonical(#"{"b":1,"a":2,"b":3,"a":{}}"#) == #"{"a":2,"b":1}"#)
  }

  @Test func numbersOutOfRangeHaveNoCanonicalForm() throws {
    let json = try JSON(parsing: #"{"a": [0, {"b/c": -1e309}]}"#)
    let error = try #require(throws: JSON.CanonicalFormError.self) { try json.canonicalForm() }
    #expect(error.description == #"the number at "/a/1/b~1c" is beyond the range of doubles"#)
    #expect(try canonical("[1e-400, 9007199254740993]") == "[0,9007199254740992]")
  }

  @Test func canonicalFormIsStable() throws {
    var generator = ValueGenerator(seed: 8)
    var count = 0
    for _ in 0..<600 {
      let value = try generator.value()
      guard let text = try? value.canonicalForm() else { continue }
      count += 1
      #expect(try JSON(parsing: text).canonicalForm() == text)
      #expect(try value.compactCopy().canonicalForm() == text)
      #expect(try JSON(parsing: value.serialized(.pretty(), order: .sortedKeys)).canonicalForm() == text)
    }
    #expect(count > 400)
  }

  /// ECMAScript's notation, by its rules, from the digits that the standard library prints.
  @Test func doublesRoundTripThroughTheirECMAScriptText() throws {
    var generator = RandomSource(seed: 9)
    for _ in 0..<20_000 {
      let double = Double(bitPattern: generator.next())
      guard double.isFinite else { continue }
      let text = String(decoding: try JSON(double).canonicalForm(), as: UTF8.self)
      #expect(Double(text) == double)
      let magnitude = double.magnitude
      #expect(text.contains("e") == (magnitude != 0 && (magnitude < 1e-6 || magnitude >= 1e21)), "\(text)")
    }
  }
}

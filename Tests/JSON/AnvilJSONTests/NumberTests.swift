import Foundation
import Testing

@testable import AnvilJSON

@Suite struct NumberTests {
  private func document(_ text: String) throws -> Document { try JSON(parsing: text).document }

  /// The standard library's conversion is the oracle, because it is correctly rounded and independent of ours.
  private func check(_ text: String) throws {
    let double = try #require(Double(text))
    let ours = try document(text).double(at: 0)
    if double.isFinite {
      #expect(ours?.bitPattern == double.bitPattern, "\(text): \(String(describing: ours))")
    } else {
      #expect(ours == nil, "\(text)")
    }
  }

  @Test(arguments: [
    "0", "-0", "0.0", "-0.0", "1", "-1", "0.1", "1e0", "1E5", "1e+5", "1e-5", "123456789012345678",
    "9007199254740993", "9007199254740992.5", "9007199254740993.0", "18446744073709551615", "18446744073709551616",
    "-9223372036854775808", "-9223372036854775809", "1.7976931348623157e308", "1.7976931348623158e308",
    "1.7976931348623159e308", "1e308", "1e309", "-1e309", "4.9406564584124654e-324", "2.4703282292062327e-324",
    "2.4703282292062328e-324", "2.2250738585072011e-308", "2.2250738585072014e-308", "1e-400", "0e999999999999999999",
    "1e999999999999999999", "1e-999999999999999999", "8.5e-323", "5e-324", "3.0e-324",
    "1.00000000000000011102230246251565",
    "1.00000000000000011102230246251564", "1.00000000000000011102230246251566", "179769313486231580793728971405301e276",
    "7.2057594037927933e16", "0.000000000000000000000000000000000000000000000000000000000001", "6929495644600920e1",
    "9214843084008499", "0.500000000000000166533453693773481063544750213623046875",
    "3.5028234666e38", "100000000000000016777215", "100000000000000016777216", "2.4703282292062327208299493699e-324",
    "0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001e400",
  ])
  func knownNumbersAreRoundedToTheNearestDouble(text: String) throws {
    try check(text)
    if !text.hasPrefix("-") { try check("-" + text) }
  }

  @Test func halfwayPointsWithManyDigitsAreRoundedByTheirLastDigit() throws {
    // 2⁻¹⁰⁷⁵, half of the smallest double, and its neighbours: 751 digits that all count.
    let half = "2." + "4703282292062327208299493699".padding(toLength: 28, withPad: "0", startingAt: 0)
    for tail in ["", "1", String(repeating: "0", count: 1000), String(repeating: "0", count: 1000) + "1"] {
      try check(half + tail + "e-324")
      try check("9007199254740993" + "." + tail + (tail.isEmpty ? "0" : ""))
      try check("1.00000000000000011102230246251565404236316680908203125" + tail)
    }
  }

  @Test func randomDecimalsAreNearest() throws {
    var random = RandomSource(seed: 7)
    for _ in 0..<30_000 {
      var text = String(UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 0..<64, using: &random))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: text += "." + String(UInt64.random(in: 0 ... .max, using: &random))
      case 1:
        text +=
          "." + String(UInt32.random(in: 0 ... .max, using: &random)) + "e\(Int.random(in: -340...320, using: &random))"
      case 2: text += "e\(Int.random(in: -345...310, using: &random))"
      default: break
      }
      try check(text)
    }
  }

  @Test func doublesRoundTripThroughTheirDescription() throws {
    var random = RandomSource(seed: 8)
    for _ in 0..<30_000 {
      let double = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random))
      guard double.isFinite else { continue }
      let text = double.description
      #expect(try document(text).double(at: 0)?.bitPattern == double.bitPattern, "\(text)")
    }
  }

  /// The exact algorithm, which the fast one needs for few numbers only, returns the same results.
  @Test func exactConversionAgreesWithTheFastOne() {
    var random = RandomSource(seed: 9)
    for _ in 0..<5_000 {
      let significand = UInt64.random(in: 0..<10_000_000_000_000_000_000, using: &random)
      let exponent = Int.random(in: -345...310, using: &random)
      let digits = String(significand).utf8.map { $0 - 0x30 }
      let exact = NearestDouble.exact(digits: digits, exponent: exponent)
      if let fast = NearestDouble.nearest(significand, exponent: exponent) {
        #expect(fast.bitPattern == exact.bitPattern, "\(significand)e\(exponent)")
      }
    }
  }

  @Test(arguments: [
    ("0.00000000000000000000000000000000000000000000000029e50", 29),
    ("0", 0), ("-1", -1), ("1.0", 1), ("10e-1", 1), ("1e3", 1000), ("0.0", 0), ("-0", 0), ("120e-1", 12),
    ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("9.223372036854775807e18", Int.max),
    ("576460752303423487", 576_460_752_303_423_487), ("576460752303423488", 576_460_752_303_423_488),
    ("-576460752303423488", -576_460_752_303_423_488), ("-576460752303423489", -576_460_752_303_423_489),
  ])
  func wholeNumbersInAnyNotationAreIntegers(text: String, expected: Int) throws {
    #expect(try document(text).integer(at: 0, as: Int.self) == expected)
  }

  @Test(arguments: [
    "0.5", "9223372036854775808", "-9223372036854775809", "1e19", "1e400", "1.00000000000000000001", "1e-1",
    "9223372036854775807.5", "12345678901234567890123456789012345678901234567890", "true", "\"1\"", "null",
  ])
  func otherValuesAreNotIntegers(text: String) throws {
    #expect(try document(text).integer(at: 0, as: Int.self) == nil)
  }

  @Test func everyWidthHasItsRange() throws {
    #expect(try document("255").integer(at: 0, as: UInt8.self) == 255)
    #expect(try document("256").integer(at: 0, as: UInt8.self) == nil)
    #expect(try document("-1").integer(at: 0, as: UInt8.self) == nil)
    #expect(try document("-128").integer(at: 0, as: Int8.self) == -128)
    #expect(try document("127.0").integer(at: 0, as: Int8.self) == 127)
    #expect(try document("128e0").integer(at: 0, as: Int8.self) == nil)
    #expect(try document("18446744073709551615").integer(at: 0, as: UInt64.self) == .max)
    #expect(try document("18446744073709551616").integer(at: 0, as: UInt64.self) == nil)
    #expect(try document("\(Int128.min)").integer(at: 0, as: Int128.self) == .min)
    #expect(try document("\(UInt128.max)").integer(at: 0, as: UInt128.self) == .max)
    #expect(try document("\(UInt128.max)0").integer(at: 0, as: UInt128.self) == nil)
  }

  @Test(arguments: ["0.1", "123456789012345678901234567890.12345678", "-1.5e10", "1e-20", "42"])
  func decimalsKeepTheirDigits(text: String) throws {
    #expect(try document(text).decimal(at: 0) == Decimal(string: text))
  }

  /// All spellings of a value result in the same `Decimal`.
  @Test(arguments: [
    ("1e128", "10e127"), ("1" + String(repeating: "0", count: 128), "10e127"), ("-12.5e128", "-125e127"),
    ("0e200", "0"), ("-0.000e-9999999999999999999", "0"), ("10e-129", "1e-128"), ("1000.0e-131", "1e-128"),
    ("1.00e-126", "1e-126"), ("123e163", "123" + String(repeating: "0", count: 36) + "e127"),
  ])
  func decimalsInAnyNotationAreEqual(text: String, plain: String) throws {
    let expected = try #require(Decimal(string: plain))
    #expect(try JSON(parsing: text).decimal == expected)
    #expect(try JSON.read(Decimal.self, from: text) == expected)
    #expect(try JSON.Decoder().decode(Decimal.self, from: Data(text.utf8)) == expected)
  }

  @Test(arguments: ["1e-129", "12e-129", "1e200", "1e9999999999999999999999", "1e-9999999999999999999999"])
  func numbersBeyondTheRangeOfDecimalAreNotDecimals(text: String) throws {
    #expect(try JSON(parsing: text).decimal == nil)
    #expect(throws: JSON.ReadingError.self) { try JSON.read(Decimal.self, from: text) }
  }

  @Test(arguments: ["0.10", "1e5", "123456789012345678901234567890", "-0", "1.0E+2"])
  func numbersKeepTheirText(text: String) throws {
    #expect(try document("[\(text)]").numberText(at: 1) == text)
  }
}

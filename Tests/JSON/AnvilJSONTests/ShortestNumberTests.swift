import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

/// The shortest text of floating-point numbers; the standard library's description is the oracle for the digits.
@Suite struct ShortestNumberTests {
  private static func text(_ append: (OutputMemory) -> Void) -> String {
    let output = OutputMemory(capacity: 1)
    defer { output.deallocate() }
    append(output)
    return output.string()
  }

  private static func withoutFraction(_ description: String) -> String {
    description.hasSuffix(".0") ? String(description.dropLast(2)) : description
  }

  /// The digits without leading and trailing zeros, and the power of ten of the last one.
  private static func value(of text: String) -> (digits: String, exponent: Int) {
    let parts = text.lowercased().split(separator: "e")
    let number = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    var digits = number.joined().drop { $0 == "0" || $0 == "-" }
    var exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - (number.count > 1 ? number[1].count : 0)
    while digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    return (String(digits), digits.isEmpty ? 0 : exponent)
  }

  private static func differences(_ values: some Sequence<Double>) -> [String] {
    values.filter(\.isFinite).compactMap { value in
      let expected = withoutFraction(value.description)
      let found = text { $0.append(finite: value) }
      let canonical = Self.value(of: text { $0.append(ecmaScript: value) })
      if found == expected, canonical == Self.value(of: expected) { return nil }
      return "\(found), expected \(expected), canonical \(canonical)"
    }
  }

  private static func differences(_ values: some Sequence<Float>) -> [String] {
    values.filter(\.isFinite).compactMap { value in
      let expected = withoutFraction(value.description)
      let found = text { $0.append(finite: value) }
      return found == expected ? nil : "\(found), expected \(expected)"
    }
  }

  @Test func powersOfTwoAndTheirNeighboursHaveTheShortestDigits() {
    let powers = (1...2046).flatMap { (power: UInt64) in
      [0, 1, 2, 0x8_0000_0000_0000, 0xF_FFFF_FFFF_FFFE, 0xF_FFFF_FFFF_FFFF].map { (fraction: UInt64) in
        Double(bitPattern: power << 52 | fraction)
      }
    }
    #expect(Self.differences(powers) == [])
    let floats = (1...254).flatMap { (power: UInt32) in
      [0, 1, 2, 0x40_0000, 0x7F_FFFE, 0x7F_FFFF].map { (fraction: UInt32) in Float(bitPattern: power << 23 | fraction) }
    }
    #expect(Self.differences(floats) == [])
  }

  @Test func powersOfTenAndTheirNeighboursHaveTheShortestDigits() {
    let powers = (-324...308).flatMap { exponent in
      ["1", "2", "5", "9", "1.5", "9.999999999999999", "1.0000000000000002"].compactMap { Double("\($0)e\(exponent)") }
    }
    #expect(powers.count > 4000)
    #expect(Self.differences(powers.flatMap { [$0, $0.nextUp, $0.nextDown, -$0] }) == [])
    #expect(Self.differences(powers.map { Float($0) }.flatMap { [$0, $0.nextUp, $0.nextDown, -$0] }) == [])
  }

  @Test func subnormalsHaveTheShortestDigits() {
    var random = RandomSource(seed: 11)
    let doubles = (0..<52).flatMap { (bit: UInt64) -> [UInt64] in
      let power: UInt64 = 1 << bit
      return [power, power - 1, power + 1, UInt64.random(in: 0...power, using: &random)]
    }
    #expect(Self.differences(doubles.map { Double(bitPattern: $0) }) == [])
    #expect(Self.differences((0..<10_000).map { Double(bitPattern: $0) }) == [])
    let floats = (0..<10_000).map { _ in Float(bitPattern: UInt32.random(in: 0..<1 << 23, using: &random)) }
    #expect(Self.differences(floats) == [])
  }

  @Test func randomBitsHaveTheShortestDigits() {
    var random = RandomSource(seed: 12)
    #expect(Self.differences((0..<rounds(50_000)).map { _ in Double(bitPattern: random.next()) }) == [])
    let floats = (0..<rounds(50_000)).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: random.next())) }
    #expect(Self.differences(floats) == [])
  }

  @Test func decimalsOfFewDigitsKeepThem() {
    var random = RandomSource(seed: 13)
    let decimals = (0..<rounds(50_000)).flatMap { _ in
      let digits = Double(
        UInt64.random(in: 0..<10_000_000_000_000_000, using: &random) >> UInt64.random(in: 0..<50, using: &random))
      let power = [10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e9][Int.random(in: 0..<8, using: &random)]
      return [digits / power, (digits / power).nextUp]
    }
    #expect(Self.differences(decimals) == [])
  }

  @Test(
    arguments: [
      (0, "0", "0"), (-0.0, "-0", "0"), (1, "1", "1"), (-1.5, "-1.5", "-1.5"), (0.1, "0.1", "0.1"),
      (0.0001, "0.0001", "0.0001"), (0.00012345, "0.00012345", "0.00012345"), (9.5e-5, "9.5e-05", "0.000095"),
      (1e-6, "1e-06", "0.000001"), (1.25e-7, "1.25e-07", "1.25e-7"), (1e-100, "1e-100", "1e-100"),
      (9_007_199_254_740_992, "9007199254740992", "9007199254740992"),
      (9_007_199_254_740_994, "9.007199254740994e+15", "9007199254740994"),
      (-1e16, "-1e+16", "-10000000000000000"), (1.5e20, "1.5e+20", "150000000000000000000"), (1e21, "1e+21", "1e+21"),
      (123_456_789.125, "123456789.125", "123456789.125"),
      (0.30000000000000004, "0.30000000000000004", "0.30000000000000004"),
      (999_999_999.999999, "999999999.999999", "999999999.999999"),
      (4_503_599_627_370_495.5, "4503599627370495.5", "4503599627370495.5"),
      (.leastNonzeroMagnitude, "5e-324", "5e-324"),
      (1.7976931348623157e308, "1.7976931348623157e+308", "1.7976931348623157e+308"),
    ] as [(Double, String, String)])
  func foundationAndECMAScriptFormatsDifferInTheirExponents(value: Double, foundation: String, ecmaScript: String) {
    #expect(Self.text { $0.append(finite: value) } == foundation)
    #expect(Self.text { $0.append(ecmaScript: value) } == ecmaScript)
  }

  @Test(
    arguments: [
      (0, "0"), (0.1, "0.1"), (3.4028235e38, "3.4028235e+38"), (.leastNonzeroMagnitude, "1e-45"),
      (16_777_216, "16777216"),
      (16_777_218, "1.6777218e+07"), (0.0001, "0.0001"), (0.00009, "9e-05"), (-2.5, "-2.5"),
    ] as [(Float, String)])
  func floatsAreWrittenWithTheirShortestDigits(value: Float, text: String) {
    #expect(Self.text { $0.append(finite: value) } == text)
  }

  @Test func integersOfEveryLengthAreWritten() {
    var random = RandomSource(seed: 14)
    for bits in 0..<64 {
      for _ in 0..<50 {
        let value = random.next() >> UInt64(bits)
        #expect(Self.text { $0.append(integer: value) } == "\(value)")
        #expect(Self.text { $0.append(integer: Int64(bitPattern: value)) } == "\(Int64(bitPattern: value))")
        #expect(Self.text { $0.append(integer: Int128(value) * -3) } == "\(Int128(value) * -3)")
      }
    }
    for power in sequence(first: 1 as UInt64, next: { $0.multipliedReportingOverflow(by: 10).overflow ? nil : $0 * 10 })
    {
      #expect(Self.text { $0.append(integer: power) } == "\(power)")
      #expect(Self.text { $0.append(integer: power - 1) } == "\(power - 1)")
    }
    #expect(Self.text { $0.append(integer: Int64.min) } == "-9223372036854775808")
    #expect(Self.text { $0.append(integer: UInt64.max) } == "18446744073709551615")
  }

  /// Regression: the reciprocals of the powers of five were truncated, so that these were read as the double below.
  @Test(
    arguments: [
      "9007199254740995.0", "9007199254740995.00", "18014398509481990.0", "15246381495450955.00", "14869839120660995.0",
      "15602634486309103.00", "9007199254740993.0", "4503599627370497.5", "4503599627370498.50", "2251799813685249.75",
    ])
  func decimalsHalfwayBetweenDoublesAreReadAsTheEvenOne(text: String) throws {
    #expect(try JSON.Decoder().decode(Double.self, from: Data(text.utf8)) == Double(text))
  }
}

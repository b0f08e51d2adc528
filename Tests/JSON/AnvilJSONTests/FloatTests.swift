import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

/// A number read as `Float` is the float nearest to its digits, not the one nearest to the nearest double. The standard
/// library's conversion is the oracle.
@Suite struct FloatTests {
  /// The results of reading `text` as `Float` in each way; `nil` for an error.
  private func floats(_ text: String) throws -> [Float?] {
    let json = try JSON(parsing: text)
    let decoder = JSON.Decoder()
    let relaxed = JSON.Decoder()
    relaxed.allowsJSON5 = true
    let data = Data(text.utf8)
    return [
      try? decoder.decode(Float.self, from: data),
      try? decoder.decode(Float.self, from: json),
      try? decoder.decode([Float].self, from: Data("[\(text)]".utf8)).first,
      try? decoder.decode([String: Float?].self, from: Data(#"{"a": \#(text)}"#.utf8))["a"] ?? nil,
      try? relaxed.decode(Float.self, from: data),
      try? decoder.decodeCollecting(Float.self, from: json),
      try? Float.decode(json),
      try? JSON.read(Float.self, from: data),
    ]
  }

  private func check(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let nearest = try #require(Float(text), sourceLocation: sourceLocation)
    let expected = nearest.isFinite ? nearest.bitPattern : nil
    for found in try floats(text) {
      #expect(
        found?.bitPattern == expected, "\(text): \(found.map { "\($0)" } ?? "none")", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [
    "0", "-0.0", "1", "0.1", "16777217", "16777217.0", "16777217.0000000001", "16777216.9999999999", "16777219",
    "16777218.9999999999", "1.6777217e7", "1.00000017881393432617187499", "1.00000017881393432617187500",
    "1.00000017881393432617187501", "1.000000059604644775390625", "1.00000005960464477539062500001",
    "1.00000005960464477539062499999",
    // Integers of up to 64 bits and beyond.
    "9007199791611905", "9007199791611904", "576460786663161857", "1152921573326323713", "9223372586610589697",
    "18446742424442109953", "18446742424442109952", "-9223371487098961921", "36893484848884219905",
    // The greatest float, and numbers closer to 2¹²⁸.
    "3.4028234663852886e38", "3.4028235677973366e38", "340282356779733661637539395458142568447",
    "340282356779733661637539395458142568448", "340282356779733661637539395458142568447.9", "3.5e38", "1e39", "1e300",
    "1e400",
    // The smallest floats. 2⁻¹⁵⁰ is halfway between zero and the first.
    "1.401298464324817e-45", "7.006492321624085e-46", "7.00649232162408535461864791644958e-46",
    "7.00649232162408535461864791644959e-46", "2.1019476964872256e-45", "2.10194769648722560638559437493487e-45",
    "1.1754943508222875e-38", "1.17549428075736429171e-38", "1.17549428075736429172e-38", "1e-46", "1e-320", "1e-400",
  ])
  func knownNumbersAreRoundedToTheNearestFloat(text: String) throws {
    try check(text)
    if !text.hasPrefix("-") { try check("-" + text) }
  }

  /// Foundation rejects numbers that are too small; `FoundationDifferenceTests.numbersTooSmallForAFloatAreZero`.
  @Test(arguments: [
    "16777217.0000000001", "16777216.9999999999", "1.00000017881393432617187501", "1.00000005960464477539062500001",
    "9007199791611905", "576460786663161857", "-9223371487098961921", "36893484848884219905", "3.4028235677973366e38",
    "340282356779733661637539395458142568447.9", "340282356779733661637539395458142568448", "3.5e38",
    "1.401298464324817e-45", "7.00649232162408535461864791644959e-46", "1.17549428075736429171e-38",
  ])
  func foundationRoundsInTheSameWay(text: String) {
    let data = Data("[\(text)]".utf8)
    let ours = try? JSON.Decoder().decode([Float].self, from: data)
    #expect(ours == (try? JSONDecoder().decode([Float].self, from: data)))
  }

  @Test func midpointsAreRoundedToTheNearestFloat() throws {
    var random = RandomSource(seed: 24)
    for _ in 0..<rounds(1500) {
      let float = Float(bitPattern: UInt32.random(in: 0..<Float.greatestFiniteMagnitude.bitPattern, using: &random))
      let midpoint = (Double(float) + Double(float.nextUp)) / 2
      // All digits of the midpoint, as printed, and a little beside it.
      let digits = exactText(of: midpoint)
      try check("\(midpoint)")
      try check(digits)
      try check(digits.replacing("e", with: "1e"))
      try check(digits.replacing("e", with: "\(String(repeating: "0", count: 30))1e"))
      try check(justBelow(digits))
    }
  }

  @Test func tiesAreDecidedByTheLastOfManyDigits() throws {
    let zeros = String(repeating: "0", count: 2000)
    try check("16777217.\(zeros)")
    try check("16777217.\(zeros)1")
    try check("16777216.\(String(repeating: "9", count: 2000))")
    try check("0.\(zeros)16777217\(zeros)1e2008")
  }

  @Test func hexadecimalIntegersOfJSON5AreRoundedToTheNearestFloat() throws {
    let decoder = JSON.Decoder()
    decoder.allowsJSON5 = true
    for value: UInt64 in [0x1000001, 0x1000003, 0x2000_0011_0000_0001, 0xFFFF_FF80_0000_0001, 0xFFFF_FF7F_FFFF_FFFF] {
      let text = "0x" + String(value, radix: 16)
      #expect(try decoder.decode(Float.self, from: Data(text.utf8)) == Float(value))
    }
    #expect(try decoder.decode(Float.self, from: Data("-Infinity".utf8)) == -.infinity)
  }

  /// Every digit of `value`, which is above zero, as an integer and an exponent.
  private func exactText(of value: Double) -> String {
    // A double is m · 2ᵉ; below one that is m · 5⁻ᵉ · 10ᵉ.
    var digits = [UInt8](
      "\(value.significandBitPattern | (value.isNormal ? 1 << 52 : 0))".utf8.map { $0 - 0x30 }.reversed())
    var power = (value.isNormal ? Int(value.exponentBitPattern) : 1) - 1075
    var tens = 0
    while power != 0 {
      let factor: UInt8 = power > 0 ? 2 : 5
      var carry: UInt8 = 0
      for index in digits.indices {
        let product = digits[index] * factor + carry
        digits[index] = product % 10
        carry = product / 10
      }
      if carry > 0 { digits.append(carry) }
      if power < 0 { tens -= 1 }
      power += power > 0 ? -1 : 1
    }
    // One digit before the point, so that more can be appended to the others.
    let text = String(decoding: digits.reversed().map { $0 + 0x30 }, as: UTF8.self)
    return "\(text.first ?? "0").\(text.dropFirst())0e\(tens + text.utf8.count - 1)"
  }

  /// Subtracts one unit in the last place from `text`, which must contain a nonzero digit followed by a zero.
  private func justBelow(_ text: String) -> String {
    let parts = text.split(separator: "e")
    var digits = Array(parts[0].utf8)
    for index in digits.indices.reversed() where digits[index] != 0x2E {
      if digits[index] == 0x30 {
        digits[index] = 0x39
      } else {
        digits[index] -= 1
        break
      }
    }
    return "\(String(decoding: digits, as: UTF8.self))e\(parts[1])"
  }
}

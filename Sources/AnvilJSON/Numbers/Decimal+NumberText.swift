#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Decimal {
  /// Creates the value of `text`, a JSON number, with as many of its digits as fit; `nil` if it is out of range.
  init?(numberText text: String) {
    guard let value = Decimal(string: text) ?? Decimal(shiftedNumberText: text) else { return nil }
    self = value
  }

  /// Foundation requires an exponent from -128 to 127, even if the same value could be written with one: `1e128` is `10e127`.
  private init?(shiftedNumberText text: String) {
    let parts = text.utf8.split(maxSplits: 1) { $0 == 0x65 || $0 == 0x45 }
    guard let significand = parts.first else { return nil }
    let isNegative = significand.first == 0x2D
    let fraction = significand.split(separator: 0x2E, maxSplits: 1).dropFirst().first?.count ?? 0
    var digits = Array(significand.filter { $0 &- 0x30 <= 9 }.drop { $0 == 0x30 })
    guard !digits.isEmpty else {
      self = 0
      return
    }
    // A larger exponent is out of range in any case.
    guard var exponent = parts.count > 1 ? Int(Substring(parts[1])) : 0, exponent.magnitude < 1 << 40 else {
      return nil
    }
    exponent -= fraction
    while digits.last == 0x30 {
      digits.removeLast()
      exponent += 1
    }
    while exponent > 127, digits.count < 39 {
      digits.append(0x30)
      exponent -= 1
    }
    guard (-128...127).contains(exponent) else { return nil }
    let text = "\(isNegative ? "-" : "")\(String(decoding: digits, as: UTF8.self))e\(exponent)"
    guard let value = Decimal(string: text) else { return nil }
    self = value
  }
}

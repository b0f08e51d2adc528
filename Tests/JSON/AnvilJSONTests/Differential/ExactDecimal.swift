/// A number as digits and a power of ten, parsed from its text with plain arithmetic on characters.
struct ExactDecimal {
  private let isNegative: Bool
  /// The digits without leading and trailing zeros; empty for zero.
  private let digits: String
  /// The power of ten of the last digit; `nil` if the exponent has too many digits to matter.
  private let exponent: Int?

  /// - Parameter text: a number as RFC 8259 writes it.
  init(_ text: String) {
    isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(separator: "e", omittingEmptySubsequences: false)
      .flatMap { $0.split(separator: "E", omittingEmptySubsequences: false) }
    let mantissa = parts[0].split(separator: ".")
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    let written = parts.count > 1 ? Self.integer(parts[1]) : 0
    let all = mantissa[0] + fraction
    let trimmed = all.reversed().drop { $0 == "0" }.reversed().drop { $0 == "0" }
    let trailingZeros = all.count - all.reversed().drop { $0 == "0" }.count
    digits = String(trimmed)
    exponent = written.map { $0 - fraction.count + trailingZeros }
  }

  /// The integer in `text`, which may have a plus sign; `nil` if it has too many digits to matter.
  private static func integer(_ text: Substring) -> Int? {
    let isNegative = text.hasPrefix("-")
    let digits = text.drop { $0 == "-" || $0 == "+" }.drop { $0 == "0" }
    if digits.isEmpty { return 0 }
    return digits.count <= 9 ? Int(digits).map { isNegative ? -$0 : $0 } : nil
  }

  /// `true` if the fraction is absent or zero.
  var isWhole: Bool { digits.isEmpty || (exponent ?? -1) >= 0 }

  /// The digits of a whole number with fewer than 60 digits; `nil` for any other number.
  var integerText: String? {
    if digits.isEmpty { return "0" }
    guard let exponent, exponent >= 0, digits.count + exponent < 60 else { return nil }
    return (isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent)
  }

  /// The same number in scientific notation, with one digit before the point; `nil` if the exponent is too large.
  var rewritten: String? {
    if digits.isEmpty { return "-0.000E-7" }
    guard let exponent else { return nil }
    let fraction = digits.dropFirst()
    return (isNegative ? "-" : "") + "\(digits.prefix(1)).\(fraction)00e\(exponent + fraction.count)"
  }
}

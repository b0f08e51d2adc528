internal import AnvilBase

extension Decimal {
  /// Creates the value of `text`, a JSON number, with as many of its digits as fit; `nil` if it is out of range.
  package init?(numberText text: String) {
    guard let value = Decimal(string: text) ?? Decimal(shiftedNumberText: text) else { return nil }
    self = value
  }

  /// Creates the value of `text` after shifting its decimal point, so that the exponent is from -128 to 127, as Foundation requires:
  /// `1e128` becomes `10e127`.
  private init?(shiftedNumberText text: String) {
    var digits: [UInt8] = []
    var (fraction, exponent) = (0, 0)
    var (isFraction, isExponent, isExponentNegative) = (false, false, false)
    for byte in text.utf8 {
      switch byte {
      case .digit0 ... .digit9 where isExponent:
        // A larger exponent is out of range in any case.
        if exponent < 1 << 40 { exponent = exponent * 10 + Int(byte - .digit0) }
      case .digit0 ... .digit9:
        // Zeros before the first other digit are left out.
        if byte != .digit0 || !digits.isEmpty { digits.append(byte) }
        if isFraction { fraction += 1 }
      case .period: isFraction = true
      case UInt8(ascii: "E"), UInt8(ascii: "e"): isExponent = true
      case .minus where isExponent: isExponentNegative = true
      default: break
      }
    }
    guard !digits.isEmpty else {
      self = 0
      return
    }
    exponent = (isExponentNegative ? -exponent : exponent) - fraction
    while digits.last == .digit0 {
      digits.removeLast()
      exponent += 1
    }
    while exponent > 127, digits.count < 39 {
      digits.append(.digit0)
      exponent -= 1
    }
    guard (-128...127).contains(exponent) else { return nil }
    let text = "\(text.utf8.first == 0x2D ? "-" : "")\(String(decoding: digits, as: UTF8.self))e\(exponent)"
    guard let value = Decimal(string: text) else { return nil }
    self = value
  }
}

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
      case 0x30...0x39 where isExponent:
        // A larger exponent is out of range in any case.
        if exponent < 1 << 40 { exponent = exponent * 10 + Int(byte - 0x30) }
      case 0x30...0x39:
        // Zeros before the first other digit are left out.
        if byte != 0x30 || !digits.isEmpty { digits.append(byte) }
        if isFraction { fraction += 1 }
      case 0x2E: isFraction = true
      case 0x45, 0x65: isExponent = true
      case 0x2D where isExponent: isExponentNegative = true
      default: break
      }
    }
    guard !digits.isEmpty else {
      self = 0
      return
    }
    exponent = (isExponentNegative ? -exponent : exponent) - fraction
    while digits.last == 0x30 {
      digits.removeLast()
      exponent += 1
    }
    while exponent > 127, digits.count < 39 {
      digits.append(0x30)
      exponent -= 1
    }
    guard (-128...127).contains(exponent) else { return nil }
    let text = "\(text.utf8.first == 0x2D ? "-" : "")\(String(decoding: digits, as: UTF8.self))e\(exponent)"
    guard let value = Decimal(string: text) else { return nil }
    self = value
  }
}

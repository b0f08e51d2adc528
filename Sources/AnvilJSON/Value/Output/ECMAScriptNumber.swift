/// Doubles as ECMAScript writes them: the shortest digits that come back as the same double, with an exponent only below
/// 10⁻⁶ and from 10²¹ on, and without a fraction where the number is whole.
///
/// Source: ECMA-262, Number::toString; RFC 8785 §3.2.2.3.
enum ECMAScriptNumber {
  /// Appends the text of `value`, which is finite, to `output`. Minus zero is `0`.
  static func append(_ value: Double, to output: inout [UInt8]) {
    guard value != 0 else { return output.append(0x30) }
    if value < 0 { output.append(0x2D) }
    let (digits, point) = shortest(value.magnitude)
    switch point {
    case digits.count...21:
      output += digits
      output.append(contentsOf: repeatElement(0x30, count: point - digits.count))
    case 1...21:
      output += digits[..<point]
      output.append(0x2E)
      output += digits[point...]
    case -5...0:
      output += [0x30, 0x2E]
      output.append(contentsOf: repeatElement(0x30, count: -point))
      output += digits
    default:
      output.append(digits[0])
      if digits.count > 1 { output.append(0x2E) }
      output += digits[1...]
      output += [0x65, point > 0 ? 0x2B : 0x2D]
      output += String((point - 1).magnitude).utf8
    }
  }

  /// The ASCII digits of `value`, which is positive, with no zeros at either end, and where its point stands: behind that
  /// many digits. The standard library's description has the same digits.
  private static func shortest(_ value: Double) -> (digits: [UInt8], point: Int) {
    var digits: [UInt8] = []
    var point: Int?
    var exponent = 0
    var isExponent = false
    var isNegative = false
    for byte in value.description.utf8 {
      switch byte {
      case 0x2E: point = digits.count
      case 0x65: isExponent = true
      case 0x2D: isNegative = true
      case 0x30...0x39 where isExponent: exponent = exponent * 10 + Int(byte - 0x30)
      case 0x30...0x39: digits.append(byte)
      default: break
      }
    }
    let leadingZeros = digits.prefix { $0 == 0x30 }.count
    let end = (point ?? digits.count) - leadingZeros + (isNegative ? -exponent : exponent)
    digits.removeFirst(leadingZeros)
    while digits.last == 0x30 { digits.removeLast() }
    return (digits, end)
  }
}

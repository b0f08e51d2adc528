#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The numbers of a tape in the types of Swift.
///
/// A number is an integer when its value is whole, however it is written: `1`, `1.0` and `10e-1` are the same. Types of up
/// to 128 bits and `Decimal` are read from the text where 64 bits do not do, so that no digit is lost.
extension Document {
  /// The integer at `index`; `nil` when there is none or `Value` cannot hold it.
  @inline(__always)
  func integer<Value: FixedWidthInteger>(at index: Int, as type: Value.Type = Value.self) -> Value? {
    let word = tape[index]
    if word.is(.integer) { return Value(exactly: word.integer) }
    return uncommonInteger(at: index, as: type)
  }

  @inline(never)
  private func uncommonInteger<Value: FixedWidthInteger>(at index: Int, as type: Value.Type) -> Value? {
    let word = tape[index]
    switch word.kind {
    case .signed: return Value(exactly: Int64(bitPattern: tape[index + 1].bits))
    case .unsigned: return Value(exactly: tape[index + 1].bits)
    case .double:
      // By the digits: the nearest double of 1.00000000000000000001 is whole, the number is not.
      return exactInteger(at: index, as: type)
    default: return nil
    }
  }

  /// The value of a number's text, digit by digit.
  private func exactInteger<Value: FixedWidthInteger>(at index: Int, as type: Value.Type) -> Value? {
    let word = tape[index]
    let isNegative = bytes[word.offset] == 0x2D
    var text = NumberText(bytes, from: word.offset, to: endOfNumber(at: index))
    while let last = text.digits.last, last == 0 {
      text.digits.removeLast()
      text.exponent += 1
    }
    guard !text.digits.isEmpty else { return 0 }
    // More digits than any of these types has, or digits behind the point that are not zero.
    guard text.exponent >= 0, text.exponent <= 40, text.digits.count <= 40 else { return nil }
    var value: Value = 0
    for position in 0..<(text.digits.count + text.exponent) {
      let digit = position < text.digits.count ? Value(text.digits[position]) : 0
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) =
        isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      guard !overflow, !carry else { return nil }
      value = sum
    }
    return value
  }

  /// The double nearest to the number at `index`; `nil` when there is none or it is beyond the range of doubles.
  @inline(__always)
  func double(at index: Int) -> Double? {
    let word = tape[index]
    switch word.kind {
    case .double: return word.isOutOfRange ? nil : Double(bitPattern: tape[index + 1].bits)
    case .integer: return Double(word.integer)
    case .signed: return Double(Int64(bitPattern: tape[index + 1].bits))
    case .unsigned: return Double(tape[index + 1].bits)
    default: return nil
    }
  }

  /// The text of the number at `index`, as it stands in the document or as an integer is written; `nil` for anything else.
  func numberText(at index: Int) -> String? {
    let word = tape[index]
    switch word.kind {
    case .integer: return String(word.integer)
    case .double, .signed, .unsigned:
      let end = endOfNumber(at: index)
      return bytes.string(at: word.offset, length: end - word.offset, isASCII: true)
    default: return nil
    }
  }

  /// The number at `index` with every digit that `Decimal` can hold; `nil` when there is none or it is out of range.
  func decimal(at index: Int) -> Decimal? {
    let word = tape[index]
    if word.is(.integer) { return Decimal(word.integer) }
    return numberText(at: index).flatMap { Decimal(string: $0) }
  }

  /// Where the text of the number at `index` ends: its stated length saturates.
  private func endOfNumber(at index: Int) -> Int {
    let word = tape[index]
    var end = word.offset + word.length
    guard word.length == TapeWord.longestLength else { return end }
    while case let byte = bytes[end], byte &- 0x30 <= 9 || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte) { end += 1 }
    return end
  }
}

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The numbers of a tape as Swift types.
///
/// A number is an integer if its value is whole, in any notation: `1`, `1.0` and `10e-1` are the same. Types of up
/// to 128 bits and `Decimal` are read from the text if 64 bits do not suffice, so that no digit is lost.
extension Document {
  /// Returns the integer at `index`; `nil` if the value is not an integer or `Value` cannot hold it.
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
      guard !isNonFinite(at: index) else { return nil }
      // Uses the digits: the nearest double of 1.00000000000000000001 is whole, but the number is not.
      return NumberText(bytes, from: word.offset, to: endOfNumber(at: index)).wholeNumber()?.value(as: type)
    default: return nil
    }
  }

  /// Returns true if the value at `index` is an infinity or NaN, which exist in JSON5. Its text is `null`.
  func isNonFinite(at index: Int) -> Bool {
    let word = tape[index]
    return word.is(.double) && !word.isOutOfRange && !Double(bitPattern: tape[index + 1].bits).isFinite
  }

  /// Returns the double nearest to the number at `index`; `nil` if the value is not a number or is out of range.
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

  /// Returns the float nearest to the number at `index`; `nil` if the value is not a number or is out of range.
  func float(at index: Int) -> Float? {
    let word = tape[index]
    switch word.kind {
    case .double:
      guard !word.isOutOfRange else { return nil }
      let double = Double(bitPattern: tape[index + 1].bits)
      // JSON5 has non-finite numbers, which have no digits.
      guard double.isFinite else { return Float(double) }
      let float = NearestFloat.nearest(double) { NumberText(bytes, from: word.offset, to: endOfNumber(at: index)) }
      return float.isFinite ? float : nil
    case .integer: return Float(word.integer)
    case .signed: return Float(Int64(bitPattern: tape[index + 1].bits))
    case .unsigned: return Float(tape[index + 1].bits)
    default: return nil
    }
  }

  /// Returns the text of the number at `index`; `nil` if the value is not a number. Most numbers have the text of the document. Integers of
  /// up to 60 bits are formatted, and non-finite numbers have their names in JSON5.
  func numberText(at index: Int) -> String? {
    let word = tape[index]
    switch word.kind {
    case .integer: return String(word.integer)
    case .double where isNonFinite(at: index):
      let value = Double(bitPattern: tape[index + 1].bits)
      return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
    case .double, .signed, .unsigned:
      let end = endOfNumber(at: index)
      return bytes.string(at: word.offset, length: end - word.offset, isASCII: true)
    default: return nil
    }
  }

  /// Returns the number at `index` with every digit that `Decimal` can hold; `nil` if it is not a number or is out of range.
  func decimal(at index: Int) -> Decimal? {
    let word = tape[index]
    if word.is(.integer) { return Decimal(word.integer) }
    guard !isNonFinite(at: index) else { return nil }
    return numberText(at: index).flatMap { Decimal(numberText: $0) }
  }

  /// Returns the offset after the text of the number at `index`. A stored length of ``TapeWord/longestLength`` means that length or more.
  private func endOfNumber(at index: Int) -> Int {
    let word = tape[index]
    var end = word.offset + word.length
    guard word.length == TapeWord.longestLength else { return end }
    while case let byte = bytes[end], byte &- 0x30 <= 9 || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte) { end += 1 }
    return end
  }
}

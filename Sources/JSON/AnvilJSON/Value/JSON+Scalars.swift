#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value as Swift types. Each property is `nil` if the value is of another kind. Nothing is converted: `"1"` is not a number, and
/// `1` is not a Boolean.
extension JSON {
  /// A Boolean value that indicates whether the value is `null`. `json == nil` returns the same.
  public var isNull: Bool { word.is(.null) }

  /// The Boolean, `true` or `false`; `nil` for anything else, including numbers.
  public var bool: Bool? { word.isBool ? word.is(.true) : nil }

  /// The string; `nil` for anything else.
  ///
  /// - Complexity: O(*n*), where *n* is the length; one allocation for more than 15 bytes of UTF-8.
  public var string: String? { word.isString ? document.string(at: index) : nil }

  /// The double nearest to the number, with ties to even; `nil` beyond the range of doubles (`1e400`). It is infinite or NaN only
  /// for a JSON5 text that contains such a number.
  public var double: Double? { document.double(at: index) }

  /// The number as `Int`. See ``integer(as:)``.
  public var int: Int? { document.integer(at: index, as: Int.self) }

  /// Returns the number as an integer; `nil` if it is not whole or does not fit `Value`.
  ///
  /// The exact value decides, not the notation: `1`, `1.0` and `10e-1` are the same integer. No digit is lost: 9007199254740993 is returned
  /// unchanged, and 1.00000000000000000001 is not whole.
  ///
  /// - Parameter type: An integer type of up to 128 bits.
  public func integer<Value: FixedWidthInteger>(as type: Value.Type = Value.self) -> Value? {
    document.integer(at: index, as: type)
  }

  /// The number with as many of its digits as `Decimal` can store (38); `nil` beyond the range of `Decimal`.
  public var decimal: Decimal? { document.decimal(at: index) }

  /// The number as it is written in the document, such as `1.50` or `1E5`. Integers that fit 60 bits are formatted by Swift, with the same
  /// result. Numbers that only JSON5 has are `Infinity`, `-Infinity` or `NaN`.
  public var numberText: String? { document.numberText(at: index) }
}

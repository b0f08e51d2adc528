#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a value is in the types of Swift: `nil` where it is something else. Nothing is converted: `"1"` is no number, `1`
/// no Boolean.
extension JSON {
  /// Whether the value is `null`; `json == nil` says the same.
  public var isNull: Bool { word.is(.null) }

  /// `true` or `false`; `nil` for anything else, numbers too.
  public var bool: Bool? { word.isBool ? word.is(.true) : nil }

  /// The string; `nil` for anything else.
  ///
  /// - Complexity: O(*n*), *n* its length; one allocation beyond 15 bytes of UTF-8.
  public var string: String? { word.isString ? document.string(at: index) : nil }

  /// The double nearest to the number, ties to even; `nil` beyond the range of doubles (`1e400`). Infinite or NaN only
  /// where a JSON5 text says so.
  public var double: Double? { document.double(at: index) }

  /// The number as `Int`: ``integer(as:)``.
  public var int: Int? { document.integer(at: index, as: Int.self) }

  /// The number as an integer; `nil` when it is not whole or `Value` cannot hold it.
  ///
  /// What counts is the value: `1`, `1.0` and `10e-1` are the same integer. No digit is lost on the way, so that
  /// 9007199254740993 is that, and 1.00000000000000000001 is none.
  ///
  /// - Parameter type: an integer of up to 128 bits.
  public func integer<Value: FixedWidthInteger>(as type: Value.Type = Value.self) -> Value? {
    document.integer(at: index, as: type)
  }

  /// The number with as many of its digits as `Decimal` can hold (38); `nil` beyond the range of `Decimal`.
  public var decimal: Decimal? { document.decimal(at: index) }

  /// The number as it is written in the document, `1.50` or `1E5`; integers that fit 60 bits as Swift writes them, which
  /// is the same. JSON5's names of what JSON has no numbers for are `Infinity`, `-Infinity` and `NaN`.
  public var numberText: String? { document.numberText(at: index) }
}

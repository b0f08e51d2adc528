#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Codes dates as strings in the format of RFC 3339, with or without fractional seconds. It reads the same texts as `JSON.read`, and writes the
/// same text as `JSON.write`.
public struct ISO8601DateStrategy: CodableStrategy {
  /// Returns the date in `text`.
  ///
  /// - Throws: ``CodingFailure`` if `text` is not a date in this format.
  public func value(from text: String) throws -> Date {
    guard let date = try? Date.decode(JSON(text)) else { throw CodingFailure("not a date in the format of RFC 3339") }
    return date
  }

  /// Returns the text of `date`.
  ///
  /// - Throws: ``CodingFailure`` if the date is not in the years 0 to 9999.
  public func coded(_ date: Date) throws -> String {
    guard let text = try? JSON(encoding: date).string else { throw CodingFailure("a date outside the years 0 to 9999") }
    return text
  }
}

/// Codes dates as the time since 1970, in seconds or in a smaller unit such as milliseconds.
public struct UnixDateStrategy: CodableStrategy {
  let unitsPerSecond: Double

  /// Returns the date that is `units` after the start of 1970.
  ///
  /// - Throws: ``CodingFailure`` if `units` is not finite.
  public func value(from units: Double) throws -> Date {
    guard units.isFinite else { throw CodingFailure("not a date: the number is not finite") }
    return Date(timeIntervalSince1970: units / unitsPerSecond)
  }

  /// Returns the time since the start of 1970, in the strategy's unit.
  public func coded(_ date: Date) -> Double { date.timeIntervalSince1970 * unitsPerSecond }
}

/// Codes data as a string in padded Base64. Source: RFC 4648 §4.
public struct Base64Strategy: CodableStrategy {
  /// Returns the data in `text`.
  ///
  /// - Throws: ``CodingFailure`` if `text` is not valid Base64.
  public func value(from text: String) throws -> Data {
    guard let data = Data(base64Encoded: text) else { throw CodingFailure("not Base64") }
    return data
  }

  /// Returns the text of `data`.
  public func coded(_ data: Data) -> String { data.base64EncodedString() }
}

/// Codes values as text, such as numbers in strings.
///
/// A text comes from outside, so `init(_:)` of a type of your own must return `nil` for a text that it cannot represent.
public struct TextStrategy<Value: LosslessStringConvertible>: CodableStrategy {
  /// Returns the value in `text`.
  ///
  /// - Throws: ``CodingFailure`` if `text` does not describe a value.
  public func value(from text: String) throws -> Value {
    // `Character` is the only type of the standard library whose initialiser ends the process for a text that it cannot represent.
    let isCharacter = !text.isEmpty && text.index(after: text.startIndex) == text.endIndex
    guard Value.self != Character.self || isCharacter, let value = Value(text) else {
      throw CodingFailure("not a valid \(Value.self)")
    }
    return value
  }

  /// Returns the text of `value`.
  public func coded(_ value: Value) -> String { String(value) }
}

/// Codes the elements of an array with another strategy.
public struct ElementsStrategy<Element: CodableStrategy>: CodableStrategy {
  let element: Element

  /// Returns the values of the coded elements.
  ///
  /// - Throws: The error that the other strategy throws for an element.
  public func value(from coded: [Element.Coded]) throws -> [Element.Value] { try coded.map(element.value) }

  /// Returns the coded form of each value.
  ///
  /// - Throws: The error that the other strategy throws for an element.
  public func coded(_ values: [Element.Value]) throws -> [Element.Coded] { try values.map(element.coded) }
}

/// Codes the values of a dictionary with string keys with another strategy.
public struct ValuesStrategy<Element: CodableStrategy>: CodableStrategy {
  let element: Element

  /// Returns the values of the coded values, with their keys.
  ///
  /// - Throws: The error that the other strategy throws for a value.
  public func value(from coded: [String: Element.Coded]) throws -> [String: Element.Value] {
    try coded.mapValues(element.value)
  }

  /// Returns the coded form of each value, with its key.
  ///
  /// - Throws: The error that the other strategy throws for a value.
  public func coded(_ values: [String: Element.Value]) throws -> [String: Element.Coded] {
    try values.mapValues(element.coded)
  }
}

/// Codes values that can be `nil`, such as elements of an array, as `null` or with another strategy.
public struct OptionalStrategy<Wrapped: CodableStrategy>: CodableStrategy {
  let wrapped: Wrapped

  /// Returns the value of the coded form; `nil` for `null`.
  ///
  /// - Throws: The error that the other strategy throws.
  public func value(from coded: Wrapped.Coded?) throws -> Wrapped.Value? { try coded.map(wrapped.value) }

  /// Returns the coded form of `value`; `nil`, which is written as `null`, for `nil`.
  ///
  /// - Throws: The error that the other strategy throws.
  public func coded(_ value: Wrapped.Value?) throws -> Wrapped.Coded? { try value.map(wrapped.coded) }
}

extension CodableStrategy where Self == ISO8601DateStrategy {
  /// A string such as `2026-02-03T04:05:06Z`. Source: RFC 3339.
  public static var iso8601: ISO8601DateStrategy { ISO8601DateStrategy() }
}

extension CodableStrategy where Self == UnixDateStrategy {
  /// A number of seconds since 1970.
  public static var secondsSince1970: UnixDateStrategy { UnixDateStrategy(unitsPerSecond: 1) }
  /// A number of milliseconds since 1970.
  public static var millisecondsSince1970: UnixDateStrategy { UnixDateStrategy(unitsPerSecond: 1000) }
}

extension CodableStrategy where Self == Base64Strategy {
  /// A string in padded Base64. Source: RFC 4648 §4.
  public static var base64: Base64Strategy { Base64Strategy() }
}

extension CodableStrategy {
  /// The text of a number or of another type with a text form: `.text(of: Int.self)` codes 12 as `"12"`.
  public static func text<Value>(of type: Value.Type) -> Self where Self == TextStrategy<Value> { TextStrategy() }

  /// A dictionary with string keys whose values are coded by `strategy`.
  public static func values<Element>(_ strategy: Element) -> Self where Self == ValuesStrategy<Element> {
    ValuesStrategy(element: strategy)
  }

  /// A value that can be `null` and is otherwise coded by `strategy`, for elements and values of dictionaries:
  /// `.elements(.optional(.iso8601))` codes `[Date?]`. A property that is optional needs no such strategy.
  public static func optional<Wrapped>(_ strategy: Wrapped) -> Self where Self == OptionalStrategy<Wrapped> {
    OptionalStrategy(wrapped: strategy)
  }

  /// An array whose elements are coded by `strategy`.
  public static func elements<Element>(_ strategy: Element) -> Self where Self == ElementsStrategy<Element> {
    ElementsStrategy(element: strategy)
  }
}

public import AnvilBase

/// Codes dates as strings in the format of RFC 3339, with or without fractional seconds. It reads the same texts as `JSON.read`, and writes the
/// same text as `JSON.write`.
public struct ISO8601DateStrategy: CodableStrategy {
  /// Returns the date in `text`.
  ///
  /// - Throws: ``CodingStrategyError`` if `text` is not a date in this format.
  public func value(from text: String) throws -> Date {
    guard let date = try? Date.decode(JSON(text)) else {
      throw CodingStrategyError("not a date in the format of RFC 3339")
    }
    return date
  }

  /// Returns the text of `date`.
  ///
  /// - Throws: ``CodingStrategyError`` if the date is not in the years 0 to 9999.
  public func coded(_ date: Date) throws -> String {
    guard let text = try? JSON(encoding: date).string else {
      throw CodingStrategyError("a date outside the years 0 to 9999")
    }
    return text
  }
}

/// Codes dates as the time since 1970, in seconds or in a smaller unit such as milliseconds.
public struct UnixDateStrategy: CodableStrategy {
  let format: JSON.DateFormat

  /// Returns the date that is `units` after the start of 1970.
  ///
  /// - Throws: ``CodingStrategyError`` if `units` is not finite.
  public func value(from units: Double) throws -> Date {
    guard units.isFinite else { throw CodingStrategyError("not a date: the number is not finite") }
    return format.date(units)
  }

  /// Returns the time since the start of 1970, in the strategy's unit.
  public func coded(_ date: Date) -> Double { format.number(of: date) }
}

/// Codes data as a string in padded Base64. Source: RFC 4648 §4.
public struct Base64Strategy: CodableStrategy {
  /// Returns the data in `text`.
  ///
  /// - Throws: ``CodingStrategyError`` if `text` is not valid Base64.
  public func value(from text: String) throws -> Data {
    guard let data = Data(base64Encoded: text) else { throw CodingStrategyError("not Base64") }
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
  /// - Throws: ``CodingStrategyError`` if `text` does not describe a value.
  public func value(from text: String) throws -> Value {
    // `Character` is the only type of the standard library whose initialiser ends the process for a text that it cannot represent.
    let isCharacter = !text.isEmpty && text.index(after: text.startIndex) == text.endIndex
    guard Value.self != Character.self || isCharacter, let value = Value(text) else {
      throw CodingStrategyError("not a valid \(Value.self)")
    }
    return value
  }

  /// Returns the text of `value`.
  public func coded(_ value: Value) -> String { String(value) }
}

extension CodableStrategy where Self == ISO8601DateStrategy {
  /// A string such as `2026-02-03T04:05:06Z`. Source: RFC 3339.
  public static var iso8601: ISO8601DateStrategy { ISO8601DateStrategy() }
}

extension CodableStrategy where Self == UnixDateStrategy {
  /// A number of seconds since 1970.
  public static var secondsSince1970: UnixDateStrategy { UnixDateStrategy(format: .secondsSince1970) }
  /// A number of milliseconds since 1970.
  public static var millisecondsSince1970: UnixDateStrategy { UnixDateStrategy(format: .millisecondsSince1970) }
}

extension CodableStrategy where Self == Base64Strategy {
  /// A string in padded Base64. Source: RFC 4648 §4.
  public static var base64: Base64Strategy { Base64Strategy() }
}

extension CodableStrategy {
  /// The text of a number or of another type with a text form: `.text(of: Int.self)` codes 12 as `"12"`.
  public static func text<Value>(of type: Value.Type) -> Self where Self == TextStrategy<Value> { TextStrategy() }
}

/// A way to code a value as another value that has a JSON form, for `@CodableBy`.
///
///     struct HexColor: CodableStrategy {
///       func value(from text: String) throws -> Color {
///         guard let color = Color(hex: text) else { throw CodingStrategyError("no color in hexadecimal digits") }
///         return color
///       }
///       func coded(_ color: Color) -> String { color.hex }
///     }
///     extension CodableStrategy where Self == HexColor {
///       static var hexColor: HexColor { HexColor() }
///     }
///
///     @CodableBy(.hexColor) var background: Color
public protocol CodableStrategy<Value>: Sendable {
  /// The type of the property, without its optionality.
  associatedtype Value
  /// The type that is coded in place of the value.
  associatedtype Coded: Codable & JSONReadable & JSONWritable

  /// Returns the value for its coded form.
  ///
  /// - Throws: Any error. Coders add the path to a ``CodingStrategyError``.
  func value(from coded: Coded) throws -> Value

  /// Returns the coded form of `value`.
  ///
  /// - Throws: Any error. Coders add the path to a ``CodingStrategyError``.
  func coded(_ value: Value) throws -> Coded
}

/// The reason why a value cannot be coded. Coders add the path of the value.
public struct CodingStrategyError: Error, CustomStringConvertible {
  /// The reason in a few words.
  public let description: String

  /// Creates a failure with the reason `description`.
  public init(_ description: String) { self.description = description }
}

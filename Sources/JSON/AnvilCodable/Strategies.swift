public import AnvilBase

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
  package let expectedForm: String?

  /// Creates a failure with the reason `description`.
  public init(_ description: String) { self.init(description, expecting: nil) }

  /// Creates the failure of a strategy of Anvil for a value that has not the form `form`. Its reason contains no values.
  init(_ description: String, expecting form: String?) {
    self.description = description
    expectedForm = form
  }
}

extension CodingStrategyError: ExpectedFormError {}

/// A strategy of two functions, which Anvil supplies.
public struct _Strategy<Value, Coded: Codable & JSONReadable & JSONWritable>: CodableStrategy {
  let decode: @Sendable (Coded) throws -> Value
  let encode: @Sendable (Value) throws -> Coded
  /// Whether the coded form is that of ``CodableStrategy/iso8601``.
  package var isISO8601 = false

  /// Returns the value for its coded form.
  ///
  /// - Throws: ``CodingStrategyError`` if `coded` is not the form of a value.
  public func value(from coded: Coded) throws -> Value { try decode(coded) }

  /// Returns the coded form of `value`.
  ///
  /// - Throws: ``CodingStrategyError`` for a value without such a form.
  public func coded(_ value: Value) throws -> Coded { try encode(value) }
}

extension CodableStrategy where Self == _Strategy<Date, String> {
  /// A string such as `2026-02-03T04:05:06Z`, with or without fractional seconds. It reads the same texts as `JSON.read`, and writes the same
  /// text as `JSON.write`. A date outside the years 0 to 9999 has no such form. Source: RFC 3339.
  public static var iso8601: Self {
    var strategy = _Strategy<Date, String> { text in
      guard let date = try? Date.decode(JSON(text)) else {
        throw CodingStrategyError("not a date and time in the format of RFC 3339", expecting: "Date")
      }
      return date
    } encode: { date in
      guard let text = try? JSON(encoding: date).string else {
        throw CodingStrategyError("a date outside the years 0 to 9999")
      }
      return text
    }
    strategy.isISO8601 = true
    return strategy
  }
}

extension CodableStrategy where Self == _Strategy<Date, Double> {
  /// A number of seconds since 1970.
  public static var secondsSince1970: Self { unix(.secondsSince1970) }
  /// A number of milliseconds since 1970.
  public static var millisecondsSince1970: Self { unix(.millisecondsSince1970) }

  private static func unix(_ format: JSON.DateFormat) -> Self {
    Self { units in
      guard units.isFinite else { throw CodingStrategyError("not a date: the number is not finite", expecting: "Date") }
      return format.date(units)
    } encode: { date in
      format.number(of: date)
    }
  }
}

extension CodableStrategy where Self == _Strategy<Data, String> {
  /// A string in padded Base64. Source: RFC 4648 §4.
  public static var base64: Self {
    Self { text in
      guard let data = Data(base64Encoded: text) else { throw CodingStrategyError("not Base64", expecting: "Data") }
      return data
    } encode: { data in
      data.base64EncodedString()
    }
  }
}

/// The strategy of ``CodableStrategy/text(of:)``. It has no functions as values, which would have to capture the type.
public struct _TextStrategy<Value: LosslessStringConvertible>: CodableStrategy {
  /// Returns the value in `text`.
  ///
  /// - Throws: ``CodingStrategyError`` if `text` does not describe a value.
  public func value(from text: String) throws -> Value {
    // `Character` is the only type of the standard library whose initialiser ends the process for a text that it cannot represent.
    let isCharacter = !text.isEmpty && text.index(after: text.startIndex) == text.endIndex
    guard Value.self != Character.self || isCharacter, let value = Value(text) else {
      throw CodingStrategyError("not a valid \(Value.self)", expecting: "text of \(Value.self)")
    }
    return value
  }

  /// Returns the text of `value`.
  public func coded(_ value: Value) -> String { String(value) }
}

extension CodableStrategy {
  /// The text of a number or of another type with a text form: `.text(of: Int.self)` codes 12 as `"12"`.
  ///
  /// A text comes from outside, so `init(_:)` of a type of your own must return `nil` for a text that it cannot represent.
  public static func text<Value>(of type: Value.Type) -> Self where Self == _TextStrategy<Value> { _TextStrategy() }
}

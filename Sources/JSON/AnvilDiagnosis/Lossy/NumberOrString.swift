public import AnvilBase
public import AnvilJSON

/// A number that may be sent as a string, `12` or `"12"`, or a Boolean that may be sent as a string or a number: `"true"`, `1`, `"1"`.
///
///     struct Order: Codable {
///       @NumberOrString var id: Int
///       @NumberOrString var total: Decimal
///       @NumberOrString var discount: Double?
///     }
///
/// The string must contain exactly one number in JSON syntax, and for an integer type only digits with an optional minus. These strings are
/// errors: `"12abc"`, `" 12"`, `"+1"`, `"007"`, `"0x1f"`, the empty string, and for integers `"1e3"` and `"1.0"`. `"NaN"` is an error
/// unless the decoder's strategy for such numbers accepts it. A number that does not fit the type is an error too. `true` and `false` are
/// not numbers. A Boolean is `true` or `false`, 0 or 1, or a string that contains one of these. An optional number is `nil` for null and for a missing key.
///
/// A number or Boolean read from a string is reported with the code ``DecodingReport/Code/numberFromString``, a Boolean read from a number with
/// ``DecodingReport/Code/booleanFromNumber``. Encodes as a number or Boolean.
@propertyWrapper
public struct NumberOrString<Number: StringReadableNumber> {
  /// The number.
  public var wrappedValue: Number

  /// Creates a wrapper with the number `wrappedValue`.
  public init(wrappedValue: Number) { self.wrappedValue = wrappedValue }
}

extension NumberOrString: Decodable {
  /// Decodes a number, or a string that contains one.
  ///
  /// - Throws: `DecodingError` for any other string, and for any other value.
  public init(from decoder: any Swift.Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Anvil's decoder reports the kind directly, which avoids an error for each string. Other decoders fail instead.
    let kind = decoder.jsonKind
    if !Self.isConverted(kind),
      let number = try kind == nil ? try? container.decode(Number.self) : container.decode(Number.self)
    {
      wrappedValue = number
      return
    }
    let isNumber = Number._isBoolean && kind != .string
    let number = isNumber ? (try? container.decode(Int.self)).map { String($0) } : nil
    let text = number ?? (try? container.decode(String.self))
    if let text, let value = Number.number(in: text) {
      wrappedValue = value
      decoder.report?.record(
        DecodingReport.Entry(
          number == nil ? .numberFromString : .booleanFromNumber, at: decoder.path, "", type: Number.self, value: text))
      return
    }
    do {
      // Infinities and NaN are subject to the decoder's own strategy.
      wrappedValue = try container.decode(Number.self)
    } catch {
      guard let text, number == nil else { throw error }
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: Self.problem(with: text)))
    }
  }

  /// Returns whether a value of the kind is not read as a `Number` but converted.
  @usableFromInline
  static func isConverted(_ kind: JSON.Kind?) -> Bool { kind == .string || kind == .number && Number._isBoolean }

  private static func problem(with text: String) -> String {
    let type = TypeName.of(Number.self)
    let shown = text.shortened(to: 40).quoted
    return text.isNumber
      ? "The number in the string \(shown) does not fit \(type)." : "Expected \(type), found the string \(shown)."
  }
}

extension NumberOrString: JSONReadable {
  /// Reads a number, or a string that contains one.
  ///
  /// - Throws: ``JSON/ReadingError`` for any other string, and for any other value.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> NumberOrString {
    let kind = reader.kind
    return NumberOrString(wrappedValue: try isConverted(kind) ? converted(kind, &reader) : Number.read(from: &reader))
  }

  @usableFromInline
  static func converted(_ kind: JSON.Kind?, _ reader: inout JSON.Reader) throws(JSON.ReadingError) -> Number {
    let offset = reader.offset
    let isString = kind == .string
    let text = isString ? try String.read(from: &reader) : String(try Int.read(from: &reader))
    guard let number = Number.number(in: text) else {
      throw reader.dataCorrupted(isString ? problem(with: text) : "a number that is not 0 or 1", at: offset)
    }
    return number
  }
}

extension NumberOrString: JSONDecodable {}

extension NumberOrString: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) { wrappedValue.write(to: &writer) }
}

// Used by `@JSONCodable` for an optional number, which is `nil` for a missing key and is not written if it is `nil`.
// The compiler prefers these functions to the general ones.

extension JSON.Reader {
  /// Returns `value`, which was read for the member `key`. Returns a wrapper of `nil` if the member is missing and `value` is therefore
  /// `nil`.
  public func require<Number>(
    _ value: consuming NumberOrString<Number?>?, _ key: StaticString
  ) throws(JSON.ReadingError) -> NumberOrString<Number?> {
    value ?? NumberOrString(wrappedValue: nil)
  }

  /// Does the same for a member at the JSON pointer `pointer`.
  public func _require<Number>(
    _ value: consuming NumberOrString<Number?>?, at pointer: StaticString
  ) throws(JSON.ReadingError) -> NumberOrString<Number?> { try require(value, pointer) }
}

extension JSON.Writer.Members {
  /// Writes a member, or nothing if the number is `nil`.
  public mutating func write<Number>(_ key: StaticString, _ value: NumberOrString<Number?>) {
    write(key, ifPresent: value.wrappedValue)
  }
}

extension KeyedDecodingContainer {
  /// Returns the number for `key`, which may be in a string. The wrapped value is `nil` if the value is null or the key is missing.
  /// Synthesised conformances to `Decodable` call this for an optional property.
  ///
  /// - Throws: `DecodingError`, as for a required number.
  public func decode<Number>(
    _ type: NumberOrString<Number?>.Type, forKey key: Key
  ) throws -> NumberOrString<Number?> {
    try decodeIfPresent(type, forKey: key) ?? NumberOrString(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  /// Encodes the number for `key`. `nil` is omitted, as for any optional property.
  public mutating func encode<Number>(_ value: NumberOrString<Number?>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}

extension NumberOrString: Encodable {
  /// Encodes the number.
  public func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension NumberOrString: Equatable where Number: Equatable {}

extension NumberOrString: Hashable where Number: Hashable {}

extension NumberOrString: Sendable where Number: Sendable {}

extension NumberOrString: ExpressibleByIntegerLiteral where Number: ExpressibleByIntegerLiteral {
  /// Creates a wrapper with the number of the literal.
  public init(integerLiteral value: Number.IntegerLiteralType) { wrappedValue = Number(integerLiteral: value) }
}

/// A type that ``NumberOrString`` reads from strings: integers, floating-point numbers, `Decimal`, `Bool`, and their optionals.
public protocol StringReadableNumber: Codable, JSONReadable, JSONWritable {
  /// True for `Bool`, which is also read from the numbers 0 and 1.
  static var _isBoolean: Bool { get }

  /// Returns the number that `text` contains in JSON syntax; `nil` for any other text, and for numbers that the type cannot hold.
  static func number(in text: String) -> Self?
}

extension StringReadableNumber {
  /// False.
  public static var _isBoolean: Bool { false }

  /// Returns the value that the number in `text`, in JSON syntax, represents for ``JSON/read(_:from:)``; `nil` for any other text, and for
  /// numbers out of range.
  public static func number(in text: String) -> Self? { text.isNumber ? try? JSON.read(Self.self, from: text) : nil }
}

extension StringReadableNumber where Self: FixedWidthInteger {
  /// Returns the integer that `text` contains, digits with an optional minus; `nil` for any other text, and for numbers that do
  /// not fit.
  public static func number(in text: String) -> Self? {
    text.utf8.dropFirst().allSatisfy(\.isDigit) && text.isNumber ? try? JSON.read(Self.self, from: text) : nil
  }
}

extension String {
  /// A Boolean value that indicates whether the text is a number in JSON syntax, without white space, of at most 1100 digits. The exact value
  /// of any `Double` has fewer. Source: RFC 8259 §6.
  var isNumber: Bool {
    guard utf8.count <= 1100, let first = utf8.first, let last = utf8.last,
      first == .minus || first.isDigit,
      last.isDigit
    else { return false }
    return (try? JSON(parsing: self))?.kind == .number
  }
}

extension Int: StringReadableNumber {}
extension Int8: StringReadableNumber {}
extension Int16: StringReadableNumber {}
extension Int32: StringReadableNumber {}
extension Int64: StringReadableNumber {}
extension Int128: StringReadableNumber {}
extension UInt: StringReadableNumber {}
extension UInt8: StringReadableNumber {}
extension UInt16: StringReadableNumber {}
extension UInt32: StringReadableNumber {}
extension UInt64: StringReadableNumber {}
extension UInt128: StringReadableNumber {}
extension Double: StringReadableNumber {}
extension Float: StringReadableNumber {}

extension Decimal: StringReadableNumber {}

extension Bool: StringReadableNumber {
  /// True.
  public static var _isBoolean: Bool { true }

  /// Returns the Boolean that `text` contains, `true`, `false`, `1` or `0`; `nil` for any other text.
  public static func number(in text: String) -> Bool? {
    switch text {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }
}

extension Optional: StringReadableNumber where Wrapped: StringReadableNumber {
  /// True for an optional `Bool`.
  public static var _isBoolean: Bool { Wrapped._isBoolean }

  /// Returns the number that `text` contains as the wrapped type reads it. The result is never `.some(nil)`.
  public static func number(in text: String) -> Wrapped?? { Wrapped.number(in: text).map(Optional.some) }
}

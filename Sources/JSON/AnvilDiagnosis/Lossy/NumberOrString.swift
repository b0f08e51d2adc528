internal import AnvilBase
internal import AnvilJSON

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
    switch decoder.jsonKind {
    case .string: break
    case .number where Number._isBoolean:
      wrappedValue = try Self.boolean(in: container, decoder)
      return
    case .some:
      wrappedValue = try container.decode(Number.self)
      return
    case nil:
      do {
        wrappedValue = try container.decode(Number.self)
        return
      } catch {
        if Number._isBoolean, let value = try? Self.boolean(in: container, decoder) {
          wrappedValue = value
          return
        }
        guard (try? container.decode(String.self)) != nil else { throw error }
      }
    }
    let text = try container.decode(String.self)
    guard let number = Number.number(in: text) else {
      // Infinities and NaN are subject to the decoder's own strategy.
      if let number = try? container.decode(Number.self) {
        wrappedValue = number
        return
      }
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: Self.problem(with: text)))
    }
    wrappedValue = number
    if let report = decoder.report { report.record(Self.fromString(text, at: decoder.path)) }
  }

  /// Returns the Boolean that a number represents, which is 0 or 1. For another number, throws the error of a `Bool`.
  private static func boolean(
    in container: any SingleValueDecodingContainer, _ decoder: any Swift.Decoder
  ) throws -> Number {
    guard let number = try? container.decode(Int.self), let value = Number.number(in: String(number)) else {
      return try container.decode(Number.self)
    }
    decoder.report?.record(fromNumber(String(number), at: decoder.path))
    return value
  }

  static func problem(with text: String) -> String {
    let type = TypeName.of(Number.self)
    let shown = text.shortened(to: 40).quoted
    return NumberGrammar.isNumber(text)
      ? "The number in the string \(shown) does not fit \(type)." : "Expected \(type), found the string \(shown)."
  }

  /// Returns the report entry for a number that was read from `text`.
  static func fromString(_ text: String, at path: JSON.Path) -> DecodingReport.Entry {
    DecodingReport.Entry(.numberFromString, at: path, "", type: Number.self, value: text)
  }

  /// Returns the report entry for a Boolean that was read from the number `text`.
  static func fromNumber(_ text: String, at path: JSON.Path) -> DecodingReport.Entry {
    DecodingReport.Entry(.booleanFromNumber, at: path, "", type: Number.self, value: text)
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
  ///
  /// - Throws: the error of encoding the number.
  public mutating func encode<Number>(_ value: NumberOrString<Number?>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}

extension NumberOrString: Encodable {
  /// Encodes the number.
  ///
  /// - Throws: the error of encoding the number.
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

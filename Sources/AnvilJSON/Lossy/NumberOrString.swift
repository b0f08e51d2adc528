/// A number that may be sent as a string: `12` or `"12"`.
///
///     struct Order: Codable {
///       @NumberOrString var id: Int
///       @NumberOrString var total: Decimal
///       @NumberOrString var discount: Double?
///     }
///
/// The string holds a number as JSON writes it and nothing else, of an integer its digits alone: `"12abc"`, `" 12"`, `"+1"`,
/// `"007"`, `"0x1f"`, `"NaN"`, the empty string, and for integers `"1e3"` and `"1.0"`, are errors, as is what the type cannot
/// hold. `true` and `false` are no numbers. An optional one is `nil` for null and for a missing key.
///
/// A string that was taken is reported with the code ``DecodingReport/Code/numberFromString``. Encodes as a number.
@propertyWrapper
public struct NumberOrString<Number: StringReadableNumber> {
  /// The number.
  public var wrappedValue: Number

  /// The number `wrappedValue`.
  public init(wrappedValue: Number) { self.wrappedValue = wrappedValue }
}

extension NumberOrString: Decodable {
  /// The number, or the one that the string holds.
  ///
  /// - Throws: `DecodingError` for any other string, and for what is neither.
  public init(from decoder: any Swift.Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Anvil's own is asked, which saves an error for each value; others say what they have by failing.
    switch (decoder as? NodeDecoder)?.isAtString {
    case true?: break
    case false?:
      wrappedValue = try container.decode(Number.self)
      return
    case nil:
      do {
        wrappedValue = try container.decode(Number.self)
        return
      } catch {
        guard (try? container.decode(String.self)) != nil else { throw error }
      }
    }
    let text = try container.decode(String.self)
    guard let number = Number.number(in: text) else {
      // Infinities and NaN have a strategy of the decoder's own.
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

  private static func problem(with text: String) -> String {
    let type = TypeName.of(Number.self)
    let shown = String(text.prefix(40)).quoted
    return NumberGrammar.isNumber(text)
      ? "The number in the string \(shown) does not fit \(type)." : "Expected \(type), found the string \(shown)."
  }

  /// That the number was read from `text`.
  static func fromString(_ text: String, at path: JSON.Path) -> DecodingReport.Entry {
    DecodingReport.Entry(.numberFromString, at: path, "", type: Number.self, value: text)
  }
}

extension NodeDecoder {
  fileprivate var isAtString: Bool { session.tape[index].isString }
}

extension KeyedDecodingContainer {
  /// The number of `key`, or in its string; `nil` for null and when there is none: what synthesised conformances to
  /// `Decodable` call for an optional property.
  ///
  /// - Throws: `DecodingError`, as for a number that must be there.
  public func decode<Number>(
    _ type: NumberOrString<Number?>.Type, forKey key: Key
  ) throws -> NumberOrString<Number?> {
    try decodeIfPresent(type, forKey: key) ?? NumberOrString(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  /// Encodes the number for `key`; nothing for `nil`, as for any optional property.
  ///
  /// - Throws: what encoding it throws.
  public mutating func encode<Number>(_ value: NumberOrString<Number?>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}

extension NumberOrString: Encodable {
  /// Encodes the number.
  ///
  /// - Throws: what encoding it throws.
  public func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension NumberOrString: Equatable where Number: Equatable {}

extension NumberOrString: Hashable where Number: Hashable {}

extension NumberOrString: Sendable where Number: Sendable {}

extension NumberOrString: ExpressibleByIntegerLiteral where Number: ExpressibleByIntegerLiteral {
  /// The number that the literal is.
  public init(integerLiteral value: Number.IntegerLiteralType) { wrappedValue = Number(integerLiteral: value) }
}

/// A value with a default for when its key is missing or its value is null.
///
///     struct User: Codable {
///       @Default.False var isAdmin: Bool
///       @Default.Empty var tags: [String]
///       @Default.Empty @LossyArray var friends: [User]
///       @DefaultValue<Locale.English> var locale: Locale
///     }
///
/// A value of another type is an error as without a default. ``Default`` has the ready-made ones; for others write a
/// ``DefaultValueSource``. Each use of a default is reported with the code ``DecodingReport/Code/defaultValue``. Encodes as the
/// value alone, a default like any other.
@propertyWrapper
public struct DefaultValue<Source: DefaultValueSource> {
  /// The value that was decoded, or the default.
  public var wrappedValue: Source.Value

  /// The value `wrappedValue`.
  public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }
}

/// Where a default comes from.
///
///     enum English: DefaultValueSource {
///       static var defaultValue: Locale { Locale(identifier: "en") }
///     }
public protocol DefaultValueSource {
  /// The type of the value.
  associatedtype Value: Decodable

  /// What stands for a missing value.
  static var defaultValue: Value { get }
}

extension DefaultValue: Decodable {
  /// The value, or the default for null.
  ///
  /// - Throws: what decoding the value throws.
  public init(from decoder: any Swift.Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard container.decodeNil() else {
      wrappedValue = try container.decode(Source.Value.self)
      return
    }
    wrappedValue = Source.defaultValue
    decoder.report?.record(DecodingReport.Entry(.defaultValue, at: decoder.path, "null"))
  }
}

extension KeyedDecodingContainer {
  /// The value of `key`, or the default when there is none and for null: what synthesised conformances to `Decodable` call
  /// for a property with a default.
  ///
  /// - Throws: what decoding the value throws.
  public func decode<Source>(_ type: DefaultValue<Source>.Type, forKey key: Key) throws -> DefaultValue<Source> {
    if let value = try decodeIfPresent(Source.Value.self, forKey: key) { return DefaultValue(wrappedValue: value) }
    // A container has no user info; the decoder at a missing key has.
    if let report = try? superDecoder(forKey: key).report {
      let path = JSON.Path(codingPath: codingPath + [key])
      let reason = contains(key) ? "null" : "missing"
      report.record(DecodingReport.Entry(.defaultValue, at: path, reason))
    }
    return DefaultValue(wrappedValue: Source.defaultValue)
  }
}

extension DefaultValue: Encodable where Source.Value: Encodable {
  /// Encodes the value.
  ///
  /// - Throws: what encoding it throws.
  public func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension DefaultValue: Equatable where Source.Value: Equatable {}

extension DefaultValue: Hashable where Source.Value: Hashable {}

extension DefaultValue: Sendable where Source.Value: Sendable {}

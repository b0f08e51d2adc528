public import AnvilJSON

/// A property wrapper for plain `Codable` models that supplies a default if a key is missing or its value is null. In a model with
/// `@JSONCodable`, write `@CodableDefault(false)` instead.
///
///     enum No: DefaultValueSource { static var defaultValue: Bool { false } }
///
///     struct User: Codable {
///       @DefaultValue<No> var isAdmin: Bool
///     }
///
/// A value of another type is an error, as it is without a default. Each use of a default is reported with the code ``DecodingReport/Code/defaultValue``. The
/// wrapper encodes as the value alone, including a default.
@propertyWrapper
public struct DefaultValue<Source: DefaultValueSource> {
  /// The value that was decoded, or the default.
  public var wrappedValue: Source.Value

  /// Creates a wrapper with the value `wrappedValue`.
  public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }
}

/// A type that supplies a default value.
///
///     enum English: DefaultValueSource {
///       static var defaultValue: Locale { Locale(identifier: "en") }
///     }
public protocol DefaultValueSource {
  /// The type of the value.
  associatedtype Value: Decodable

  /// The value that replaces a missing one.
  static var defaultValue: Value { get }
}

extension DefaultValue: Decodable {
  /// Decodes the value, or uses the default for null.
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
  /// Returns the value of `key`, or the default if the key is missing or its value is null. Synthesised conformances to
  /// `Decodable` call this for a property with a default.
  public func decode<Source>(_ type: DefaultValue<Source>.Type, forKey key: Key) throws -> DefaultValue<Source> {
    if let value = try decodeIfPresent(Source.Value.self, forKey: key) { return DefaultValue(wrappedValue: value) }
    // A container has no `userInfo`, but the decoder for a missing key has.
    if let decoder = try? superDecoder(forKey: key), !decoder.isAtOpenValue, let report = decoder.report {
      let path = JSON.Path(codingPath: codingPath + [key])
      let reason = contains(key) ? "null" : "missing"
      report.record(DecodingReport.Entry(.defaultValue, at: path, reason))
    }
    return DefaultValue(wrappedValue: Source.defaultValue)
  }
}

// Used by `@JSONCodable` for a member that may be missing. The compiler prefers these functions to the general ones.

extension JSON.Reader {
  /// Returns `value`, which was read for the member `key`. Returns the default if the member is missing and `value` is therefore `nil`.
  public func require<Source>(
    _ value: consuming DefaultValue<Source>?, _ key: StaticString
  ) throws(JSON.ReadingError) -> DefaultValue<Source> {
    value ?? DefaultValue(wrappedValue: Source.defaultValue)
  }

  /// Does the same for a member at the JSON pointer `pointer`.
  public func _require<Source>(
    _ value: consuming DefaultValue<Source>?, at pointer: StaticString
  ) throws(JSON.ReadingError) -> DefaultValue<Source> { try require(value, pointer) }
}

extension DefaultValue: Encodable where Source.Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension DefaultValue: Equatable where Source.Value: Equatable {}

extension DefaultValue: Hashable where Source.Value: Hashable {}

extension DefaultValue: Sendable where Source.Value: Sendable {}

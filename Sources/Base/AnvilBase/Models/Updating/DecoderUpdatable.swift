/// A model that can be updated from an input. Values that are not in the input are kept.
///
/// A `Codable` value type needs no implementation to conform:
///
///     struct User: Codable, DecoderUpdatable {
///       var name: String
///       var nickname: String?
///       var address: Address   // updated in place when `Address` is updatable too, otherwise replaced
///     }
///     user = try JSON.Decoder().update(user, from: Data(#"{"nickname": null}"#.utf8))   // the name stays
///
/// The default implementation works as follows:
/// - A key in the input replaces the old value, an absent key keeps it, and an unknown key is ignored.
/// - A nested `DecoderUpdatable` value, optional or not, is updated in place, at any depth.
/// - An explicit null clears an optional, and is an error for other types.
/// - Arrays, dictionaries, sets and enums are replaced as a whole, and so is a value that decodes itself from an array.
///
/// The default decodes a new value with a decoder that reads a key from the input if it is there, and otherwise from the encoded old
/// value. `encode(to:)` and `init(from:)` must therefore mirror each other. A property that is not encoded is not kept. A property that
/// `@CodableBy` codes is copied and not coded again, so that a date does not lose its fraction of a second.
///
/// If `init(from:)` tries several keys for one property, a key in the input takes precedence over a key that only the old value has,
/// whichever it tries first, also if the keys are in different objects, or one key replaces several. To find such keys, the default calls
/// `init(from:)` for the input alone, and adds the keys of the old value with which `init(from:)` still reads the same keys of the input. This
/// happens only if the input has keys that `encode(to:)` does not write or `init(from:)` does not read. If `init(from:)` reads all keys in any
/// case, an old key gives way if the model of the input alone has a value of the input under it; a Boolean, 0, 1, an empty text, null, and
/// values that are calculated are no evidence. The search ends after 100,000 accesses to keys. `init(from:)` must throw an error if a required
/// key is absent, not trap.
///
/// A class must implement `update(from:)`, because the default cannot change it in place. Use
/// `KeyedDecodingContainer.update(_:forKey:)` for its properties and `super.update(from:)` in a subclass.
public protocol DecoderUpdatable {
  /// Updates this value from `decoder`. Values that are not in the input are kept.
  ///
  /// - Throws: `DecodingError` if the input does not match. The default implementation then leaves the value unchanged. However, a
  ///   referenced object that was updated before the error stays updated.
  mutating func update(from decoder: any Decoder) throws
}

extension DecoderUpdatable where Self: Codable {
  /// Decodes the type from the input, or from the old value for keys that are not in the input.
  ///
  /// - Throws: An error of `init(from:)`, with the position in the input, or of `encode(to:)` for the old value. The value is then
  ///   unchanged.
  /// - Complexity: The cost of encoding the value one level deep and of decoding the input. No bytes are written.
  public mutating func update(from decoder: any Decoder) throws {
    try updateByDefault(from: (decoder as? ObservedInput)?.input(ofDefault: Self.self) ?? decoder)
  }

  /// Updates this value like the default implementation of ``update(from:)``. Call it in an `update(from:)` that does more:
  ///
  ///     mutating func update(from decoder: any Decoder) throws {
  ///       try updateByDefault(from: decoder)
  ///       revision += 1
  ///     }
  ///
  /// - Throws: The errors of the default `update(from:)`. The value is then unchanged.
  public mutating func updateByDefault(from decoder: any Decoder) throws {
    if isReplacedWhole {
      self = try decoder.singleValueContainer().decode(Self.self)
    } else {
      self = try ModelUpdate.$isRunning.withValue(true) {
        let old = try RecordedValue(self).expanded(at: .decoder(decoder), userInfo: decoder.userInfo)
        return try OverlayUpdate<Self>(input: decoder, old: old).model()
      }
    }
  }

  /// The keys in the input from which `init(from:)` reads the value that `encode(to:)` writes under `key`. The input need not
  /// have all values.
  package func alternatives(of key: String, in decoder: any Decoder) throws -> [String] {
    guard !isReplacedWhole else { return [] }
    let old = try RecordedValue(self).expanded(at: .decoder(decoder), userInfo: decoder.userInfo)
    return OverlayUpdate<Self>(input: decoder, old: old).alternatives(of: key)
  }

  /// The keys of an enum are alternatives and the keys of a dictionary are data, so they cannot be merged with the old ones. Foundation's
  /// types have a representation that only the format knows.
  private var isReplacedWhole: Bool {
    switch Mirror(reflecting: self).displayStyle {
    case .enum: true
    case .collection, .dictionary, .set: self is any Collection  // not one whose mirror only shows it as such
    default: self is Date || self is Data || self is URL || self is Decimal
    }
  }
}

/// An input that records whether a model is updated from it by the default implementation of ``DecoderUpdatable``, and not by its own.
package final class ObservedInput: Decoder {
  private let base: any Decoder
  private let model: any Any.Type
  package private(set) var isReadByDefault = false

  package init(_ base: any Decoder, for model: any Any.Type) {
    (self.base, self.model) = (base, model)
  }

  fileprivate func input(ofDefault type: any Any.Type) -> any Decoder {
    if type == model { isReadByDefault = true }
    return base
  }

  package var codingPath: [any CodingKey] { base.codingPath }
  package var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try base.container(keyedBy: type)
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }
  package func singleValueContainer() throws -> any SingleValueDecodingContainer { try base.singleValueContainer() }
}

/// The update of a model by the default implementation of ``DecoderUpdatable``.
package enum ModelUpdate {
  /// Whether a model is being updated in this task. The coding of a property may then encode and decode a type that contains the value of the
  /// property beside its coded form: the value is kept exactly if the input does not contain it.
  @TaskLocal package static var isRunning = false
}

extension DecoderUpdatable where Self: Decodable {
  /// Unavailable: the default needs the old value's properties, which only `Encodable` types provide.
  @available(
    *, unavailable,
    message: "the default implementation needs a Codable type: adopt Codable, or implement update(from:)"
  )
  public mutating func update(from decoder: any Decoder) throws {}
}

extension DecoderUpdatable where Self: Decodable & AnyObject {
  /// Unavailable: decoding creates a new object, and references to the old object would not see the update.
  @available(*, unavailable, message: "a class must be updated in place: implement update(from:)")
  public mutating func update(from decoder: any Decoder) throws {}
}

extension DecoderUpdatable where Self: Codable & AnyObject {
  /// Unavailable for classes: decoding creates a new object, and references to the old object would not see the update.
  @available(*, unavailable, message: "a class must be updated in place: implement update(from:)")
  public mutating func update(from decoder: any Decoder) throws {}
}

extension DecodingFormat {
  /// Updates the value from ``decoder(for:)``.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T, from data: Data) throws -> T {
    var updated = value
    try updated.update(from: decoder(for: data))
    return updated
  }
}

extension KeyedDecodingContainer {
  /// Returns `value` updated from the value of `key`.
  ///
  /// An object is updated in place and returned, so the result can be discarded.
  ///
  /// - Throws: `DecodingError.keyNotFound` if the key is absent, and errors of the value's `update(from:)`. A null is passed to
  ///   `update(from:)`; the default of ``DecoderUpdatable`` rejects it.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T, forKey key: Key) throws -> T {
    var updated = value
    try updated.update(from: presentDecoder(forKey: key))
    return updated
  }

  /// Returns `value` updated from the value of `key`. Returns it unchanged if the key is absent or its value is null.
  ///
  /// - Throws: An error of the value's `update(from:)`.
  @discardableResult
  public func updateIfPresent<T: DecoderUpdatable>(_ value: T, forKey key: Key) throws -> T {
    guard try contains(key) && !decodeNil(forKey: key) else { return value }
    return try update(value, forKey: key)
  }

  /// Returns `value` updated from the value of `key`. Returns it unchanged if the key is absent, and `nil` if the value of the key is
  /// null. If `value` is `nil`, a new value is decoded.
  ///
  ///     address = try container.updateIfPresent(address, forKey: .address)       // address: Address?
  ///
  /// The default of ``DecoderUpdatable`` updates an optional property by the same rules.
  ///
  /// - Throws: An error of the value's `update(from:)` or `init(from:)`.
  @discardableResult
  public func updateIfPresent<T: DecoderUpdatable & Decodable>(_ value: T?, forKey key: Key) throws -> T? {
    guard contains(key) else { return value }
    guard try !decodeNil(forKey: key) else { return nil }
    guard let value else { return try decode(T.self, forKey: key) }
    return try update(value, forKey: key)
  }

  /// Returns a decoder for the value of `key`, which must be present.
  ///
  /// For an absent key, `superDecoder(forKey:)` returns a decoder of a null, so that absent and null could not be distinguished.
  ///
  /// - Throws: `DecodingError.keyNotFound` if the key is absent.
  func presentDecoder(forKey key: Key) throws -> any Decoder {
    guard contains(key) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "No value for the key \"\(key.stringValue)\"."))
    }
    return try superDecoder(forKey: key)
  }
}

extension UnkeyedDecodingContainer {
  /// Returns `value` updated from the next element.
  ///
  /// An object is updated in place and returned, so the result can be discarded.
  ///
  /// - Throws: `DecodingError.valueNotFound` at the end, and errors of the value's `update(from:)`. The container then does not
  ///   advance. A null is passed to `update(from:)`; the default of ``DecoderUpdatable`` rejects it.
  @discardableResult
  public mutating func update<T: DecoderUpdatable>(_ value: T) throws -> T {
    try withNextDecoder(for: T.self) { decoder in
      var updated = value
      try updated.update(from: decoder)
      return updated
    }
  }

  /// Calls `body` with a decoder for the next element, and advances if it succeeds.
  ///
  /// - Throws: `DecodingError.valueNotFound` with `type` at the end, and errors of `body`.
  mutating func withNextDecoder<Result>(
    for type: Any.Type, _ body: (any Decoder) throws -> Result
  ) throws -> Result {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "No element is left at index \(currentIndex)."))
    }
    var ahead = self
    let result = try body(ahead.superDecoder())
    self = ahead
    return result
  }
}

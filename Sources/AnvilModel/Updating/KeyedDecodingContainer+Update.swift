extension KeyedDecodingContainer {
  /// `value` after it has taken over what stands under `key`.
  ///
  /// The result of updating an object is the same object, so that it can be dropped.
  ///
  /// - Throws: `DecodingError.keyNotFound` when the key is absent, and what the value's `update(from:)` throws. A null is
  ///   handed to the value; the default of ``DecoderUpdatable`` rejects it.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T, forKey key: Key) throws -> T {
    var updated = value
    try updated.update(from: presentDecoder(forKey: key))
    return updated
  }

  /// `value` after it has taken over what stands under `key`; as it was when the key is absent or stands for null.
  ///
  /// - Throws: what the value's `update(from:)` throws.
  @discardableResult
  public func updateIfPresent<T: DecoderUpdatable>(_ value: T, forKey key: Key) throws -> T {
    guard try contains(key) && !decodeNil(forKey: key) else { return value }
    return try update(value, forKey: key)
  }

  /// `value` after it has taken over what stands under `key`: as it was when the key is absent, `nil` when it stands for
  /// null, and decoded where there was none to update.
  ///
  ///     address = try container.updateIfPresent(address, forKey: .address)       // address: Address?
  ///
  /// These are the rules by which the default of ``DecoderUpdatable`` updates an optional property.
  ///
  /// - Throws: what the value's `update(from:)` or `init(from:)` throws.
  @discardableResult
  public func updateIfPresent<T: DecoderUpdatable & Decodable>(_ value: T?, forKey key: Key) throws -> T? {
    guard contains(key) else { return value }
    guard try !decodeNil(forKey: key) else { return nil }
    guard let value else { return try decode(T.self, forKey: key) }
    return try update(value, forKey: key)
  }

  /// A decoder that stands at the value of `key`, which is there.
  ///
  /// For an absent key `superDecoder(forKey:)` gives a decoder that stands at null: whoever reads from it would take the
  /// two for the same.
  ///
  /// - Throws: `DecodingError.keyNotFound` when the key is absent.
  func presentDecoder(forKey key: Key) throws -> any Decoder {
    guard contains(key) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "No value for the key \"\(key.stringValue)\"."))
    }
    return try superDecoder(forKey: key)
  }
}

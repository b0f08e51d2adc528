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

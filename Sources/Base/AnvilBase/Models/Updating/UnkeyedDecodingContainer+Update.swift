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

  /// Returns `value` updated from the next element. Returns it unchanged at the end, and for a null, which is skipped.
  ///
  /// - Throws: An error of the value's `update(from:)`. The container then does not advance.
  @discardableResult
  public mutating func updateIfPresent<T: DecoderUpdatable>(_ value: T) throws -> T {
    guard try !isAtEnd && !decodeNil() else { return value }
    return try update(value)
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

extension UnkeyedDecodingContainer {
  /// `value` after it has taken over what the next element says.
  ///
  /// The result of updating an object is the same object, so that it can be dropped.
  ///
  /// - Throws: `DecodingError.valueNotFound` at the end, and what the value's `update(from:)` throws. The container then
  ///   stays at the element. A null is handed to the value; the default of ``DecoderUpdatable`` rejects it.
  @discardableResult
  public mutating func update<T: DecoderUpdatable>(_ value: T) throws -> T {
    try withNextDecoder(for: T.self) { decoder in
      var updated = value
      try updated.update(from: decoder)
      return updated
    }
  }

  /// `value` after it has taken over what the next element says; as it was when there is none or it is null.
  ///
  /// A null is passed over.
  ///
  /// - Throws: what the value's `update(from:)` throws; the container then stays at the element.
  @discardableResult
  public mutating func updateIfPresent<T: DecoderUpdatable>(_ value: T) throws -> T {
    guard try !isAtEnd && !decodeNil() else { return value }
    return try update(value)
  }

  /// Runs `body` with a decoder that stands at the next element and moves past it when that succeeds.
  ///
  /// - Throws: `DecodingError.valueNotFound`, naming `type`, at the end, and what `body` throws.
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

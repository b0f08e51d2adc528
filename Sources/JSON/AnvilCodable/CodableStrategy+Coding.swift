internal import AnvilBase

// Used by generated code for @CodableBy. Coding throws `DecodingError` or `EncodingError` for a ``CodingStrategyError`` of the strategy, and
// rethrows other errors.

// The functions have a type parameter for the value: with `Strategy.Value.Type`, the compiler has no message for a strategy of another type.
extension KeyedDecodingContainer {
  /// Decodes the value of `key` with `strategy`.
  public func decode<Strategy: CodableStrategy, Value>(
    _ type: Value.Type, forKey key: Key, _by strategy: Strategy
  ) throws -> Value where Strategy.Value == Value {
    try value(forKey: key, strategy)
  }

  /// Decodes the value of `key` with `strategy`. Returns `nil` if the key is missing or its value is null.
  public func decodeIfPresent<Strategy: CodableStrategy>(
    _ type: Strategy.Value.Type, forKey key: Key, _by strategy: Strategy
  ) throws -> Strategy.Value? {
    if ModelUpdate.isRunning { return try hasValue(forKey: key) ? value(forKey: key, strategy) : nil }
    return try unlessOpen(key) {
      try decodeIfPresent(Strategy.Coded.self, forKey: key).map { try value(of: $0, key, strategy) }
    }
  }

  /// Decodes the value of `key` with a strategy for optional values. Returns `nil` if the key is missing or its value is null.
  public func decodeIfPresent<Strategy: CodableStrategy, Value>(
    _ type: Value.Type, forKey key: Key, _by strategy: Strategy
  ) throws -> Value? where Strategy.Value == Value? {
    if ModelUpdate.isRunning { return try hasValue(forKey: key) ? value(forKey: key, strategy) : nil }
    return try unlessOpen(key) {
      try decodeIfPresent(Strategy.Coded.self, forKey: key).flatMap { try value(of: $0, key, strategy) }
    }
  }

  private func hasValue(forKey key: Key) throws -> Bool { try contains(key) && !decodeNil(forKey: key) }

  private func value<Strategy: CodableStrategy>(forKey key: Key, _ strategy: Strategy) throws -> Strategy.Value {
    guard ModelUpdate.isRunning else {
      return try value(of: try decode(Strategy.Coded.self, forKey: key), key, strategy)
    }
    let coded = try decode(CodedValue<Strategy>.self, forKey: key)
    return try coded.original ?? value(of: coded.value, key, strategy)
  }

  /// Decodes the value of `key` with `strategy`. Returns `nil` if the key is missing, and `.some(nil)` if its value is null.
  public func _decodeOrNull<Strategy: CodableStrategy, Value>(
    _ type: Value.Type, forKey key: Key, _by strategy: Strategy
  ) throws -> Value?? where Strategy.Value == Value {
    guard contains(key) else { return nil }
    let value = try decodeIfPresent(type, forKey: key, _by: strategy)
    if case nil = value, isOpen(key) { return nil }
    return .some(value)
  }

  private func value<Strategy: CodableStrategy>(
    of coded: Strategy.Coded, _ key: Key, _ strategy: Strategy
  ) throws -> Strategy.Value {
    do {
      return try strategy.value(from: coded)
    } catch {
      // A decoder that collects errors continues with a placeholder. It cannot know of the conversion otherwise.
      guard let decoder = try? superDecoder(forKey: key) as? any CollectingValueDecoder else {
        throw located(ElementErrors.first(of: error), key)
      }
      let refusals = ElementErrors.refusals(of: error).map {
        StrategyRefusal(steps: $0.steps, error: located($0, key))
      }
      return try decoder.placeholder(refusedWith: refusals) { (coded: Strategy.Coded) in
        try strategy.value(from: coded)
      }
    }
  }

  /// Returns the error of a refusal of the value of `key`. Errors other than those of strategies remain as they are.
  private func located(_ refusal: StrategyRefusal, _ key: Key) -> any Error {
    guard let failure = refusal.error as? CodingStrategyError else { return refusal.error }
    return DecodingError.dataCorrupted(
      .init(
        codingPath: codingPath + [key] + refusal.codingPath, debugDescription: failure.description,
        underlyingError: failure))
  }
}

extension KeyedEncodingContainer {
  /// Encodes `value` with `strategy`.
  public mutating func encode<Strategy: CodableStrategy>(
    _ value: Strategy.Value, forKey key: Key, _by strategy: Strategy
  ) throws {
    let coded: Strategy.Coded
    do {
      coded = try strategy.coded(value)
    } catch {
      let refusal = ElementErrors.first(of: error)
      guard let failure = refusal.error as? CodingStrategyError else { throw refusal.error }
      throw EncodingError.unencodable(
        value, at: codingPath + [key] + refusal.codingPath, failure.description, underlyingError: failure)
    }
    if ModelUpdate.isRunning {
      try encode(CodedValue<Strategy>(value: coded, original: value), forKey: key)
    } else {
      try encode(coded, forKey: key)
    }
  }

  /// Encodes `value` with `strategy`, or null if it is `nil`.
  public mutating func encode<Strategy: CodableStrategy>(
    _ value: Strategy.Value?, forKey key: Key, _by strategy: Strategy
  ) throws {
    if let value { try encode(value, forKey: key, _by: strategy) } else { try encodeNil(forKey: key) }
  }

  /// Encodes `value` with `strategy`, or nothing if it is `nil`.
  public mutating func encodeIfPresent<Strategy: CodableStrategy>(
    _ value: Strategy.Value?, forKey key: Key, _by strategy: Strategy
  ) throws {
    if let value { try encode(value, forKey: key, _by: strategy) }
  }

  /// Encodes `value` with `strategy`, nothing if it is `nil`, or null if it is `.some(nil)`.
  public mutating func encodeIfPresent<Strategy: CodableStrategy>(
    _ value: Strategy.Value??, forKey key: Key, _by strategy: Strategy
  ) throws {
    if let value { try encode(value, forKey: key, _by: strategy) }
  }

  /// Encodes `value` with a strategy for optional values, or nothing if it is `nil`.
  public mutating func encodeIfPresent<Strategy: CodableStrategy, Value>(
    _ value: Value?, forKey key: Key, _by strategy: Strategy
  ) throws where Strategy.Value == Value? {
    guard let value else { return }
    let present: Strategy.Value = value
    try encode(present, forKey: key, _by: strategy)
  }
}

/// The coded form of a value, with the value itself if it is not decoded. An update keeps it exactly.
private struct CodedValue<Strategy: CodableStrategy>: Codable {
  let value: Strategy.Coded
  let original: Strategy.Value?

  init(value: Strategy.Coded, original: Strategy.Value) {
    self.value = value
    self.original = original
  }

  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Strategy.Coded.self)
    original = nil
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension JSON.Reader {
  /// Reads the value of the next member into `value` with `strategy`, if the member's key is `key` and `value` is still
  /// `nil`.
  @inlinable
  public mutating func read<Strategy: CodableStrategy>(
    _ key: StaticString, into value: inout Strategy.Value?, _by strategy: Strategy
  ) throws(JSON.ReadingError) {
    try read(key, into: &value) { (reader: inout JSON.Reader) throws(JSON.ReadingError) -> Strategy.Value in
      try reader.read(_by: strategy)
    }
  }

  /// Reads the value of the next member, which may be `null`, into `value` with `strategy`, if the member's key is
  /// `key` and `value` is still `nil`.
  @inlinable
  public mutating func read<Strategy: CodableStrategy>(
    _ key: StaticString, into value: inout Strategy.Value??, _by strategy: Strategy
  ) throws(JSON.ReadingError) {
    try read(key, into: &value) { (reader: inout JSON.Reader) throws(JSON.ReadingError) -> Strategy.Value? in
      try reader.readNullIfPresent() ? nil : reader.read(_by: strategy)
    }
  }

  /// Reads the value of the next member, which may be `null`, into `value` with a strategy for optional values, if the member's key is `key`
  /// and `value` is still `nil`.
  @inlinable
  public mutating func read<Strategy: CodableStrategy, Value>(
    _ key: StaticString, into value: inout Value??, _by strategy: Strategy
  ) throws(JSON.ReadingError) where Strategy.Value == Value? {
    try read(key, into: &value) { (reader: inout JSON.Reader) throws(JSON.ReadingError) -> Value? in
      try reader.readNullIfPresent() ? nil : reader.read(_by: strategy)
    }
  }

  /// Reads the next value with `strategy`.
  @inlinable
  public mutating func read<Strategy: CodableStrategy>(
    _by strategy: Strategy
  ) throws(JSON.ReadingError) -> Strategy.Value {
    let offset = offset
    let coded = try Strategy.Coded.read(from: &self)
    do { return try strategy.value(from: coded) } catch { throw refused(by: error, at: offset) }
  }

  /// Returns the error for `error`, which a strategy has thrown for the value at `offset` or for an element of it.
  @usableFromInline @inline(never)
  func refused(by error: any Error, at offset: Int) -> JSON.ReadingError {
    let refusal = ElementErrors.first(of: error)
    let form = (refusal.error as? CodingStrategyError)?.expectedForm
    return dataCorrupted("\(refusal.error)", at: refusal.steps, from: offset, expecting: .init(form))
  }
}

extension JSON.Writer.Members {
  /// Writes a member with `strategy`.
  @inlinable
  public mutating func write<Strategy: CodableStrategy>(
    _ key: StaticString, _ value: Strategy.Value, _by strategy: Strategy
  ) {
    write(key, StrategyOutput(value, strategy))
  }

  /// Writes a member with `strategy`, or `null` if the value is `nil`.
  @inlinable
  public mutating func write<Strategy: CodableStrategy>(
    _ key: StaticString, _ value: Strategy.Value?, _by strategy: Strategy
  ) {
    if let value { write(key, value, _by: strategy) } else { writeNull(key) }
  }

  /// Writes a member with `strategy`, or nothing if the value is `nil`.
  @inlinable
  public mutating func write<Strategy: CodableStrategy>(
    _ key: StaticString, ifPresent value: Strategy.Value?, _by strategy: Strategy
  ) {
    if let value { write(key, value, _by: strategy) }
  }

  /// Writes a member with `strategy`, nothing if the value is `nil`, or `null` if the value is `.some(nil)`.
  @inlinable
  public mutating func write<Strategy: CodableStrategy>(
    _ key: StaticString, ifPresent value: Strategy.Value??, _by strategy: Strategy
  ) {
    if let value { write(key, value, _by: strategy) }
  }

  /// Writes a member with a strategy for optional values, or nothing if the value is `nil`.
  @inlinable
  public mutating func write<Strategy: CodableStrategy, Value>(
    _ key: StaticString, ifPresent value: Value?, _by strategy: Strategy
  ) where Strategy.Value == Value? {
    guard let value else { return }
    let present: Strategy.Value = value
    write(key, StrategyOutput(present, strategy))
  }
}

@usableFromInline
struct StrategyOutput<Strategy: CodableStrategy>: JSONWritable {
  @usableFromInline let value: Strategy.Value
  @usableFromInline let strategy: Strategy

  @inlinable
  init(_ value: Strategy.Value, _ strategy: Strategy) {
    self.value = value
    self.strategy = strategy
  }

  @inlinable
  func write(to writer: inout JSON.Writer) {
    do { try strategy.coded(value).write(to: &writer) } catch { writer.refused(by: error) }
  }
}

extension JSON.Writer {
  /// Records `error`, which a strategy has thrown for the value that is about to be written or for an element of it.
  @usableFromInline @inline(never)
  mutating func refused(by error: any Error) {
    let refusal = ElementErrors.first(of: error)
    fail("\(refusal.error)", at: refusal.steps)
  }
}

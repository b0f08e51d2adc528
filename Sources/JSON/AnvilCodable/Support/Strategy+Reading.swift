// Used by generated code for @CodableBy.

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
    do { return try strategy.value(from: coded) } catch { throw dataCorrupted("\(error)", at: offset) }
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
}

extension JSON.Writer.Members {
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

/// A value and the strategy that writes it.
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
    do { try strategy.coded(value).write(to: &writer) } catch { writer.fail("\(error)") }
  }
}

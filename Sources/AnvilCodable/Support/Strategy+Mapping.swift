// Used by generated code for @CodableBy.

extension JSON {
  /// Returns the value at `path`, decoded with `strategy`.
  ///
  /// - Throws: ``JSONDecodingError``.
  public func value<Strategy: CodableStrategy>(at path: Path, _by strategy: Strategy) throws -> Strategy.Value {
    try value(at: path) { try strategy.value(from: Strategy.Coded.decode($0)) }
  }

  /// Returns the value at `path`, decoded with `strategy`; `nil` if it is `null` or an optional step is missing.
  ///
  /// - Throws: ``JSONDecodingError``.
  public func value<Strategy: CodableStrategy>(
    ifPresentAt path: OptionalPath, _by strategy: Strategy
  ) throws -> Strategy.Value? {
    try value(ifPresentAt: path) { try strategy.value(from: Strategy.Coded.decode($0)) }
  }
}

extension JSON {
  /// Returns the value at `path`, decoded with a strategy for optional values; `nil` if it is `null` or an optional step is missing.
  ///
  /// - Throws: ``JSONDecodingError``.
  public func value<Strategy: CodableStrategy, Value>(
    ifPresentAt path: OptionalPath, _by strategy: Strategy
  ) throws -> Value? where Strategy.Value == Value? {
    let value: Value?? = try value(ifPresentAt: path) { try strategy.value(from: Strategy.Coded.decode($0)) }
    return value ?? nil
  }
}

extension JSON.Builder {
  /// Writes `value` at `path` with a strategy for optional values, or nothing if it is `nil`.
  ///
  /// - Throws: ``JSONEncodingError``.
  public mutating func write<Strategy: CodableStrategy, Value>(
    ifPresent value: Value?, at path: JSON.Path, _by strategy: Strategy
  ) throws where Strategy.Value == Value? {
    guard let value else { return try write(ifPresent: Optional<JSON>.none, at: path) }
    let present: Strategy.Value = value
    try write(present, at: path, _by: strategy)
  }

  /// Writes `value` at `path` with `strategy`.
  ///
  /// - Throws: ``JSONEncodingError``.
  public mutating func write<Strategy: CodableStrategy>(
    _ value: Strategy.Value, at path: JSON.Path, _by strategy: Strategy
  ) throws {
    try write(at: path) { (json: inout JSON.Builder) in try strategy.coded(value).encode(into: &json) }
  }

  /// Writes `value` at `path` with `strategy`, or `null` if it is `nil`.
  ///
  /// - Throws: ``JSONEncodingError``.
  public mutating func write<Strategy: CodableStrategy>(
    _ value: Strategy.Value?, at path: JSON.Path, _by strategy: Strategy
  ) throws {
    if let value { try write(value, at: path, _by: strategy) } else { try write(Optional<JSON>.none, at: path) }
  }

  /// Writes `value` at `path` with `strategy`, or nothing if it is `nil`.
  ///
  /// - Throws: ``JSONEncodingError``.
  public mutating func write<Strategy: CodableStrategy>(
    ifPresent value: Strategy.Value?, at path: JSON.Path, _by strategy: Strategy
  ) throws {
    guard let value else { return try write(ifPresent: Optional<JSON>.none, at: path) }
    try write(value, at: path, _by: strategy)
  }
}

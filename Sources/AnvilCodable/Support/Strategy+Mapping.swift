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

// Mapping of types that are only Decodable or Encodable, as members of types with macros.

extension JSON {
  /// Returns the value at `path`, decoded by the `init(from:)` of its type.
  ///
  /// - Throws: ``JSONDecodingError``.
  @_disfavoredOverload
  public func value<T: Decodable>(at path: Path) throws -> T {
    try value(at: path) { try JSON.Decoder.ofMapping().decode(T.self, from: $0) }
  }

  /// Returns the value at `path`, decoded by the `init(from:)` of its type; `nil` if it is `null` or an optional step is missing.
  ///
  /// - Throws: ``JSONDecodingError``.
  @_disfavoredOverload
  public func value<T: Decodable>(ifPresentAt path: OptionalPath) throws -> T? {
    try value(ifPresentAt: path) { try JSON.Decoder.ofMapping().decode(T.self, from: $0) }
  }

  /// Returns the first of `paths` with a value; the first path if no value is present.
  public func _firstPath(_ paths: Path...) -> Path { paths.first(where: _contains) ?? paths.first ?? Path() }

  /// Returns whether there is a value at `path`, which may be `null`.
  public func _contains(_ path: Path) -> Bool {
    // A comparison with nil would be true for null.
    if case .some = try? value(at: path) as JSON { true } else { false }
  }
}

extension JSON.Builder {
  /// Writes `value` at `path` by its `encode(to:)`.
  ///
  /// - Throws: ``JSONEncodingError``.
  @_disfavoredOverload
  public mutating func write<Value: Encodable>(_ value: Value, at path: JSON.Path) throws {
    try write(at: path) { try $0.write(JSON(parsing: JSON.Encoder.ofMapping().encode(value))) }
  }

  /// Writes `value` at `path` by its `encode(to:)`, or nothing if it is `nil`.
  ///
  /// - Throws: ``JSONEncodingError``.
  @_disfavoredOverload
  public mutating func write<Value: Encodable>(ifPresent value: Value?, at path: JSON.Path) throws {
    guard let value else { return try write(ifPresent: Optional<JSON>.none, at: path) }
    try write(value, at: path)
  }

  /// Writes `value` as the value of this builder, with its `encode(to:)`.
  ///
  /// - Throws: The error of `encode(to:)`, usually an `EncodingError`, or ``JSONEncodingError`` if a value has been written already.
  @_disfavoredOverload
  public mutating func write<Value: Encodable>(_ value: Value) throws {
    try write(JSON(parsing: JSON.Encoder.ofMapping().encode(value)))
  }
}

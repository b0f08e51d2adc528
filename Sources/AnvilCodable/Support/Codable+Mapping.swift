// Mapping of types that are only Decodable, as members of types with macros.

extension JSON {
  /// Returns the value at `path`, decoded by the `init(from:)` of its type.
  ///
  /// - Throws: ``JSONDecodingError``.
  @_disfavoredOverload
  public func value<T: Decodable>(at path: Path) throws -> T {
    try value(at: path) { try JSON.Decoder.rfc3339().decode(T.self, from: $0) }
  }

  /// Returns the value at `path`, decoded by the `init(from:)` of its type; `nil` if it is `null` or an optional step is missing.
  ///
  /// - Throws: ``JSONDecodingError``.
  @_disfavoredOverload
  public func value<T: Decodable>(ifPresentAt path: OptionalPath) throws -> T? {
    try value(ifPresentAt: path) { try JSON.Decoder.rfc3339().decode(T.self, from: $0) }
  }

  /// Returns the first of `paths` with a value; the first path if no value is present.
  public func _firstPath(_ paths: Path...) -> Path { paths.first(where: _contains) ?? paths.first ?? Path() }

  /// Returns whether there is a value at `path`, which may be `null`.
  public func _contains(_ path: Path) -> Bool {
    // A comparison with nil would be true for null.
    if case .some = try? value(at: path) as JSON { true } else { false }
  }
}

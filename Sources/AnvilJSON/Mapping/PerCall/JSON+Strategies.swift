extension JSON {
  /// What `strategy` makes of the value at `path`.
  ///
  /// - Throws: ``JSONDecodingError``, as ``value(at:)-(JSON.Path)``.
  public func value<Value>(at path: Path, with strategy: DecodingStrategy<Value>) throws -> Value {
    try value(at: path, with: strategy.decode)
  }

  /// What `decode` makes of the value at `path`.
  ///
  ///     let color = try json.value(at: "color") { try Color(hex: String.decode($0)) }
  ///
  /// - Parameter decode: is called once, and not for a missing key; what it throws is given path, object and root.
  /// - Throws: ``JSONDecodingError``, as ``value(at:)-(JSON.Path)``.
  public func value<Value>(at path: Path, with decode: (JSON) throws -> Value) throws -> Value {
    let found = document.value(at: path, from: index)
    guard found.index >= 0 else { throw failure(at: path) }
    do {
      let value = try decode(JSON(document, at: found.index))
      document.restore(found.hint)
      return value
    } catch {
      throw locating(error, at: path, index: found.index)
    }
  }

  /// What `strategy` makes of the value at `path`; `nil` when a step that may be missing is, and for `null`.
  ///
  /// - Throws: ``JSONDecodingError``, as ``value(ifPresentAt:)``.
  public func value<Value>(ifPresentAt path: OptionalPath, with strategy: DecodingStrategy<Value>) throws -> Value? {
    try value(ifPresentAt: path, with: strategy.decode)
  }

  /// What `decode` makes of the value at `path`; `nil` when a step that may be missing is, and for `null`.
  ///
  /// - Parameter decode: is called once, and neither for a missing key nor for `null`.
  /// - Throws: ``JSONDecodingError``, as ``value(ifPresentAt:)``.
  public func value<Value>(ifPresentAt path: OptionalPath, with decode: (JSON) throws -> Value) throws -> Value? {
    let found = try value(lookedUpAt: path)
    guard found.index >= 0 else { return nil }
    do {
      let value = try decode(JSON(document, at: found.index))
      document.restore(found.hint)
      return value
    } catch {
      throw locating(error, at: Path(path), index: found.index)
    }
  }
}

/// What the strategy makes of the value at the path: ``JSON/value(at:with:)-(JSON.Path,JSON.DecodingStrategy<Value>)`` by
/// name.
///
///     created = try json => ("created", .date(.secondsSince1970))
///
/// - Throws: ``JSONDecodingError``.
public func => <Value>(json: JSON, target: (JSON.Path, JSON.DecodingStrategy<Value>)) throws -> Value {
  try json.value(at: target.0, with: target.1)
}

/// What the strategy makes of the value at the path; `nil` when a step that may be missing is, and for `null`:
/// ``JSON/value(ifPresentAt:with:)-(JSON.OptionalPath,JSON.DecodingStrategy<Value>)`` by name.
///
/// - Throws: ``JSONDecodingError``.
public func =>? <Value>(json: JSON, target: (JSON.OptionalPath, JSON.DecodingStrategy<Value>)) throws -> Value? {
  try json.value(ifPresentAt: target.0, with: target.1)
}

extension JSON {
  /// Decodes the value at `path` with `strategy`.
  ///
  /// - Throws: ``JSONDecodingError``, like `value(at:)`.
  public func value<Value>(at path: Path, with strategy: DecodingStrategy<Value>) throws -> Value {
    try value(at: path, with: strategy.decode)
  }

  /// Decodes the value at `path` with `decode`.
  ///
  ///     let color = try json.value(at: "color") { try Color(hex: String.decode($0)) }
  ///
  /// - Parameter decode: Called once if there is a value at `path`. Path, object and root are added to the errors it throws.
  /// - Throws: ``JSONDecodingError``, like `value(at:)`.
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

  /// Decodes the value at `path` with `strategy`; `nil` if it is `null` or an optional step is missing.
  ///
  /// - Throws: ``JSONDecodingError``, like `value(ifPresentAt:)`.
  public func value<Value>(ifPresentAt path: OptionalPath, with strategy: DecodingStrategy<Value>) throws -> Value? {
    try value(ifPresentAt: path, with: strategy.decode)
  }

  /// Decodes the value at `path` with `decode`; `nil` if it is `null` or an optional step is missing.
  ///
  /// - Parameter decode: Called once if there is a value other than `null` at `path`.
  /// - Throws: ``JSONDecodingError``, like `value(ifPresentAt:)`.
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

/// Decodes the value at the path with the strategy. The same as
/// ``JSON/value(at:with:)-(JSON.Path,JSON.DecodingStrategy<Value>)``.
///
///     created = try json => ("created", .date(.secondsSince1970))
///
/// - Throws: ``JSONDecodingError``.
public func => <Value>(json: JSON, target: (JSON.Path, JSON.DecodingStrategy<Value>)) throws -> Value {
  try json.value(at: target.0, with: target.1)
}

/// Decodes the value at the path with the strategy; `nil` if it is `null` or an optional step is missing. The same as
/// ``JSON/value(ifPresentAt:with:)-(JSON.OptionalPath,JSON.DecodingStrategy<Value>)``.
///
/// - Throws: ``JSONDecodingError``.
public func =>? <Value>(json: JSON, target: (JSON.OptionalPath, JSON.DecodingStrategy<Value>)) throws -> Value? {
  try json.value(ifPresentAt: target.0, with: target.1)
}

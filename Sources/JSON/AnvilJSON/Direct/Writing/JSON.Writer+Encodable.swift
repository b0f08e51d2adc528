/// Writing types that are only `Encodable`, as parts of types with a direct path.
extension JSON.Writer {
  /// Writes `value` with its `encode(to:)`, which is slower than writing a ``JSONWritable`` type.
  ///
  /// Dates have the writer's format. An error of `encode(to:)` is recorded as a failure.
  @_disfavoredOverload
  public mutating func write<Value: Encodable>(_ value: Value) {
    if let json = json(of: value) { json.write(to: &self) }
  }

  /// Writes `value`, which must be an object, with its `encode(to:)`. Adds a member before the object's members.
  @_disfavoredOverload
  public mutating func write<Value: Encodable, Tag: JSONWritable>(
    _ value: Value, taggedBy key: StaticString, _ tag: Tag
  ) {
    if let json = json(of: value) { write(json, taggedBy: key, tag) }
  }

  /// Returns the JSON that `value` encodes. After an error, records a failure and returns `nil`.
  @inline(never)
  private mutating func json<Value: Encodable>(of value: Value) -> JSON? {
    let encoder = JSON.Encoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    encoder.dateEncodingStrategy = output.style.dates.encodingStrategy
    do {
      return try JSON(parsing: encoder.encode(value))
    } catch {
      fail((error as? EncodingError)?.reason ?? "\(error)")
      return nil
    }
  }
}

extension JSON.Writer.Members {
  /// Writes a member with the `encode(to:)` of `value`.
  @_disfavoredOverload @inlinable
  public mutating func write<Value: Encodable>(_ key: StaticString, _ value: Value) {
    writer.output.write(key: key)
    writer.expectsValue = true
    writer.write(value)
  }

  /// Writes a member with the `encode(to:)` of `value`, or nothing if it is `nil`.
  @_disfavoredOverload @inlinable
  public mutating func write<Value: Encodable>(_ key: StaticString, ifPresent value: Value?) {
    if let value { write(key, value) }
  }
}

extension JSON.Writer.Elements {
  /// Writes an element with the `encode(to:)` of `value`.
  @_disfavoredOverload @inlinable
  public mutating func write<Value: Encodable>(_ value: Value) {
    writer.expectsValue = true
    writer.write(value)
  }
}

extension EncodingError {
  /// The description of the error, without its path.
  fileprivate var reason: String {
    switch self {
    case .invalidValue(_, let context): context.debugDescription
    @unknown default: "\(self)"
    }
  }
}

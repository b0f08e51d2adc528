extension JSON {
  /// A way to write a `Value`, used where the type's own `encode(into:)` does not fit. The counterpart of
  /// ``DecodingStrategy``.
  ///
  ///     try json.write(created, at: "created", with: .date(.secondsSince1970))
  ///     try json.write(updates, at: "updates", with: .array(of: .date(.millisecondsSince1970)))
  public struct EncodingStrategy<Value>: Sendable {
    /// The function that writes a value.
    public let encode: @Sendable (_ value: Value, _ json: inout JSON.Builder) throws -> Void

    /// Creates a strategy from a function.
    ///
    /// - Parameter encode: May throw any error. The path is added as for ``JSONEncodable/encode(into:)``.
    public init(_ encode: @escaping @Sendable (_ value: Value, _ json: inout JSON.Builder) throws -> Void) {
      self.encode = encode
    }

    /// Writes an array with `strategy` for each element.
    public static func array<Element>(of strategy: EncodingStrategy<Element>) -> EncodingStrategy
    where Value == [Element] {
      EncodingStrategy { elements, json in
        try json.openContainer(.array)
        for element in elements { try json.append { try strategy.encode(element, &$0) } }
      }
    }

    /// Writes `nil` as `null`, and other values with `strategy`.
    public static func optional<Wrapped>(_ strategy: EncodingStrategy<Wrapped>) -> EncodingStrategy
    where Value == Wrapped? {
      EncodingStrategy { value, json in
        guard let value else { return try json.writeNull() }
        try strategy.encode(value, &json)
      }
    }
  }
}

extension JSON.Builder {
  /// Writes `value` with `strategy` as the value at `path`.
  ///
  /// - Throws: ``JSONEncodingError``, like `write(_:at:)`.
  public mutating func write<Value>(
    _ value: Value, at path: JSON.Path, with strategy: JSON.EncodingStrategy<Value>
  ) throws {
    try write(at: path) { try strategy.encode(value, &$0) }
  }

  /// Writes `value` with `strategy`, or nothing if it is `nil`.
  ///
  /// - Throws: ``JSONEncodingError``, like `write(_:at:)`.
  public mutating func write<Value>(
    ifPresent value: Value?, at path: JSON.Path, with strategy: JSON.EncodingStrategy<Value>
  ) throws {
    guard let value else { return try beginAbsentValue(at: path) }
    try write(value, at: path, with: strategy)
  }
}

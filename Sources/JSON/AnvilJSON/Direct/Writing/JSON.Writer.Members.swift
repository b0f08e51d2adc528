extension JSON.Writer {
  /// The members of an object that is being written. Like a writer, it cannot be kept or exchanged.
  public struct Members: ~Copyable, ~Escapable {
    @usableFromInline var writer: JSON.Writer

    @inlinable @inline(__always)
    @_lifetime(copy writer)
    init(writer: consuming JSON.Writer) { self.writer = writer }

    /// Writes a member, with `null` if `value` is `nil`.
    ///
    /// Characters of the key are escaped where necessary. For a literal key, the optimizer determines this at compile time.
    @inlinable @inline(__always)
    public mutating func write<Value: JSONWritable>(_ key: StaticString, _ value: borrowing Value) {
      writer.output.write(key: key)
      writer.place(value)
    }

    /// Writes a member, or nothing if `value` is `nil`.
    @inlinable @inline(__always)
    public mutating func write<Value: JSONWritable>(_ key: StaticString, ifPresent value: Value?) {
      if let value { write(key, value) }
    }

    /// Writes a member that is `null`.
    @inlinable @inline(__always)
    package mutating func writeNull(_ key: StaticString) {
      writer.output.write(key: key)
      writer.output.writeNull()
    }

    /// Writes a member that is an object with the members that `body` writes.
    @inlinable @inline(__always)
    public mutating func object(_ key: StaticString, _ body: (_ members: inout Members) -> Void) {
      writer.output.write(key: key)
      writer.expectsValue = true
      writer.object(body)
    }

    /// Writes a member that is an array with the elements that `body` writes.
    @inlinable @inline(__always)
    public mutating func array(_ key: StaticString, _ body: (_ elements: inout Elements) -> Void) {
      writer.output.write(key: key)
      writer.expectsValue = true
      writer.array(body)
    }
  }
}

extension JSON.Writer.Members {
  /// Writes a member whose key is in a variable, with `null` if `value` is `nil`.
  @inlinable @_disfavoredOverload
  public mutating func write<Value: JSONWritable>(_ key: String, _ value: borrowing Value) {
    writer.output.write(key: key)
    writer.place(value)
  }
}

/// Writing the rest of an object, for generated code.
extension JSON.Writer.Members {
  /// Writes the members in `rest` whose keys are not in `keys`, in the order of their keys.
  public mutating func _write<Value: JSONWritable, Keys: CodingKey>(rest: [String: Value], except keys: Keys.Type) {
    for (key, value) in rest.sorted(by: { $0.key < $1.key }) where !keys.contains(key) { write(key, value) }
  }

  /// Does the same for values that are only `Encodable`.
  @_disfavoredOverload
  public mutating func _write<Value: Encodable, Keys: CodingKey>(rest: [String: Value], except keys: Keys.Type) {
    for (key, value) in rest.sorted(by: { $0.key < $1.key }) where !keys.contains(key) {
      writer.output.write(key: key)
      writer.expectsValue = true
      writer.write(value)
    }
  }
}

extension JSON.Writer {
  /// The elements of an array that is being written. Like a writer, it cannot be kept or exchanged.
  public struct Elements: ~Copyable, ~Escapable {
    @usableFromInline var writer: JSON.Writer

    @inlinable @inline(__always)
    @_lifetime(copy writer)
    init(writer: consuming JSON.Writer) { self.writer = writer }

    /// Writes an element, or `null` if `value` is `nil`.
    @inlinable @inline(__always)
    public mutating func write<Value: JSONWritable>(_ value: borrowing Value) { writer.place(value) }

    /// Writes `values` as elements.
    ///
    /// It is generic over types that cannot be copied. A loop over copyable elements would copy each element and retain the objects that it
    /// refers to, which took 27 % of the instructions for github_events.json.
    @inlinable @inline(__always)
    mutating func write<Value: JSONWritable & ~Copyable>(contentsOf values: borrowing Span<Value>) {
      for index in values.indices { writer.place(values[index]) }
    }

    /// Writes an element that is `null`.
    @inlinable
    public mutating func writeNull() { writer.output.writeNull() }

    /// Writes an element that is an object with the members that `body` writes.
    @inlinable @inline(__always)
    public mutating func object(_ body: (_ members: inout Members) -> Void) {
      writer.expectsValue = true
      writer.object(body)
    }

    /// Writes an element that is an array with the elements that `body` writes.
    @inlinable @inline(__always)
    public mutating func array(_ body: (_ elements: inout Elements) -> Void) {
      writer.expectsValue = true
      writer.array(body)
    }
  }
}

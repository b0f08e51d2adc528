extension Optional: JSONWritable where Wrapped: JSONWritable {
  /// Writes the wrapped value, or `null` if this value is `nil`.
  @inlinable @inline(__always)
  public func write(to writer: inout JSON.Writer) {
    if let self { self.write(to: &writer) } else { writer.writeNull() }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  /// Writes the elements as an array.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if isEmpty { writer.writeEmptyArray() } else { writer.array { $0.write(contentsOf: ContiguousArray(self).span) } }
  }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
  /// Writes the members as an object, in the order of the dictionary, which differs from run to run.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    writer.object { members in
      for (key, value) in self { members.write(key, value) }
    }
  }
}

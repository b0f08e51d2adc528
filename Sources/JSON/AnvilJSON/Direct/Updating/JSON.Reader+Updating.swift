// Used by generated code for the members of a type that is updated. The compiler chooses an overload by the type of the
// member.

extension JSON.Reader {
  /// Reads the value of the next member into `value` and moves on, provided that the member's key is `key` and `value` is still `nil`.
  /// `old` is ignored, because the type cannot be updated by a reader.
  @inlinable
  public mutating func read<Value: JSONReadable>(
    _ key: StaticString, into value: inout Value?, _updating old: Value
  ) throws(JSON.ReadingError) {
    try read(key, into: &value)
  }

  /// Updates `old` from the value of the next member, assigns the result to `value` and moves on, provided that the member's key is `key`
  /// and `value` is still `nil`.
  @inlinable
  public mutating func read<Value: JSONDirectlyUpdatable>(
    _ key: StaticString, into value: inout Value?, _updating old: Value
  ) throws(JSON.ReadingError) {
    try read(key, into: &value) { (reader: inout JSON.Reader) throws(JSON.ReadingError) -> Value in
      var updated = old
      try updated.update(from: &reader)
      return updated
    }
  }

  /// Updates `old` from the value of the next member, assigns the result to `value` and moves on, provided that the member's key is `key`
  /// and `value` is still `nil`. If `old` is `nil`, a new value is read.
  @inlinable
  public mutating func read<Value: JSONDirectlyUpdatable>(
    _ key: StaticString, into value: inout Value??, _updating old: Value?
  ) throws(JSON.ReadingError) {
    try read(key, into: &value) { (reader: inout JSON.Reader) throws(JSON.ReadingError) -> Value? in
      guard var updated = old else { return try Value?.read(from: &reader) }
      if try reader.readNullIfPresent() { return nil }
      try updated.update(from: &reader)
      return updated
    }
  }

  /// Reads the value of the next member with the `init(from:)` of `Value` into `value` and moves on, provided that the member's key is
  /// `key` and `value` is still `nil`. `old` is ignored, because the type cannot be updated by a reader.
  @_disfavoredOverload @inlinable
  public mutating func read<Value: Decodable>(
    _ key: StaticString, into value: inout Value?, _updating old: Value
  ) throws(JSON.ReadingError) {
    try read(key, into: &value)
  }
}

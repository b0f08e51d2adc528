/// Reading types that are only `Decodable`, as parts of types with a direct path.
extension JSON.Reader {
  /// Reads the value that begins here with the `init(from:)` of `type`, which is slower than a ``JSONReadable`` type.
  ///
  /// Dates have the same format as on the direct path.
  ///
  /// - Throws: ``JSON/ReadingError``, with the description of the error of `init(from:)`.
  @_disfavoredOverload @inline(never)
  public mutating func read<Value: Decodable>(_ type: Value.Type = Value.self) throws(JSON.ReadingError) -> Value {
    let offset = offset
    let json = try json()
    do {
      return try containerDecoder.decode(type, from: json)
    } catch {
      throw dataCorrupted((error as? DecodingError)?.context.debugDescription ?? "\(error)", at: offset)
    }
  }

  /// A decoder for parts of the text, with the reader's format of dates.
  var containerDecoder: JSON.Decoder { JSON.Decoder(dates: dates) }

  /// Reads the value of the next member with the `init(from:)` of `Value` into `value` and moves on, provided that the member's key is
  /// `key` and `value` is still `nil`. Otherwise does nothing.
  @_disfavoredOverload @inlinable
  public mutating func read<Value: Decodable>(
    _ key: StaticString, into value: inout Value?
  ) throws(JSON.ReadingError) {
    try read(key, into: &value) { (reader: inout JSON.Reader) throws(JSON.ReadingError) -> Value in
      try reader.read(Value.self)
    }
  }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
  /// Reads the value; returns `nil` for `null`.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Wrapped? {
    guard reader.isAtNull else { return try Wrapped.read(from: &reader) }
    try reader.readNull()
    return nil
  }
}

extension Array: JSONReadable where Element: JSONReadable {
  /// Reads the elements in order.
  ///
  /// - Throws: ``JSON/ReadingError`` if the value is not an array or an element cannot be read.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> [Element] {
    var elements: [Element] = []
    guard try reader.beginArray() else { return elements }
    // Reserve memory for a few elements at once, instead of growing from one.
    let stride = MemoryLayout<Element>.stride
    if stride <= 64 { elements.reserveCapacity(stride <= 16 ? 4 : 2) }
    repeat {
      elements.append(try Element.read(from: &reader))
    } while try reader.nextElement()
    return elements
  }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
  /// Reads the members. If several members share a key, only the first is used. Keys are compared as Swift strings: `é` as one scalar
  /// equals `é` as two.
  ///
  /// - Throws: ``JSON/ReadingError`` if the value is not an object or a member cannot be read.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> [String: Value] {
    var values: [String: Value] = [:]
    try reader.beginObject()
    while let key = try reader.nextKey() {
      let value = try Value.read(from: &reader)
      if let first = values.updateValue(value, forKey: key) { values[key] = first }
      try reader.nextMember()
    }
    return values
  }
}

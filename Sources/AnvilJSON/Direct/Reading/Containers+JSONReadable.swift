extension Optional: JSONReadable where Wrapped: JSONReadable {
  /// `nil` for `null`, else the value.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Wrapped? {
    guard reader.isAtNull else { return try Wrapped.read(from: &reader) }
    try reader.readNull()
    return nil
  }
}

extension Array: JSONReadable where Element: JSONReadable {
  /// The elements in their order.
  ///
  /// - Throws: ``JSON/ReadingError``, the first element's.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> [Element] {
    var elements: [Element] = []
    guard try reader.beginArray() else { return elements }
    // Room for a few at once instead of growing from one.
    let stride = MemoryLayout<Element>.stride
    if stride <= 64 { elements.reserveCapacity(stride <= 16 ? 4 : 2) }
    repeat {
      elements.append(try Element.read(from: &reader))
    } while try reader.nextElement()
    return elements
  }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
  /// The members; of those that share a key, the first. Keys are the same when Swift's strings are: `é` in one scalar and
  /// in two.
  ///
  /// - Throws: ``JSON/ReadingError``, the first member's.
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

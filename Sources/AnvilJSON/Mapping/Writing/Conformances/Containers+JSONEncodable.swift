extension Optional: JSONEncodable where Wrapped: JSONEncodable {
  /// Writes the value, or `null` for `nil`.
  @inlinable
  public func encode(into json: inout JSON.Builder) throws {
    guard let value = self else { return try json.writeNull() }
    try value.encode(into: &json)
  }
}

extension Array: JSONEncodable where Element: JSONEncodable {
  /// Writes the elements in order.
  ///
  /// - Throws: ``JSONEncodingError`` of the first element that fails, with its index in the path.
  @inlinable
  public func encode(into json: inout JSON.Builder) throws {
    try json.openArray()
    for element in self { try json.append(element) }
  }
}

extension Dictionary: JSONEncodable where Key == String, Value: JSONEncodable {
  /// Writes the members in the order of the dictionary, which differs from run to run.
  ///
  /// - Throws: ``JSONEncodingError`` of the first member that fails, with its key in the path.
  @inlinable
  public func encode(into json: inout JSON.Builder) throws {
    try json.openObject()
    for (key, value) in self { try json.write(value, at: JSON.Path(key)) }
  }
}

extension JSON.Builder {
  @usableFromInline
  mutating func openArray() throws { try openContainer(.array) }

  @usableFromInline
  mutating func openObject() throws { try openContainer(.object) }

  @usableFromInline
  mutating func writeNull() throws {
    try claim()
    document.appendNull()
  }
}

extension Optional: JSONEncodable where Wrapped: JSONEncodable {
  /// `null` for `nil`, else the value.
  @inlinable
  public func encode(into json: inout JSON.Builder) throws {
    guard let value = self else { return try json.writeNull() }
    try value.encode(into: &json)
  }
}

extension Array: JSONEncodable where Element: JSONEncodable {
  /// The elements in their order.
  ///
  /// - Throws: ``JSONEncodingError``: the first element's, with its index in the path.
  @inlinable
  public func encode(into json: inout JSON.Builder) throws {
    try json.openArray()
    for element in self { try json.append(element) }
  }
}

extension Dictionary: JSONEncodable where Key == String, Value: JSONEncodable {
  /// The members in the order of the dictionary, which differs from run to run.
  ///
  /// - Throws: ``JSONEncodingError``: the first member's, with its key in the path.
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

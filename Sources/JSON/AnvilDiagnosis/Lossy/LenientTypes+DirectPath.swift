public import AnvilJSON

// Lenient types on the direct path, which reports nothing. A decoder with a report in its `userInfo` uses `init(from:)`
// instead.

extension LossyArray: JSONReadable where Element: JSONReadable & Decodable {
  /// Reads an array and leaves out invalid elements.
  ///
  /// - Throws: ``JSON/ReadingError`` for a value that is not an array.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> LossyArray {
    var elements: [Element] = []
    var skippedCount = 0
    guard try reader.beginArray() else { return LossyArray(wrappedValue: elements) }
    repeat {
      if let element = try reader.readIfValid(Element.self) { elements.append(element) } else { skippedCount += 1 }
    } while try reader.nextElement()
    return LossyArray(elements, skippedCount: skippedCount)
  }
}

extension LossyArray: JSONDecodable where Element: Decodable {}

extension LossyArray: JSONDirectlyDecodable where Element: JSONDirectlyDecodable {}

extension LossyArray: JSONWritable where Element: JSONWritable {
  /// Writes the elements as an array.
  @inlinable
  public func write(to writer: inout JSON.Writer) { wrappedValue.write(to: &writer) }
}

extension LossyArray: JSONDirectlyEncodable where Element: JSONDirectlyEncodable {}

extension LossyDictionary: JSONReadable where Value: JSONReadable & Decodable {
  /// Reads a dictionary and leaves out invalid members. If several members share a key, only the first one counts, even if it is invalid.
  ///
  /// - Throws: ``JSON/ReadingError`` for a value that is not an object.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> LossyDictionary {
    var members: [String: Value] = [:]
    var invalidKeys: Set<String> = []
    try reader.beginObject()
    while let key = try reader.nextKey() {
      if members.index(forKey: key) != nil || invalidKeys.contains(key) {
        try reader.skip()
      } else if let value = try reader.readIfValid(Value.self) {
        members.updateValue(value, forKey: key)
      } else {
        invalidKeys.insert(key)
      }
      try reader.nextMember()
    }
    return LossyDictionary(members, skippedCount: invalidKeys.count)
  }
}

extension LossyDictionary: JSONDecodable where Value: Decodable {}

extension LossyDictionary: JSONDirectlyDecodable where Value: JSONDirectlyDecodable {}

extension LossyDictionary: JSONWritable where Value: JSONWritable {
  /// Writes the members as an object.
  public func write(to writer: inout JSON.Writer) { membersByName.write(to: &writer) }
}

extension LossyDictionary: JSONDirectlyEncodable where Value: JSONDirectlyEncodable {}

extension DefaultValue: JSONReadable where Source.Value: JSONReadable {
  /// Reads the value, or returns the default for `null`.
  ///
  /// - Throws: ``JSON/ReadingError`` of the value.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> DefaultValue {
    guard try !reader.readNullIfPresent() else { return DefaultValue(wrappedValue: Source.defaultValue) }
    return DefaultValue(wrappedValue: try Source.Value.read(from: &reader))
  }
}

extension DefaultValue: JSONWritable where Source.Value: JSONWritable {
  /// Writes the value.
  @inlinable
  public func write(to writer: inout JSON.Writer) { wrappedValue.write(to: &writer) }
}

extension OpenEnum: JSONReadable where Known.RawValue: JSONReadable {}

extension OpenEnum: JSONWritable where Known.RawValue: JSONWritable {}

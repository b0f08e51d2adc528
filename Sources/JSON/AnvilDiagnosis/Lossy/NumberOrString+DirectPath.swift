public import AnvilJSON

extension NumberOrString: JSONReadable where Number: JSONReadable {
  /// Reads a number, or a string that contains one.
  ///
  /// - Throws: ``JSON/ReadingError`` for any other string, and for any other value.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> NumberOrString {
    switch reader.kind {
    case .string: return NumberOrString(wrappedValue: try number(inStringOf: &reader))
    case .number where Number._isBoolean: return NumberOrString(wrappedValue: try boolean(inNumberOf: &reader))
    default: return NumberOrString(wrappedValue: try Number.read(from: &reader))
    }
  }

  @usableFromInline
  static func boolean(inNumberOf reader: inout JSON.Reader) throws(JSON.ReadingError) -> Number {
    let offset = reader.offset
    let number = try Int.read(from: &reader)
    guard let value = Number.number(in: String(number)) else {
      throw reader.dataCorrupted("a number that is not 0 or 1", at: offset)
    }
    return value
  }

  @usableFromInline
  static func number(inStringOf reader: inout JSON.Reader) throws(JSON.ReadingError) -> Number {
    let offset = reader.offset
    let text = try String.read(from: &reader)
    guard let number = Number.number(in: text) else { throw reader.dataCorrupted(problem(with: text), at: offset) }
    return number
  }
}

extension NumberOrString: JSONWritable where Number: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) { wrappedValue.write(to: &writer) }
}

// Used by `@JSONCodable` for an optional number, which is `nil` for a missing key and is not written if it is `nil`.
// The compiler prefers these functions to the general ones.

extension JSON.Reader {
  /// Returns `value`, which was read for the member `key`. Returns a wrapper of `nil` if the member is missing and `value` is therefore
  /// `nil`.
  public func require<Number>(
    _ value: consuming NumberOrString<Number?>?, _ key: StaticString
  ) throws(JSON.ReadingError) -> NumberOrString<Number?> {
    value ?? NumberOrString(wrappedValue: nil)
  }
}

extension JSON.Writer.Members {
  /// Writes a member, or nothing if the number is `nil`.
  public mutating func write<Number: JSONWritable>(_ key: StaticString, _ value: NumberOrString<Number?>) {
    write(key, ifPresent: value.wrappedValue)
  }

  /// Writes a member, or nothing if the number is `nil`.
  public mutating func write<Number>(_ key: StaticString, _ value: NumberOrString<Number?>) {
    write(key, ifPresent: value.wrappedValue)
  }
}

public import AnvilBase

extension JSON {
  /// Writes `value` in one pass as JSON text in UTF-8, without white space.
  ///
  ///     let data = try JSON.write(owner)
  ///
  /// In strings only the characters that must be escaped are escaped: quotation mark, backslash and control characters. Slashes are
  /// not escaped. Members are in the order in which the type writes them, and ``init(parsing:options:)-(Data,_)`` preserves that
  /// order.
  ///
  /// - Throws: ``WritingError`` for the first value that has no JSON form, and for containers nested more than 512 deep, which is
  ///   the default limit of the parser.
  /// - Complexity: O(*n*), where *n* is the length of the text. From 32 kB on, the data uses the memory the text was written to.
  @inlinable
  public static func write<Value: JSONWritable>(_ value: borrowing Value) throws(WritingError) -> Data {
    try write(value, .own)
  }

  /// Creates a value from the text that ``write(_:)`` writes for `value`.
  ///
  ///     let json = try JSON(encoding: owner)
  ///     json["login"]
  ///
  /// - Throws: ``WritingError``. ``SyntaxError`` if the text is larger than 4 GiB.
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public init<Value: JSONWritable>(encoding value: borrowing Value) throws {
    try self.init(parsing: Self.write(value))
  }

  /// Creates a value from the output of the `encode(to:)` of `value`. Dates have the same form as for ``write(_:)``.
  ///
  /// - Throws: The error of `encode(to:)`, usually an `EncodingError`.
  /// - Complexity: O(*n*), where *n* is the length of the output.
  @_disfavoredOverload
  public init<Value: Encodable>(encoding value: Value) throws {
    try self.init(parsing: JSON.Encoder.rfc3339().encode(value))
  }
}

extension JSON.Writer {
  /// Returns the text without the final comma. Throws the failure if one was recorded.
  @usableFromInline
  consuming func finish() throws(JSON.WritingError) -> Data {
    if let failure { throw failure }
    output.truncate(to: max(0, output.count - 1))
    return output.takeData()
  }
}

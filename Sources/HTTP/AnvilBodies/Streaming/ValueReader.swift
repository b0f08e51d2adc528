/// A reader of the values of a body, one after the other.
protocol ValueReader<ValueError> {
  /// The error of a value that cannot be decoded.
  associatedtype ValueError: Error

  /// Returns the next value, or its error if it cannot be decoded and reading can continue; `nil` at the end.
  ///
  /// - Throws: Errors after which there are no more values.
  mutating func next<Value: Decodable>(as type: Value.Type) async throws -> Result<Value, ValueError>?
  /// Stops reading and releases the body.
  mutating func stop()
}

/// Checks that a condition is true.
///
/// - Throws: ``ContractError`` if the condition is false.
package func expect(
  _ condition: Bool, _ what: @autoclosure () -> String, line: UInt = #line, file: String = #fileID
) throws {
  guard condition else { throw ContractError(description: "\(file):\(line): \(what())") }
}

/// Checks that two values are equal.
///
/// - Throws: ``ContractError`` if they are not.
package func expect<Value: Equatable>(
  _ value: Value, is expected: Value, line: UInt = #line, file: String = #fileID
) throws {
  try expect(value == expected, "\(value) is not \(expected)", line: line, file: file)
}

/// Returns the value of an optional that must not be `nil`.
///
/// - Throws: ``ContractError`` if it is `nil`.
package func require<Value>(_ value: Value?, _ what: String, line: UInt = #line, file: String = #fileID) throws -> Value
{
  guard let value else { throw ContractError(description: "\(file):\(line): missing: \(what)") }
  return value
}

/// A failed expectation of a contract.
public struct ContractError: Error, CustomStringConvertible {
  /// The location of the expectation, and how it failed.
  public let description: String

  package init(description: String) {
    self.description = description
  }
}

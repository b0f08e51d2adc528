/// - Throws: ``ContractViolation`` when the condition is false.
func expect(_ condition: Bool, _ what: @autoclosure () -> String, line: UInt = #line, file: String = #fileID) throws {
  guard condition else { throw ContractViolation(description: "\(file):\(line): \(what())") }
}

/// - Throws: ``ContractViolation`` when both are not equal.
func expect<Value: Equatable>(_ value: Value, is expected: Value, line: UInt = #line, file: String = #fileID) throws {
  try expect(value == expected, "\(value) is not \(expected)", line: line, file: file)
}

/// The value that has to be there.
///
/// - Throws: ``ContractViolation`` when there is none.
func require<Value>(_ value: Value?, _ what: String, line: UInt = #line, file: String = #fileID) throws -> Value {
  guard let value else { throw ContractViolation(description: "\(file):\(line): there is no \(what)") }
  return value
}

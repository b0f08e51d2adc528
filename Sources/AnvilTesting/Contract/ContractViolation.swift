/// An expectation of a contract that did not hold.
public struct ContractViolation: Error, CustomStringConvertible {
  /// Where the expectation stands, and what did not hold.
  public let description: String
}

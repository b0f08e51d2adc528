/// A failed expectation of a contract.
public struct ContractViolation: Error, CustomStringConvertible {
  /// The location of the expectation, and how it failed.
  public let description: String

  package init(description: String) {
    self.description = description
  }
}

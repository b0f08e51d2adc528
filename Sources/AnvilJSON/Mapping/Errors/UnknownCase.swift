/// The underlying error of a `DecodingError` for a value that is not one of the cases of an enumeration.
package struct UnknownCase: Error, Sendable, CustomStringConvertible {
  /// The tags or names of the cases, in the order of their declaration.
  package let cases: [String]

  package var description: String { "the cases are \(cases.joined(separator: ", "))" }

  package init(_ cases: [String]) { self.cases = cases }

  /// Returns the cases that `error` names; `nil` for other errors.
  package static func cases(of error: any Error) -> [String]? {
    ((error as? DecodingError)?.context.underlyingError as? UnknownCase)?.cases
  }
}

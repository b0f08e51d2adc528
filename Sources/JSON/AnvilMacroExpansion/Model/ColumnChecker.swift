import SwiftSyntax

/// Checks that the properties of a stored model can be columns of a table.
struct ColumnChecker {
  private let problems: Problems

  init(_ problems: Problems) { self.problems = problems }

  func check(_ properties: [Property], of declaration: some DeclGroupSyntax) {
    if properties.isEmpty {
      problems.report("column", "a stored model needs a property to store", at: declaration.introducer)
    }
    // SQLite compares names without regard to case.
    var owners: [String: String] = [:]
    for property in properties {
      if let other = owners.updateValue(property.plainName, forKey: property.column.lowercased()) {
        problems.report("column", "\(other) already has the column \(property.column)", at: property.node)
      }
      if property.isRest {
        problems.report(
          "column", "the rest of an object has no column: declare its members as properties", at: property.node)
      }
      if let problem = ModelParser.problem(withOptional: property.type, isNullDistinct: false) {
        problems.report("column", problem, at: property.node)
      }
      guard property.isMatchKey else { continue }
      if property.isOptional {
        problems.report("key", "a match key cannot be nil: the row could not be found again", at: property.node)
      }
      if property.path.count > 1 {
        problems.report(
          "key", "a match key must be a single key, because it is read before the payload is decoded", at: property.node
        )
      }
    }
  }
}

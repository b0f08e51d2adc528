import Foundation

/// An operation on each case: a function that is generic over the case.
protocol CaseVisitor {
  mutating func visit<Case: BenchmarkCase>(_ name: String, _ case: Case.Type, _ data: Data) throws
}

/// The documents.
struct Cases {
  /// The folder in which `bench/twitter.json` is.
  var corpora: URL
  /// The name of the only case to visit; `nil` for all.
  var only: String?

  /// Passes the cases to `visitor` one after the other. Cases without their document are skipped with a message.
  func visit(_ visitor: inout some CaseVisitor) throws {
    try visit(Twitter.self, "twitter", &visitor)
    try visit(CitmCatalog.self, "citm_catalog", &visitor)
    try visit(Canada.self, "canada", &visitor)
    try visit(GitHubEvents.self, "github_events", &visitor)
    if only == nil || only == SmallObject.name {
      try visitor.visit(SmallObject.name, SmallObject.self, SmallObject.json)
    }
  }

  private func visit<Case: BenchmarkCase>(
    _ case: Case.Type, _ name: String, _ visitor: inout some CaseVisitor
  ) throws {
    guard only == nil || only == name else { return }
    let file = corpora.appending(path: "bench/\(name).json")
    guard let data = try? Data(contentsOf: file) else {
      return Console.note("\(name): not found at \(file.path()), left out")
    }
    try visitor.visit(name, `case`, data)
  }
}

import Foundation

/// What is done with the model of a case: a function that is generic over it.
protocol CaseVisitor {
  mutating func visit<Model: BenchmarkModel>(_ name: String, _ model: Model.Type, _ data: Data) throws
}

/// The documents and their models.
struct Cases {
  /// The folder in which `bench/twitter.json` is.
  var corpora: URL
  /// The one case that is wanted; all when `nil`.
  var only: String?

  /// Hands the cases to `visitor` one after the other; those whose document is not there are left out, with a message.
  func visit(_ visitor: inout some CaseVisitor) throws {
    try visit(Twitter.Root.self, "twitter", &visitor)
    try visit(CitmCatalog.Root.self, "citm_catalog", &visitor)
    try visit(Canada.Root.self, "canada", &visitor)
    try visit(GitHubEvents.Root.self, "github_events", &visitor)
    if only == nil || only == SmallObject.name {
      try visitor.visit(SmallObject.name, SmallObject.self, SmallObject.json)
    }
  }

  private func visit<Model: BenchmarkModel>(
    _ model: Model.Type, _ name: String, _ visitor: inout some CaseVisitor
  ) throws {
    guard only == nil || only == name else { return }
    let file = corpora.appending(path: "bench/\(name).json")
    guard let data = try? Data(contentsOf: file) else {
      return Console.note("\(name): not found at \(file.path()), left out")
    }
    try visitor.visit(name, model, data)
  }
}

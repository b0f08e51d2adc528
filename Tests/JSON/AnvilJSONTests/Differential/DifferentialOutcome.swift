import Testing

/// The result of a run over random documents.
struct DifferentialOutcome: Sendable {
  /// The number of generated documents.
  private(set) var documents = 0
  /// The number of documents that were decoded.
  private(set) var values = 0
  /// Descriptions of the differences.
  private(set) var differences: [String] = []
  private var attempts = 0

  /// Returns whether the run needs more documents to reach `count`. A run that generates none also ends.
  mutating func needsMore(than count: Int) -> Bool {
    attempts += 1
    return documents < count && differences.count < 5 && attempts <= 4 * count + 100
  }

  mutating func note(_ difference: String?) {
    if let difference { differences.append(difference) }
  }

  mutating func noteDocument(isValue: Bool, _ difference: String?) {
    documents += 1
    if isValue { values += 1 }
    note(difference)
  }

  /// Expects no differences in `count` documents, some of which must have been decoded.
  func expectAgreement(count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    for difference in differences { Issue.record("\(difference)", sourceLocation: sourceLocation) }
    #expect(count > 0, sourceLocation: sourceLocation)
    #expect(documents == count || !differences.isEmpty, sourceLocation: sourceLocation)
    #expect(values > 0, sourceLocation: sourceLocation)
  }
}

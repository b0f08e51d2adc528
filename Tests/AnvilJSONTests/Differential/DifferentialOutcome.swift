import Testing

/// What a run over documents made by chance came to.
struct DifferentialOutcome: Sendable {
  /// The number of documents that were made.
  private(set) var documents = 0
  /// The number of documents that became values.
  private(set) var values = 0
  /// Where two ways differ, in words.
  private(set) var differences: [String] = []
  private var attempts = 0

  /// Whether `count` documents are still to be made. A run that makes none ends, too.
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

  /// Expects no differences in `count` documents, of which some became values.
  func expectAgreement(count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    for difference in differences { Issue.record("\(difference)", sourceLocation: sourceLocation) }
    #expect(count > 0, sourceLocation: sourceLocation)
    #expect(documents == count || !differences.isEmpty, sourceLocation: sourceLocation)
    #expect(values > 0, sourceLocation: sourceLocation)
  }
}

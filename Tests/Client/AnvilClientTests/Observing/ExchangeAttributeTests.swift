import AnvilClient
import Testing

@Suite struct ExchangeAttributeTests {
  @Test func attributesHaveDifferentNames() {
    let all = ExchangeAttribute.allCases
    #expect(Set(all.map(\.rawValue)).count == all.count)
    #expect(Set(all.map(\.logName)).count == all.count)
  }

  /// The documentation of `LogEntry.metadata` lists these names.
  @Test func namesOfLogEntriesAreDocumented() {
    let documented: Set = [
      "exchange", "method", "url", "status", "attempt", "cache", "elapsed", "bytes", "error", "lenient",
    ]
    #expect(documented.isSubset(of: ExchangeAttribute.allCases.map(\.logName)))
  }
}

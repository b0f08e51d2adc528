import AnvilObservability
import Testing

@Suite struct ExchangeAttributeTests {
  @Test func attributesAndMetricsHaveDifferentNames() {
    let names = ExchangeAttribute.allCases.map(\.rawValue) + ExchangeMetric.allCases.map(\.rawValue)
    #expect(Set(names).count == names.count)
  }
}

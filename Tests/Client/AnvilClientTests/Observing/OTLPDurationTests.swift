import AnvilClient
import Testing

@testable import AnvilObservability

@Suite struct OTLPDurationTests {
  /// Source: OpenTelemetry metrics SDK, cardinality limits.
  @Test func thereAreAtMostTwoThousandHistograms() {
    var durations = OTLPDurations()
    for number in 0..<2_100 {
      durations.record(.milliseconds(7), .get("h\(number).example"))
    }
    durations.record(.milliseconds(7), .get("h0.example"))
    #expect(durations.histograms.count == 2_000)
    #expect(durations.histograms[.overflow]?.count == 101)
    #expect(durations.histograms[.get("h0.example")]?.count == 2)
  }
}

extension ExchangeAttributes {
  /// The attributes of GET requests to `host`.
  fileprivate static func get(_ host: String) -> ExchangeAttributes {
    var attributes = ExchangeAttributes()
    attributes.add(.method, "GET")
    attributes.add(.host, host)
    return attributes
  }
}

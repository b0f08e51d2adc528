import Testing

@testable import AnvilObservability

@Suite struct OTLPDurationTests {
  /// Source: OpenTelemetry metrics SDK, cardinality limits.
  @Test func thereAreAtMostTwoThousandHistograms() {
    var durations = OTLPDurations()
    for number in 0..<2_100 {
      durations.record(.milliseconds(7), OTLPDurations.Series(method: "GET", host: "h\(number).example"))
    }
    durations.record(.milliseconds(7), OTLPDurations.Series(method: "GET", host: "h0.example"))
    #expect(durations.histograms.count == 2_000)
    #expect(durations.histograms[OTLPDurations.Series(isOverflow: true)]?.count == 101)
    #expect(durations.histograms[OTLPDurations.Series(method: "GET", host: "h0.example")]?.count == 2)
  }
}

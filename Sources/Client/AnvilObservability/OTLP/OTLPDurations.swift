internal import AnvilBase

/// The histograms of the metric `http.client.request.duration`, one for each set of attributes.
struct OTLPDurations: Sendable {
  /// The upper bounds of the buckets in seconds. Source: HTTP semantic conventions, `http.client.request.duration`.
  static let bounds: [Double] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

  struct Histogram: Sendable {
    var counts = Array(repeating: 0, count: OTLPDurations.bounds.count + 1)
    var sum = 0.0
    var minimum = Double.infinity
    var maximum = 0.0

    var count: Int { counts.reduce(0, +) }

    mutating func record(_ seconds: Double) {
      counts[OTLPDurations.bounds.firstIndex { seconds <= $0 } ?? OTLPDurations.bounds.count] += 1
      sum += seconds
      minimum = min(minimum, seconds)
      maximum = max(maximum, seconds)
    }
  }

  private(set) var histograms: [ExchangeAttributes: Histogram] = [:]

  mutating func record(_ duration: Duration, _ attributes: ExchangeAttributes) {
    histograms[attributes.limited(to: histograms), default: Histogram()].record(max(0, duration / .seconds(1)))
  }
}

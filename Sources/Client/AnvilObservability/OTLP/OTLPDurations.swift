internal import AnvilBase

/// The histograms of the metric `http.client.request.duration`, one for each set of attributes.
struct OTLPDurations: Sendable {
  /// The upper bounds of the buckets in seconds. Source: HTTP semantic conventions, `http.client.request.duration`.
  static let bounds: [Double] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
  /// The maximum number of histograms. One of them counts the exchanges whose attributes would need a further histogram. Source:
  /// OpenTelemetry metrics SDK, cardinality limits.
  private static let maximumCount = 2000

  /// The attributes of a histogram.
  struct Series: Hashable, Sendable {
    var method = "_OTHER"
    var host: String?
    var port: Int?
    var status: Int?
    var errorType: String?
    var isOverflow = false

    var attributes: OTLPAttributes {
      var attributes = OTLPAttributes()
      guard !isOverflow else {
        attributes.add("otel.metric.overflow", true)
        return attributes
      }
      attributes.add("http.request.method", method)
      attributes.add("server.address", host)
      if let port, port > 0 { attributes.add("server.port", port) }
      if let status { attributes.add("http.response.status_code", status) }
      attributes.add("error.type", errorType)
      return attributes
    }
  }

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

  private(set) var histograms: [Series: Histogram] = [:]

  mutating func record(_ duration: Duration, _ series: Series) {
    let isNew = histograms[series] == nil && histograms.count >= Self.maximumCount - 1
    let series = isNew ? Series(isOverflow: true) : series
    histograms[series, default: Histogram()].record(max(0, duration / .seconds(1)))
  }
}

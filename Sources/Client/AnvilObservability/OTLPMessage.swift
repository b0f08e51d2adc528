internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import AnvilJSON

extension JSON {
  /// Creates a list of `KeyValue` messages.
  fileprivate init(_ attributes: [(name: String, value: ExchangeAttributes.Value)]) {
    self.init(
      attributes.map { name, value -> JSON in
        switch value {
        case .string(let value): ["key": JSON(name), "value": ["stringValue": JSON(value)]]
        // The JSON form of Protocol Buffers writes 64-bit integers as strings.
        case .int(let value): ["key": JSON(name), "value": ["intValue": JSON("\(value)")]]
        case .bool(let value): ["key": JSON(name), "value": ["boolValue": JSON(value)]]
        }
      })
  }

  fileprivate init(_ attributes: ExchangeAttributes) {
    self.init(attributes.entries.map { ($0.name.rawValue, $0.value) })
  }
}

/// Builds the messages of a service. Source: opentelemetry-proto, `trace.proto` and `metrics.proto`; OTLP/JSON.
struct OTLPMessage: Sendable {
  private let resource: JSON
  private let scope: JSON
  private let redaction: HTTP.Redaction

  init(service: String, resource: [String: String], redaction: HTTP.Redaction) {
    var values = [
      "service.name": service, "telemetry.sdk.name": "anvil", "telemetry.sdk.language": "swift",
      "telemetry.sdk.version": AnvilVersion.current,
    ]
    values.merge(resource) { $1 }
    self.resource = ["attributes": JSON(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })]
    scope = ["name": "Anvil", "version": JSON(AnvilVersion.current)]
    self.redaction = redaction
  }

  func traces(_ spans: some Sequence<OTLPSpan>) -> JSON {
    let spans = JSON(spans.map(span))
    return [
      "resourceSpans": [["resource": resource, "scopeSpans": [["scope": scope, "spans": spans]]]]
    ]
  }

  private func span(_ span: OTLPSpan) -> JSON {
    let start = Self.nanoseconds(span.start)
    let length = UInt64(exactly: max(0, ((span.summary.duration ?? .zero) / .nanoseconds(1)).rounded())) ?? .max
    var members: [(key: String, value: JSON)] = [
      ("traceId", JSON(span.context.traceIDText)), ("spanId", JSON(span.context.spanIDText)),
    ]
    if !span.context.state.isEmpty { members.append(("traceState", JSON(span.context.state))) }
    if let parent = span.parentID { members.append(("parentSpanId", JSON(parent.text(digits: 16, radix: 16)))) }
    members += [
      ("flags", JSON(Int(span.context.flags))), ("name", JSON(span.summary.name)), ("kind", 3),
      ("startTimeUnixNano", JSON("\(start)")), ("endTimeUnixNano", JSON("\(start &+ length)")),
      ("attributes", JSON(span.summary.spanAttributes(redaction))),
    ]
    let problem = span.summary.problem
    if problem.isError {
      members.append(("status", problem.text.map { ["code": 2, "message": JSON($0)] } ?? ["code": 2]))
    }
    return JSON(members)
  }

  func metrics(_ durations: OTLPDurations, since start: Date, at now: Date) -> JSON {
    let points = durations.histograms.map { point($1, $0, since: start, at: now) }
    let metric: JSON = [
      "name": JSON(ExchangeMetric.duration.rawValue), "description": "Duration of HTTP client requests.", "unit": "s",
      "histogram": ["aggregationTemporality": 2, "dataPoints": JSON(points)],
    ]
    return [
      "resourceMetrics": [["resource": resource, "scopeMetrics": [["scope": scope, "metrics": [metric]]]]]
    ]
  }

  private func point(
    _ histogram: OTLPDurations.Histogram, _ attributes: ExchangeAttributes, since start: Date, at now: Date
  ) -> JSON {
    [
      "attributes": JSON(attributes), "startTimeUnixNano": JSON("\(Self.nanoseconds(start))"),
      "timeUnixNano": JSON("\(Self.nanoseconds(now))"), "count": JSON("\(histogram.count)"),
      "sum": JSON(histogram.sum), "bucketCounts": JSON(histogram.counts.map { JSON("\($0)") }),
      "explicitBounds": JSON(OTLPDurations.bounds.map { JSON($0) }), "min": JSON(histogram.minimum),
      "max": JSON(histogram.maximum),
    ]
  }

  /// Returns the nanoseconds since 1970; 0 for a time that cannot be represented.
  private static func nanoseconds(_ date: Date) -> UInt64 {
    // Seconds and fraction apart: a double cannot hold the nanoseconds since 1970.
    let time = date.timeIntervalSinceReferenceDate
    let seconds = time.rounded(.down)
    guard let whole = UInt64(exactly: seconds + Date.timeIntervalBetween1970AndReferenceDate),
      let fraction = UInt64(exactly: ((time - seconds) * 1e9).rounded())
    else { return 0 }
    let (scaled, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? 0 : scaled &+ fraction
  }
}

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

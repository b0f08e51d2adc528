import Foundation

/// Formats the medians of rounds as lines of text.
struct Table {
  let title: String
  /// The number of requests to which the processor times in the table refer.
  let requestCount: Int

  func print(_ runners: [Runner]) {
    let base = runners.first(where: \.isBase)
    Swift.print("\n\(title)" + (base.map { "; ratios to \($0.name)" } ?? ""))
    let processor = requestCount == 1 ? "CPU s for one" : "CPU s/10,000"
    Swift.print(
      "                         requests/s   ratio"
        + String(repeating: " ", count: 14 - processor.count) + processor
        + "   ratio    p50 µs   ratio    p99 µs   peak MB")
    for runner in runners {
      let name = runner.name + String(repeating: " ", count: max(1, 25 - runner.name.count))
      Swift.print(
        name + columns(runner, base, \.requestsPerSecond, "%10.1f")
          + columns(runner, base, \.processorPerRequest, "%14.4f", scale: Double(requestCount))
          + columns(runner, base, \.median, "%10.1f") + String(format: "%10.1f", runner.median(\.percentile99))
          + String(format: "%10.1f", Double(runner.peakByteCount) / 1e6))
    }
    fflush(nil)
  }

  private func columns(
    _ runner: Runner, _ base: Runner?, _ value: KeyPath<RoundFigures, Double>, _ format: String, scale: Double = 1
  ) -> String {
    let median = runner.median(value)
    return String(format: format, median * scale)
      + (base.map { String(format: "%8.2f", median / $0.median(value)) } ?? "       -")
  }
}

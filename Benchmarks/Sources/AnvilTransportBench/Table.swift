import Foundation

/// Medians of rounds as lines of text.
struct Table {
  let title: String

  func print(_ runners: [Runner]) {
    let base = runners.first(where: \.isBase)
    Swift.print("\n\(title)" + (base.map { "; ratios to \($0.name)" } ?? ""))
    Swift.print("                         requests/s   ratio  CPU s/10,000   ratio    p50 µs   ratio    p99 µs   peak MB")
    for runner in runners {
      let name = runner.name + String(repeating: " ", count: max(1, 25 - runner.name.count))
      Swift.print(
        name + columns(runner, base, \.requestsPerSecond, "%10.0f")
          + columns(runner, base, \.processorPerRequest, "%14.4f", scale: 10_000)
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

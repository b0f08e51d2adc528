import Foundation

/// Measurements as people or programs read them.
enum Report {
  /// Medians in MB/s and ratios to the first implementation of each case.
  static func table(_ measurements: [Measurement]) -> String {
    var lines = ["case             implementation             MB/s        µs   ratio"]
    for (measurement, ratio) in withRatios(measurements) {
      lines.append(
        pad(measurement.test, 16) + " " + pad(measurement.implementation, 24)
          + right(String(format: "%.0f", measurement.megabytesPerSecond), 8)
          + right(String(format: "%.2f", measurement.median * 1e6), 11)
          + right(String(format: "%.2f", ratio), 8))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private struct Line: Encodable {
    var suite: String
    var `case`: String
    var implementation: String
    var metric = "throughput"
    var value: Double
    var unit = "MB/s"
    var ratioToFoundation: Double
  }

  /// One JSON object a line.
  static func jsonLines(_ measurements: [Measurement]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try withRatios(measurements).map { measurement, ratio in
      let line = Line(
        suite: measurement.suite, case: measurement.test, implementation: measurement.implementation,
        value: measurement.megabytesPerSecond, ratioToFoundation: ratio)
      return String(decoding: try encoder.encode(line), as: UTF8.self) + "\n"
    }.joined()
  }

  private static func withRatios(_ measurements: [Measurement]) -> [(Measurement, Double)] {
    measurements.map { measurement in
      let base = measurements.first { $0.test == measurement.test && $0.suite == measurement.suite }
      return (measurement, (base?.median ?? .nan) / measurement.median)
    }
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

import Foundation

/// Prints figures as a table or as JSON.
enum Report {
  enum Format: String {
    case table, json
  }

  static func print(_ figures: [Figure], as format: Format) throws {
    switch format {
    case .table: Swift.print(table(figures), terminator: "")
    case .json: Swift.print(try jsonLines(figures), terminator: "")
    }
  }

  /// A line for each suite, case and implementation, and a column for each metric with the ratio to Foundation's value.
  private static func table(_ figures: [Figure]) -> String {
    var metrics: [Metric] = []
    for figure in figures where !metrics.contains(figure.metric) { metrics.append(figure.metric) }
    var lines = [
      pad("suite", 12) + pad("case", 15) + pad("implementation", 26)
        + metrics.map { right($0.title, 14) + right("ratio", 8) }.joined()
    ]
    var seen: Set<[String]> = []
    for row in figures where seen.insert([row.suite, row.test, row.implementation]).inserted {
      let columns = metrics.map { metric in
        let figure = figures.first {
          $0.metric == metric && $0.suite == row.suite && $0.test == row.test
            && $0.implementation == row.implementation
        }
        guard let figure else { return String(repeating: " ", count: 22) }
        let ratio = ratioToFoundation(figure, among: figures)
        return right(String(format: "%.\(metric.decimals)f", figure.value), 14)
          + right(ratio.map { String(format: "%.2f", $0) } ?? "", 8)
      }
      lines.append(pad(row.suite, 12) + pad(row.test, 15) + pad(row.implementation, 26) + columns.joined())
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private struct Line: Encodable {
    var suite: String
    var `case`: String
    var implementation: String
    var metric: String
    var value: Double
    var unit: String
    var ratioToFoundation: Double?
  }

  /// A JSON object on each line.
  private static func jsonLines(_ figures: [Figure]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try figures.map { figure in
      let line = Line(
        suite: figure.suite, case: figure.test, implementation: figure.implementation,
        metric: figure.metric.rawValue, value: figure.value, unit: figure.metric.unit,
        ratioToFoundation: ratioToFoundation(figure, among: figures))
      return String(decoding: try encoder.encode(line), as: UTF8.self) + "\n"
    }.joined()
  }

  /// The value divided by Foundation's for the same suite, case and metric; `nil` without a value for Foundation.
  private static func ratioToFoundation(_ figure: Figure, among figures: [Figure]) -> Double? {
    let base = figures.first {
      $0.suite == figure.suite && $0.test == figure.test && $0.metric == figure.metric
        && $0.implementation.hasPrefix("Foundation ")
    }
    guard let base, base.value > 0 else { return nil }
    // The inverse for times: how many times faster the implementation is.
    return figure.metric == .time ? base.value / figure.value : figure.value / base.value
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}

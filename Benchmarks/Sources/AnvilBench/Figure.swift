/// A measured value.
struct Figure {
  var suite: String
  /// The document.
  var test: String
  var implementation: String
  var metric: Metric
  var value: Double
}

/// The quantity that a figure measures, with its unit.
enum Metric: String {
  case throughput, time, allocations, instructions, peakMemory, keptMemory

  var unit: String {
    switch self {
    case .throughput: "MB/s"
    case .time: "µs"
    case .allocations: "allocations/document"
    case .instructions: "instructions/document"
    case .peakMemory, .keptMemory: "bytes/input byte"
    }
  }

  /// The heading of the column in a table.
  var title: String {
    switch self {
    case .throughput: "MB/s"
    case .time: "µs"
    case .allocations: "allocations"
    case .instructions: "instructions"
    case .peakMemory: "peak/input"
    case .keptMemory: "kept/input"
    }
  }

  var decimals: Int {
    switch self {
    case .throughput, .allocations, .instructions: 0
    case .time, .peakMemory, .keptMemory: 2
    }
  }
}

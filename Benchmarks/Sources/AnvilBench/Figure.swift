/// One number that a suite found.
struct Figure {
  var suite: String
  /// The document.
  var test: String
  var implementation: String
  var metric: Metric
  var value: Double
}

/// What a figure counts, and in what.
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

  /// What stands above it in a table.
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

import Foundation
import Rounds

/// The results of a round.
struct RoundFigures: Sendable {
  var requests: Int
  var seconds: Seconds
  /// The median and the 99th percentile of the microseconds from a request to the end of its response.
  var median: Double
  var percentile99: Double
  /// The peak resident memory of the process so far.
  var peakByteCount: Int

  var requestsPerSecond: Double { Double(requests) / seconds.elapsed }
  var processorPerRequest: Double { seconds.processor / Double(requests) }
}

extension RoundFigures {
  /// Creates the results from the latencies of all requests, in seconds.
  init(latencies: [Double], seconds: Seconds) throws {
    let sorted = latencies.sorted()
    guard !sorted.isEmpty else { throw BenchmarkError("a round without a request") }
    self.init(
      requests: sorted.count, seconds: seconds, median: sorted[sorted.count / 2] * 1e6,
      percentile99: sorted[sorted.count * 99 / 100] * 1e6, peakByteCount: PeakMemory.byteCount())
  }

  /// Parses a line: requests, elapsed seconds, processor seconds, median, 99th percentile, and peak kB.
  init(answer: String) throws {
    let numbers = answer.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 6, numbers[0] >= 1, numbers[0] < 1e12, numbers[5] < 1e12 else {
      throw BenchmarkError("a process answers \(answer.prefix(80))")
    }
    self.init(
      requests: Int(numbers[0]), seconds: Seconds(elapsed: numbers[1], processor: numbers[2]), median: numbers[3],
      percentile99: numbers[4], peakByteCount: Int(numbers[5]) * 1024)
  }

  var answer: String {
    "\(requests) \(seconds.elapsed) \(seconds.processor) \(median) \(percentile99) \(peakByteCount / 1024)"
  }
}

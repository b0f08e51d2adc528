import Foundation
import Rounds

/// What a round has shown.
struct RoundFigures: Sendable {
  var requests: Int
  var seconds: Seconds
  /// Microseconds from a request to the end of its response: the median, and what 99 of 100 are below.
  var median: Double
  var percentile99: Double
  /// The most that the process has had resident so far.
  var peakByteCount: Int

  var requestsPerSecond: Double { Double(requests) / seconds.elapsed }
  var processorPerRequest: Double { seconds.processor / Double(requests) }
}

extension RoundFigures {
  /// From the latencies of all requests, in seconds.
  init(latencies: [Double], seconds: Seconds) throws {
    let sorted = latencies.sorted()
    guard !sorted.isEmpty else { throw BenchmarkError("a round without a request") }
    self.init(
      requests: sorted.count, seconds: seconds, median: sorted[sorted.count / 2] * 1e6,
      percentile99: sorted[sorted.count * 99 / 100] * 1e6, peakByteCount: PeakMemory.byteCount())
  }

  /// A line: requests, seconds elapsed, seconds of processors, median, 99th percentile, and kB at most.
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

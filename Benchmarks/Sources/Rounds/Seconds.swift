import Foundation

/// How long something took.
package struct Seconds: Sendable {
  /// On the clock on the wall.
  package var elapsed: Double
  /// Of processors, by all threads of the process, in the kernel too: what others do on the machine meanwhile does not count.
  package var processor: Double

  package init(elapsed: Double, processor: Double) {
    (self.elapsed, self.processor) = (elapsed, processor)
  }

  package static func now() -> Seconds {
    Seconds(elapsed: read(CLOCK_MONOTONIC), processor: read(CLOCK_PROCESS_CPUTIME_ID))
  }

  package static func - (lhs: Seconds, rhs: Seconds) -> Seconds {
    Seconds(elapsed: lhs.elapsed - rhs.elapsed, processor: lhs.processor - rhs.processor)
  }

  /// The clock on the wall alone, which costs no call into the kernel.
  package static func clock() -> Double { read(CLOCK_MONOTONIC) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Seconds {
  /// Seconds of processors and of the clock, as a process answers.
  package init?(_ answer: String) {
    let numbers = answer.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 2 else { return nil }
    self.init(elapsed: numbers[1], processor: numbers[0])
  }

  package var answer: String { "\(processor) \(elapsed)" }
}

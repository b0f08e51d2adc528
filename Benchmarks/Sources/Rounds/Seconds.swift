import Foundation

/// A duration, as elapsed time and as processor time.
package struct Seconds: Sendable {
  /// The elapsed time.
  package var elapsed: Double
  /// The processor time of all threads of the process, including the kernel's. Other programs do not count.
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

  /// The elapsed time only, which takes no system call.
  package static func clock() -> Double { read(CLOCK_MONOTONIC) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Seconds {
  /// The format of a process's reply: processor time and elapsed time, in seconds.
  package init?(_ answer: String) {
    let numbers = answer.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 2 else { return nil }
    self.init(elapsed: numbers[1], processor: numbers[0])
  }

  package var answer: String { "\(processor) \(elapsed)" }
}

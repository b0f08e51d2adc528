import Foundation

/// How long something took.
struct Seconds {
  /// On the clock on the wall.
  var elapsed: Double
  /// Of processors, by all threads of the process, in the kernel too: what others do on the machine meanwhile does not count.
  var processor: Double

  static func now() -> Seconds {
    Seconds(elapsed: read(CLOCK_MONOTONIC), processor: read(CLOCK_PROCESS_CPUTIME_ID))
  }

  static func - (lhs: Seconds, rhs: Seconds) -> Seconds {
    Seconds(elapsed: lhs.elapsed - rhs.elapsed, processor: lhs.processor - rhs.processor)
  }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Seconds {
  /// Seconds of processors and of the clock, as a process answers.
  init?(_ answer: String) {
    let numbers = answer.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 2 else { return nil }
    self.init(elapsed: numbers[1], processor: numbers[0])
  }

  var answer: String { "\(processor) \(elapsed)" }
}

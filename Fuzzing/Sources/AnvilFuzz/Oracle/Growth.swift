#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FuzzTarget {
  /// Ends the process when ``growth`` takes far more than eight times as long for eight times as many repetitions of `bytes`.
  /// Returns whether the time was measured.
  ///
  /// A few of all inputs are measured, always the same ones, so that a finding is one again when its input is run alone. The
  /// time is the processor time of the thread, the least of several runs. A quadratic algorithm takes 64 times as long, or half
  /// of that with as much linear work; a linear one whose memory no longer fits the caches takes up to twelve times as long.
  func requireLinearTime(_ bytes: [UInt8]) -> Bool {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    guard hash % 8_191 == 0 else { return false }
    let inputs = repetition.inputs(of: bytes, seed: hash / 8_191, counts: [16 << 10, 128 << 10])
    guard let short = inputs.first, let long = inputs.last else { return false }
    var (shortTime, longTime) = (Double.infinity, Double.infinity)
    for _ in 0..<3 {
      shortTime = min(shortTime, time { growth(short) })
      longTime = min(longTime, time { growth(long) })
      if longTime < 0.02 || longTime < 20 * shortTime { return true }
    }
    fatalError("FINDING: \(name) takes \(shortTime) s for \(short.count) bytes, \(longTime) s for \(long.count)")
  }
}

/// The processor time that the thread spends in `body`, in seconds.
private func time(of body: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  body()
  return now() - start
}

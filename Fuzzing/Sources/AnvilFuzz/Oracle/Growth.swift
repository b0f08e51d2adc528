#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends the process when `body` takes far more than four times as long for four times as many repetitions of `bytes`.
///
/// A few of all inputs are measured, always the same ones, so that a finding is one again when its input is run alone. What is
/// counted is the thread's own time, the least of several runs, and a quadratic algorithm would take sixteen times as long.
func requireLinearTime(of what: String, _ bytes: [UInt8], _ body: ([UInt8]) -> Void) {
  guard !bytes.isEmpty, bytes.reduce(UInt32(2_166_136_261), { ($0 ^ UInt32($1)) &* 16_777_619 }) % 1_021 == 0 else {
    return
  }
  let short = repeated(bytes, count: 32 << 10)
  let long = repeated(bytes, count: 128 << 10)
  var (shortTime, longTime) = (Double.infinity, Double.infinity)
  for _ in 0..<3 {
    shortTime = min(shortTime, time { body(short) })
    longTime = min(longTime, time { body(long) })
    if longTime < 0.02 || longTime < 9 * shortTime { return }
  }
  fatalError("FINDING: \(what) takes \(shortTime) s for \(short.count) bytes, \(longTime) s for \(long.count)")
}

private func repeated(_ bytes: [UInt8], count: Int) -> [UInt8] {
  Array(repeatElement(bytes, count: max(1, count / bytes.count)).joined())
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

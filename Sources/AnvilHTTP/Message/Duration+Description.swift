extension Duration {
  /// Seconds to the millisecond: `0.301 s`.
  package var secondsDescription: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    let digits = String(milliseconds)
    return "\(seconds).\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits) s"
  }
}

extension Duration {
  /// Seconds to the millisecond: `0.301 s`.
  package var secondsDescription: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    let digits = String(milliseconds)
    return "\(seconds).\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits) s"
  }

  /// `41 ms`, and from a second on `2.31 s`.
  package var shortDescription: String {
    let milliseconds = Int((inSeconds * 1000).rounded())
    guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
    let hundredths = Int((inSeconds * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
  }

  /// The seconds, none below zero and at most 10¹².
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    // Beyond any request's time, and within what an Int can count in milliseconds.
    return min(max(Double(seconds) + Double(attoseconds) / 1e18, 0), 1e12)
  }
}

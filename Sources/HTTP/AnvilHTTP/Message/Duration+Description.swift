internal import AnvilBase

extension Duration {
  /// `0.301 s`, with three decimal places; `more than 100 years` for a duration that no request has, such as an overflow.
  package var secondsDescription: String {
    guard self <= .seconds(100 * 365.25 * 86_400) else { return "more than 100 years" }
    guard self >= .zero else { return "-" + (Duration.zero - max(self, .seconds(-Int64.max))).secondsDescription }
    let (seconds, attoseconds) = components
    return "\(seconds).\((attoseconds / 1_000_000_000_000_000).text(digits: 3)) s"
  }

  /// A duration of less than a second in milliseconds, such as `41 ms`; a longer one in seconds, such as `2.31 s`.
  package var shortDescription: String {
    let milliseconds = Int((inSeconds * 1000).rounded())
    guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
    let hundredths = Int((inSeconds * 100).rounded())
    return "\(hundredths / 100).\((hundredths % 100).text(digits: 2)) s"
  }

  /// The duration in seconds, clamped to 0 … 10¹².
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    // The upper bound is longer than any request, and its milliseconds fit into an Int.
    return min(max(Double(seconds) + Double(attoseconds) / 1e18, 0), 1e12)
  }
}

extension Int {
  /// The digits in groups of three: `18 342`.
  package var grouped: String {
    let digits = Array(String(self))
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += " " }
      text.append(digits[index])
    }
  }
}

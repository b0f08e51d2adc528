/// Numbers as Foundation writes them.
extension OutputMemory {
  @inline(__always)
  func append<Value: FixedWidthInteger>(integer value: Value) {
    // Every type but the 128-bit ones fits.
    if let small = Int64(exactly: value) {
      if small < 0 { append(0x2D) }
      append(magnitude: small.magnitude)
    } else if let large = UInt64(exactly: value) {
      append(magnitude: large)
    } else {
      String(value).withUTF8Span { append($0) }
    }
  }

  /// Appends the digits of `value`, two at a time.
  @inline(never)
  func append(magnitude value: UInt64) {
    if value < 10 { return append(0x30 | UInt8(truncatingIfNeeded: value)) }
    var length = 2
    var limit: UInt64 = 100
    while length < 20, value >= limit {
      length &+= 1
      limit &*= 10
    }
    appendUninitialized(length) { offset in
      var rest = value
      var end = offset &+ length
      while rest >= 10 {
        let quotient = rest / 100
        let pair = UInt16(truncatingIfNeeded: rest &- quotient &* 100)
        let tens = (pair &* 103) &>> 10
        end &-= 2
        storePair(0x3030 | tens | (pair &- tens &* 10) &<< 8, at: end)
        rest = quotient
      }
      // What is left is one digit, or nothing where the number of digits is even.
      if end > offset { self[offset] = 0x30 | UInt8(truncatingIfNeeded: rest) }
    }
  }

  /// Appends the shortest text of `value`, which is finite, that reads as the same double.
  func append(finite value: Double) {
    let magnitude = value.magnitude
    // The description has an exponent from 2⁵⁴ on and below 10⁻⁴.
    guard magnitude < 0x1p53 else { return append(description: value.description) }
    if magnitude == magnitude.rounded(.towardZero) {
      if value.sign == .minus { append(0x2D) }
      return append(magnitude: UInt64(magnitude))
    }
    guard magnitude >= 1e-4, magnitude < 1e9, let (digits, scale) = Self.shortDecimal(magnitude) else {
      return append(description: value.description)
    }
    if value.sign == .minus { append(0x2D) }
    append(digits, scale: scale)
  }

  func append(finite value: Float) {
    append(description: value.description)
  }

  /// A decimal with at most six digits behind the point that reads as `value`, if there is one: `digits` through
  /// 10 to the `scale`, the smallest such scale.
  ///
  /// With fewer than 2⁵³ as digits and 10⁶ as divisor, both exact, the quotient is the correctly rounded value of the
  /// decimal; so one that equals `value` reads as it. With at most 15 digits no two decimals read as the same double, so
  /// that with the fewest is the shortest. Source: W. D. Clinger, How to Read Floating Point Numbers Accurately, 1990.
  @inline(__always)
  private static func shortDecimal(_ value: Double) -> (digits: UInt64, scale: Int)? {
    var power = 1.0
    for scale in 1...6 {
      power *= 10
      let digits = (value * power).rounded()
      if digits / power == value { return (UInt64(digits), scale) }
    }
    return nil
  }

  /// Appends `digits`, the last `scale` of them behind the point.
  private func append(_ digits: UInt64, scale: Int) {
    var power: UInt64 = 1
    for _ in 0..<scale { power *= 10 }
    append(magnitude: digits / power)
    append(0x2E)
    appendUninitialized(scale) { offset in
      var rest = digits % power
      var end = offset &+ scale
      while end > offset {
        end &-= 1
        self[end] = 0x30 | UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
    }
  }

  /// Appends the standard library's text without the fraction of whole numbers.
  private func append(description: String) {
    description.withUTF8Span { text in
      let end = text.count
      let isWhole = end > 2 && text[end - 1] == 0x30 && text[end - 2] == 0x2E
      append(text.extracting(0..<(isWhole ? end - 2 : end)))
    }
  }
}

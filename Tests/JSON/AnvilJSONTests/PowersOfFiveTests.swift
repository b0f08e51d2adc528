import Testing

@testable import AnvilJSON

/// The table's powers, compared with exact ones. Most exponents occur in no document of the corpora.
@Suite struct PowersOfFiveTests {
  @Test func powersOfPositiveExponentsAreTheUpperBits() {
    var power = Limbs(1)
    for exponent in 0...324 {
      let found = PowersOfFive.words(exponent)
      #expect(found == power.upperWords, "5^\(exponent)")
      power = power.multiplied(by: 5)
    }
  }

  /// The reciprocal of 5^n is x·2^s. It is rounded down if x·5^n ≤ 2^s < (x + 1)·5^n, and up if (x - 1)·5^n < 2^s ≤ x·5^n.
  @Test func reciprocalsAreRoundedAsDescribed() {
    var power = Limbs(1)
    for exponent in 1...342 {
      power = power.multiplied(by: 5)
      let (high, low) = PowersOfFive.words(-exponent)
      let (below, above) =
        PowersOfFive.isTruncated(-exponent) ? ((high, low), next(high, low)) : (previous(high, low), (high, low))
      let (lower, upper) = (power.multiplied(by: below), power.multiplied(by: above))
      // A power of two is between them if only the upper one has another bit, or is that power itself.
      #expect(upper.bitCount == lower.bitCount + 1, "5^-\(exponent)")
      #expect(high >> 63 == 1)
    }
  }

  private func next(_ high: UInt64, _ low: UInt64) -> (UInt64, UInt64) { (low == .max ? high + 1 : high, low &+ 1) }
  private func previous(_ high: UInt64, _ low: UInt64) -> (UInt64, UInt64) { (low == 0 ? high - 1 : high, low &- 1) }
}

/// A natural number of any size, lowest word first.
private struct Limbs {
  var words: [UInt64]

  init(_ value: UInt64) { words = [value] }

  var bitCount: Int { words.count * 64 - (words.last?.leadingZeroBitCount ?? 0) }

  /// The upper 128 bits, padded with zeros.
  var upperWords: (high: UInt64, low: UInt64) {
    let padded = [0, 0] + words
    let shift = UInt64(words.last?.leadingZeroBitCount ?? 0)
    func word(_ index: Int) -> UInt64 {
      let lower = index > 0 ? padded[index - 1] : 0
      return shift == 0 ? padded[index] : padded[index] << shift | lower >> (64 - shift)
    }
    return (word(padded.count - 1), word(padded.count - 2))
  }

  func multiplied(by factor: UInt64) -> Limbs {
    var result = Limbs(0)
    result.words = []
    var carry: UInt64 = 0
    for word in words {
      let (high, low) = word.multipliedFullWidth(by: factor)
      let (sum, overflow) = low.addingReportingOverflow(carry)
      result.words.append(sum)
      carry = high + (overflow ? 1 : 0)
    }
    if carry > 0 { result.words.append(carry) }
    return result
  }

  func multiplied(by factor: (high: UInt64, low: UInt64)) -> Limbs {
    var result = multiplied(by: factor.low)
    let upper = multiplied(by: factor.high)
    var carry: UInt64 = 0
    for (index, word) in upper.words.enumerated() {
      let place = index + 1
      let present = place < result.words.count ? result.words[place] : 0
      let (sum, overflow) = present.addingReportingOverflow(word)
      let (total, overflowAgain) = sum.addingReportingOverflow(carry)
      carry = (overflow ? 1 : 0) + (overflowAgain ? 1 : 0)
      if place < result.words.count { result.words[place] = total } else { result.words.append(total) }
    }
    if carry > 0 { result.words.append(carry) }
    return result
  }
}

/// The float nearest to a decimal number, ties to even.
///
/// Rounded by way of the nearest double, a number is rounded twice, which differs only where that double is exactly halfway
/// between two floats: the digits then tell on which side of it the number is. Every such point is a double, so that all
/// other doubles are on the same side of it as the numbers that they are nearest to.
enum NearestFloat {
  /// The float nearest to the number that `text` spells; infinite beyond the range of floats.
  ///
  /// - Parameters:
  ///   - double: the double nearest to the same number.
  ///   - text: called where the double alone does not decide.
  @inline(__always)
  static func nearest(_ double: Double, _ text: () -> NumberText) -> Float {
    isHalfway(double) ? decided(double, text()) : Float(double)
  }

  /// Returns whether a double is halfway between two floats.
  @inline(__always)
  private static func isHalfway(_ double: Double) -> Bool {
    let magnitude = double.magnitude
    if magnitude >= 0x1p-126 {
      // The 29 bits that a float does not have; 2¹²⁸ counts as the float behind the greatest.
      return double.bitPattern & 0x1FFF_FFFF == 0x1000_0000 && magnitude < 0x1p128
    }
    // The least floats are multiples of 2⁻¹⁴⁹.
    let halves = magnitude * 0x1p150
    return halves == halves.rounded(.down) && UInt32(halves) & 1 == 1
  }

  @inline(never)
  private static func decided(_ double: Double, _ text: NumberText) -> Float {
    let magnitude = double.magnitude
    let even = Float(magnitude)
    let lower = Double(even) > magnitude ? even.nextDown : even
    let float =
      switch NearestDouble.compare(digits: text.digits, exponent: text.exponent, with: magnitude) {
      case .below: lower
      case .equal: even
      case .above: lower.nextUp
      }
    return double.sign == .minus ? -float : float
  }
}

/// The float nearest to a decimal number, ties to even.
///
/// The number is first rounded to the nearest double, and that to the nearest float. Rounding twice is wrong only if
/// the double is exactly halfway between two floats. Then the digits decide on which side of the double the number is.
/// In all other cases the number and its nearest double are on the same side of each halfway point, because every such
/// point is a double.
enum NearestFloat {
  /// Returns the float nearest to a number; infinite beyond the range of floats.
  ///
  /// - Parameters:
  ///   - double: The double nearest to the number.
  ///   - text: Returns the text of the number. It is called if the double alone does not decide.
  @inline(__always)
  static func nearest(_ double: Double, _ text: () -> NumberText) -> Float {
    isHalfway(double) ? decided(double, text()) : Float(double)
  }

  /// Returns whether a double is halfway between two floats.
  @inline(__always)
  private static func isHalfway(_ double: Double) -> Bool {
    let magnitude = double.magnitude
    if magnitude >= 0x1p-126 {
      // The 29 bits that a float does not have. 2¹²⁸ counts as the float after the largest one.
      return double.bitPattern & 0x1FFF_FFFF == 0x1000_0000 && magnitude < 0x1p128
    }
    // The smallest floats are multiples of 2⁻¹⁴⁹.
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

/// An integer of up to 128 bits with a sign: the value of a number's text for integer types of any width.
///
/// One function converts texts to this type, which is then converted to the requested type. A separate conversion for
/// each of the twelve types took longer to compile than the parser.
@usableFromInline
struct WholeNumber {
  @usableFromInline let magnitude: UInt128
  @usableFromInline let isNegative: Bool

  /// Returns the number; `nil` if `Value` cannot hold it.
  @inlinable @inline(never)
  func value<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
    guard isNegative else { return Value(exactly: magnitude) }
    guard magnitude <= UInt128(Int128.max) + 1 else { return nil }
    return Value(exactly: Int128(truncatingIfNeeded: 0 &- magnitude))
  }
}

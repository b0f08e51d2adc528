/// Doubles as ECMAScript writes them.
enum ECMAScriptNumber {
  /// The text of `value`, which is finite: the shortest digits that come back as the same double, with an exponent only
  /// below 10⁻⁶ and from 10²¹ on, and without a fraction where the number is whole. Minus zero is `0`.
  ///
  /// Source: ECMA-262, Number::toString; RFC 8785 §3.2.2.3.
  static func text(_ value: Double) -> [UInt8] {
    let output = OutputMemory(capacity: 128)
    defer { output.deallocate() }
    output.append(ecmaScript: value)
    return output.bytes()
  }
}

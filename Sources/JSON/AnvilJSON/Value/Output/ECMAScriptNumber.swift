/// The formatting of doubles as in ECMAScript.
enum ECMAScriptNumber {
  /// Returns the text of the finite number `value`: the shortest digits that read back as the same double. It has an exponent only
  /// below 10⁻⁶ and from 10²¹ on, and no fraction if the number is whole. Minus zero is `0`.
  ///
  /// Source: ECMA-262, Number::toString; RFC 8785 §3.2.2.3.
  static func text(_ value: Double) -> [UInt8] {
    let output = OutputMemory(capacity: 128)
    defer { output.deallocate() }
    output.append(ecmaScript: value)
    return output.bytes()
  }
}

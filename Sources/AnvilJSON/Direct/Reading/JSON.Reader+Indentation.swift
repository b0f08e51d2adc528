/// The white space before members and elements, which is usually the same as before the previous one at the same depth.
extension JSON.Reader {
  /// The amount of white space before the last member or element at each depth. The last four bits of a depth are
  /// the index of its lane. The amounts are only predictions; the text is compared with them.
  typealias Indentations = SIMD16<UInt8>

  /// Moves to the next byte that is not white space and returns it. At that byte, a member or element with `depth` containers around it
  /// begins, or a container that is such a member or element ends.
  ///
  /// With a prediction, the processor continues during the comparison instead of waiting for the white space to be counted.
  @inline(__always)
  mutating func skipIndentation(of depth: Int) -> UInt8 {
    let start = scanner.at
    let first = scanner.bytes[start]
    if first > 0x20 { return first }
    if first == 0x20, case let second = scanner.bytes[start &+ 1], second > 0x20 {
      scanner.at = start &+ 1
      return second
    }
    let guess = Int(indentations[depth & 15])
    let byte = scanner.bytes[start &+ guess]
    if first == 0x0A, byte > 0x20, isIndentation(guess &- 1, from: start &+ 1) {
      scanner.at = start &+ guess
      return byte
    }
    let found = scanner.skipWhitespace()
    let count = scanner.at &- start
    if first == 0x0A, count <= 32 { indentations[depth & 15] = UInt8(truncatingIfNeeded: count) }
    return found
  }

  /// Returns whether the `count` bytes from `offset` on, at most 31, are spaces.
  @inline(__always)
  private func isIndentation(_ count: Int, from offset: Int) -> Bool {
    let others = ~scanner.bytes.spaces(at: offset)
    return others & ((1 &<< UInt32(truncatingIfNeeded: count)) &- 1) == 0
  }
}

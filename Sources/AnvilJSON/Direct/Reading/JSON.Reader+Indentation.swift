/// White space in front of members and elements, most of which is as it was before the last one of the same depth.
extension JSON.Reader {
  /// How much white space there was in front of the last member or element at each depth: the last four bits of a depth are
  /// its lane. Only a guess: what is there is compared.
  typealias Indentations = SIMD16<UInt8>

  /// Moves to the next byte that is no white space and returns it, where a member or element of `depth` open containers
  /// begins, or such a container ends that is one itself.
  ///
  /// With a guess that is compared the processor goes on while it compares, instead of waiting for the place to be counted.
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

  /// Whether the `count` bytes from `offset` on, of which there are up to 31, are spaces.
  @inline(__always)
  private func isIndentation(_ count: Int, from offset: Int) -> Bool {
    let lanes = ByteVector(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    let end = ByteVector(repeating: UInt8(truncatingIfNeeded: count))
    let spaces = ByteVector(repeating: 0x20)
    let low = (scanner.bytes.load(ByteVector.self, at: offset) .!= spaces) .& (lanes .< end)
    let high =
      (scanner.bytes.load(ByteVector.self, at: offset &+ 16) .!= spaces) .& (lanes &+ ByteVector(repeating: 16) .< end)
    return !(low .| high).hasSetLane
  }
}

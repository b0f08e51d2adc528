/// The white space before members and elements, which usually grows by the same number of spaces with each depth.
extension JSON.Reader {
  /// Moves to the next byte that is not white space and returns it. `depth` is the number of containers around the
  /// member or element that begins there, or around the container that ends there.
  @inline(__always)
  mutating func skipIndentation(of depth: Int) -> UInt8 {
    let predicted = predictedToken(from: scanner.at, depth: depth)
    let byte = scanner.bytes[predicted]
    guard byte > 0x20 else { return skipUnpredicted(depth) }
    scanner.at = predicted
    return byte
  }

  /// Returns the predicted offset of the next token after `start`: after no white space, one space, or a new line with
  /// the expected indentation. If the prediction is wrong, there is white space at the returned offset.
  ///
  /// With a prediction, the processor continues during the comparison instead of waiting for the white space to be
  /// counted.
  @inline(__always)
  func predictedToken(from start: Int, depth: Int) -> Int {
    let first = scanner.bytes[start]
    if first > 0x20 { return start }
    if first == 0x20 { return start &+ 1 }
    // The result is less than the number of padding bytes for every depth. As an unsigned number, a negative depth is
    // large.
    let spaces = min(UInt(bitPattern: depth &* indentation), 62)
    let others = ~UInt64(scanner.bytes.spaces(at: start &+ 1))
    let isExpected = first == 0x0A && others & ((1 &<< UInt64(spaces)) &- 1) == 0
    return isExpected ? start &+ 1 &+ Int(bitPattern: spaces) : start
  }

  /// Moves to the next byte that is not white space and returns it. Records the indentation.
  @inline(never)
  private mutating func skipUnpredicted(_ depth: Int) -> UInt8 {
    let start = scanner.at
    let byte = scanner.skipWhitespace()
    let spaces = scanner.at &- start &- 1
    if scanner.bytes[start] == 0x0A, depth > 0, spaces <= 62 { indentation = spaces / depth }
    return byte
  }
}

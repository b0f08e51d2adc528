/// Arrays.
extension JSON.Reader {
  /// Moves into the array that begins here, to its first element; behind it, and says `false`, where it has none.
  ///
  ///     if try reader.beginArray() {
  ///       repeat { numbers.append(try reader.read()) } while try reader.nextElement()
  ///     }
  ///
  /// - Throws: ``JSON/ReadingError``, also for what is no array.
  public mutating func beginArray() throws(JSON.ReadingError) -> Bool {
    guard scanner.bytes[scanner.at] == 0x5B else { throw mismatch("array") }
    try open()
    guard skipIndentation(of: depth) == 0x5D else { return true }
    endArray()
    return false
  }

  /// Moves to the next element, from behind this one; behind the array, and says `false`, where there is none.
  public mutating func nextElement() throws(JSON.ReadingError) -> Bool {
    let byte = skipIndentation(of: depth &- 1)
    if byte == 0x2C {
      scanner.at &+= 1
      _ = skipIndentation(of: depth)
      return true
    }
    guard byte == 0x5D else { throw unexpected("',' or ']'") }
    endArray()
    return false
  }

  @inline(__always)
  private mutating func endArray() {
    scanner.at &+= 1
    leaveContainer()
  }
}

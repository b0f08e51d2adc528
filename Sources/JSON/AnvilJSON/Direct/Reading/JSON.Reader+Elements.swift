/// Reading arrays.
extension JSON.Reader {
  /// Enters the array that begins here. Moves to its first element, or returns `false` and moves after the array if it is empty.
  ///
  ///     if try reader.beginArray() {
  ///       repeat { numbers.append(try reader.read()) } while try reader.nextElement()
  ///     }
  ///
  /// - Throws: ``JSON/ReadingError``, also if the value is not an array.
  public mutating func beginArray() throws(JSON.ReadingError) -> Bool {
    let start = scanner.at
    if scanner.bytes[start] == 0x5B, depth < depthLimit {
      let element = predictedToken(from: start &+ 1, depth: depth &+ 1)
      let byte = scanner.bytes[element]
      if byte > 0x20, byte != 0x5D {
        depth &+= 1
        scanner.at = element
        return true
      }
    }
    return try beginUnpredictedArray()
  }

  @inline(never)
  private mutating func beginUnpredictedArray() throws(JSON.ReadingError) -> Bool {
    guard scanner.bytes[scanner.at] == 0x5B else { throw mismatch("array") }
    try open()
    guard skipIndentation(of: depth) == 0x5D else { return true }
    endArray()
    return false
  }

  /// Moves from the end of an element to the next one. Returns `false` and moves after the array if there are no more elements.
  public mutating func nextElement() throws(JSON.ReadingError) -> Bool {
    let at = scanner.at
    if scanner.bytes[at] == 0x2C {
      let element = predictedToken(from: at &+ 1, depth: depth)
      if scanner.bytes[element] > 0x20 {
        scanner.at = element
        return true
      }
    } else {
      let end = predictedToken(from: at, depth: depth &- 1)
      if scanner.bytes[end] == 0x5D {
        scanner.at = end
        endArray()
        return false
      }
    }
    return try nextUnpredictedElement()
  }

  @inline(never)
  private mutating func nextUnpredictedElement() throws(JSON.ReadingError) -> Bool {
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

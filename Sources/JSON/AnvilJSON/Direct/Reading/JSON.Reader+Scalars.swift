/// Reading strings, Booleans and null.
extension JSON.Reader {
  /// Returns the location of the string that begins here, and moves after it.
  ///
  /// - Parameter type: The type that is read from the string, for errors.
  @inline(__always)
  mutating func scanString(for type: Any.Type) throws(JSON.ReadingError) -> ScannedString {
    guard scanner.bytes[scanner.at] == 0x22 else { throw mismatch(type) }
    do throws(ParseFailure) { return try scanner.scanString() } catch { throw self.error(error) }
  }

  /// Reads the string that begins here.
  @inline(__always)
  mutating func string(for type: Any.Type) throws(JSON.ReadingError) -> String {
    let string = try scanString(for: type)
    return scanner.bytes.string(at: string.start, length: string.length, isASCII: !string.isNonASCII)
  }

  mutating func bool() throws(JSON.ReadingError) -> Bool {
    let byte = scanner.bytes[scanner.at]
    guard byte == 0x74 || byte == 0x66 else { throw mismatch(Bool.self) }
    do throws(ParseFailure) {
      if byte == 0x74 { try scanner.scanTrue() } else { try scanner.scanFalse() }
    } catch {
      throw self.error(error)
    }
    return byte == 0x74
  }

  /// True if the value that begins here can only be `null`.
  @inlinable @inline(__always)
  var isAtNull: Bool { scanner.bytes[scanner.at] == 0x6E }

  /// Moves after the value that begins here if it is `null`, and returns whether it is.
  ///
  /// - Throws: ``JSON/ReadingError`` for text that begins like `null` but is not.
  @inlinable
  public mutating func readNullIfPresent() throws(JSON.ReadingError) -> Bool {
    guard isAtNull else { return false }
    try readNull()
    return true
  }

  /// Moves after the `null` that begins here.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public mutating func readNull() throws(JSON.ReadingError) {
    guard isAtNull else { throw mismatch("null") }
    do throws(ParseFailure) { try scanner.scanNull() } catch { throw self.error(error) }
  }
}

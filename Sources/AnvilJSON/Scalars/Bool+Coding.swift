extension Bool: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns `true` or `false`. Numbers are not converted.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Bool {
    let word = json.word
    guard word.isBool else { throw json.mismatch(Bool.self) }
    return word.is(.true)
  }

  /// Reads a Boolean, `true` or `false`. Numbers are not converted.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Bool { try reader.bool() }

  /// Writes `true` or `false`.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(self) }
  }
}

extension Bool: DirectlyDecodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> Bool { try session.bool(at: index) }
}

extension String: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the string.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> String {
    guard json.word.isString else { throw json.mismatch(String.self) }
    return json.document.string(at: json.index)
  }

  /// Reads a string.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  /// - Complexity: O(*n*), where *n* is the length of the string; one allocation for more than 15 bytes of UTF-8.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> String {
    try reader.string(for: String.self)
  }

  /// Writes the text in quotation marks. Quotation marks, backslashes and control characters in it are escaped.
  ///
  /// Source: RFC 8259 §7.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(self) }
  }
}

extension String: DirectlyDecodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> String { try session.string(at: index) }
  static func decodeElements(by session: DecodingSession, ofArrayAt index: Int) throws -> [String] {
    try elements(by: session, ofArrayAt: index) { try session.string(at: $0) }
  }
}

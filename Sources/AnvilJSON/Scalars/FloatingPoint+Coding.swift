extension Double: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the double nearest to the number.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else and for numbers beyond the range of doubles.
  public static func decode(_ json: JSON) throws -> Double {
    guard let value = json.document.double(at: json.index) else { throw json.mismatch(Double.self) }
    return value
  }

  /// Reads the double nearest to the number.
  ///
  /// - Throws: ``JSON/ReadingError``, also beyond the range of doubles.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Double {
    try reader.double()
  }

  /// Writes the shortest number that reads back as this one, with an exponent from 2⁵³ on and below 10⁻⁴. Records a failure for a number
  /// that is not finite.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    guard isFinite else { return writer.failNotFinite() }
    if writer.claim() { writer.output.write(finite: self) }
  }
}

extension Double: DirectlyDecodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> Double { try session.double(at: index) }
  static func decodeElements(by session: DecodingSession, ofArrayAt index: Int) throws -> [Double] {
    try elements(by: session, ofArrayAt: index) { try session.double(at: $0) }
  }
}

extension Float: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the float nearest to the number.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else and for numbers beyond the range of floats.
  public static func decode(_ json: JSON) throws -> Float {
    guard let value = json.document.float(at: json.index) else { throw json.mismatch(Float.self) }
    return value
  }

  /// Reads the float nearest to the number.
  ///
  /// - Throws: ``JSON/ReadingError``, also beyond the range of floats.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Float {
    try reader.float()
  }

  /// Writes the shortest number that reads back as this one, with an exponent from 2²⁴ on and below 10⁻⁴. Records a failure for a number
  /// that is not finite.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    guard isFinite else { return writer.failNotFinite() }
    if writer.claim() { writer.output.write(finite: self) }
  }
}

extension JSON.Writer {
  @usableFromInline @inline(never)
  mutating func failNotFinite() {
    fail(.notFinite)
    writeNull()
  }
}

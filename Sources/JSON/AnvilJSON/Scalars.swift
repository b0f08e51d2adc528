public import AnvilBase

// The table of scalars: how each type is mapped from ``JSON``, read and written directly, and coded by coders without its `init(from:)` and
// `encode(to:)`. A new integer type is one declaration.

/// The conformances by which coders code types directly.
///
/// These are declared beside the scalars for linkers, which take from a static library only the objects that others refer to: a cast to a
/// protocol does not refer to the object with the conformance.
enum KnownShortcuts {
  static let decoding = ConformanceCache<any DirectlyDecodable.Type>()
  static let encoding = ConformanceCache<EncodingShortcut>()
  static let directlyDecodable = ConformanceCache<any JSONDirectlyDecodable.Type>()
  static let directlyEncodable = ConformanceCache<any JSONDirectlyEncodable.Type>()
}

extension Bool: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {
  /// Returns `true` or `false`. Numbers are not converted. Throws ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Bool {
    let word = json.word
    guard word.isBool else { throw json.mismatch(Bool.self) }
    return word.is(.true)
  }

  /// Reads a Boolean, `true` or `false`. Numbers are not converted. Throws ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Bool { try reader.bool() }

  /// Reads the value of a member, and moves to the next member.
  public static func _readMember(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Bool {
    let value = try reader.bool()
    try reader.nextMember()
    return value
  }

  /// Writes `true` or `false`.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(self) }
  }

  static func decode(by session: DecodingSession, at index: Int) throws -> Bool { try session.bool(at: index) }

  func append(to output: OutputMemory, _ session: EncodingSession) { output.append(bool: self) }
}

extension Int: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {
  /// Reads the value of a member, and moves to the next member.
  public static func _readMember(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int {
    let value = try reader.int(Int.self)
    try reader.nextMember()
    return value
  }
}
extension Int8: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {}
extension Int16: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {}
extension Int32: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {}
extension Int64: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {}
extension Int128: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {}
extension UInt: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {}
extension UInt8: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {}
extension UInt16: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {}
extension UInt32: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {}
extension UInt64: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {}
extension UInt128: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {}

/// More specific than the default of `Decodable` types.
extension JSONDecodable where Self: FixedWidthInteger & Decodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1. Throws ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Self {
    guard let value = json.document.integer(at: json.index, as: Self.self) else { throw json.mismatch(Self.self) }
    return value
  }
}

// Inlinable, because other modules would call generic code otherwise. Inlined, each is a call of one function for `Int` or for other integers.

extension JSONReadable where Self: FixedWidthInteger {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1. Throws ``JSON/ReadingError`` for anything else.
  @inlinable @inline(__always)
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    if Self.isSigned, Self.bitWidth == Int.bitWidth { return Self(truncatingIfNeeded: try reader.int(Self.self)) }
    let offset = reader.offset
    guard let number = try reader.wholeNumber(for: Self.self), let value = number.value(as: Self.self) else {
      throw reader.unrepresentable(Self.self, at: offset)
    }
    return value
  }
}

extension JSONWritable where Self: FixedWidthInteger {
  /// Writes the number.
  @inlinable @inline(__always)
  public func write(to writer: inout JSON.Writer) {
    guard writer.claim() else { return }
    switch (Self.bitWidth > 64, Self.isSigned) {
    case (false, true): writer.output.write(Int64(truncatingIfNeeded: self))
    case (false, false): writer.output.write(UInt64(truncatingIfNeeded: self))
    case (true, true): writer.output.write(large: Int128(truncatingIfNeeded: self))
    case (true, false): writer.output.write(large: UInt128(truncatingIfNeeded: self))
    }
  }
}

extension DirectlyDecodable where Self: FixedWidthInteger {
  static func decode(by session: DecodingSession, at index: Int) throws -> Self {
    try session.integer(Self.self, at: index)
  }
}

extension PlainScalar where Self: FixedWidthInteger {
  @inline(__always)
  func append(to output: OutputMemory, _ session: EncodingSession) { output.append(integer: self) }
}

extension Double: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable {
  /// Returns the double nearest to the number. Throws ``TypeMismatchError`` for anything else and for numbers beyond the range of doubles.
  public static func decode(_ json: JSON) throws -> Double {
    guard let value = json.document.double(at: json.index) else { throw json.mismatch(Double.self) }
    return value
  }

  /// Reads the double nearest to the number. Throws ``JSON/ReadingError``, also beyond the range of doubles.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Double {
    try reader.double()
  }

  /// Reads the value of a member, and moves to the next member.
  public static func _readMember(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Double {
    let value = try reader.double()
    try reader.nextMember()
    return value
  }

  /// Writes the shortest number that reads back as this one, with an exponent from 2⁵³ on and below 10⁻⁴. Records a failure for a number
  /// that is not finite.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    guard isFinite else { return writer.failNotFinite() }
    if writer.claim() { writer.output.write(finite: self) }
  }

  static func decode(by session: DecodingSession, at index: Int) throws -> Double { try session.double(at: index) }
}

extension Float: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable {
  /// Returns the float nearest to the number. Throws ``TypeMismatchError`` for anything else and for numbers beyond the range of floats.
  public static func decode(_ json: JSON) throws -> Float {
    guard let value = json.document.float(at: json.index) else { throw json.mismatch(Float.self) }
    return value
  }

  /// Reads the float nearest to the number. Throws ``JSON/ReadingError``, also beyond the range of floats.
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

  static func decode(by session: DecodingSession, at index: Int) throws -> Float { try session.float(at: index) }
}

/// A floating-point type with a JSON number format. A strategy may convert infinities and NaN to strings.
protocol FloatingScalar: BinaryFloatingPoint, DirectlyEncodable {
  func append(to output: OutputMemory)
}

// Separate, or the interface would list the protocols that a floating-point type has.
extension Double: FloatingScalar {
  func append(to output: OutputMemory) { output.append(finite: self) }
}
extension Float: FloatingScalar {
  func append(to output: OutputMemory) { output.append(finite: self) }
}

extension FloatingScalar {
  @inline(__always)
  func encode(by session: EncodingSession, at identity: Int) throws {
    try session.checkFinite(self, at: identity, nil)
    try session.claimScalar()
    session.append(floating: self, to: session.output)
  }

  @inline(__always)
  static func encode(elements: [Self], by session: EncodingSession, in identity: Int) throws {
    for element in elements {
      if !element.isFinite {
        try session.checkFinite(
          element, at: identity, EncodingKey(intValue: session.slots[session.slots.top].count))
      }
      session.beginElement()
      session.append(floating: element, to: session.output)
    }
  }
}

extension JSON.Writer {
  @usableFromInline @inline(never)
  mutating func failNotFinite() {
    fail(.notFinite)
    writeNull()
  }
}

extension String: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {
  /// Returns the string. Throws ``TypeMismatchError`` for anything else.
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

  /// Reads the value of a member, and moves to the next member.
  public static func _readMember(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> String {
    let value = try reader.string(for: String.self)
    try reader.nextMember()
    return value
  }

  /// Writes the text in quotation marks. Quotation marks, backslashes and control characters in it are escaped.
  ///
  /// Source: RFC 8259 §7.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(self) }
  }

  static func decode(by session: DecodingSession, at index: Int) throws -> String { try session.string(at: index) }

  func append(to output: OutputMemory, _ session: EncodingSession) {
    output.append(quoted: self, escapingSlashes: session.escapesSlashes)
  }
}

extension JSON {
  /// Returns the result of `convert` for this value, which must be a string that `convert` accepts.
  @inline(__always)
  fileprivate func value<Value>(_ convert: (String) -> Value?) throws -> Value {
    guard word.isString, let value = convert(document.string(at: index)) else { throw mismatch(Value.self) }
    return value
  }
}

extension JSON.Reader {
  /// Returns the result of `convert` for the value that begins here, which must be a string that `convert` accepts.
  @inline(__always)
  fileprivate mutating func value<Value>(_ convert: (String) -> Value?) throws(JSON.ReadingError) -> Value {
    let offset = offset
    guard let value = convert(try string(for: Value.self)) else { throw noValue(of: Value.self, at: offset) }
    return value
  }
}

extension Decimal: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, DirectlyEncodable {
  /// Returns the number with as many of its digits as `Decimal` can store.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else and for numbers beyond the range of `Decimal`.
  public static func decode(_ json: JSON) throws -> Decimal {
    guard let value = json.document.decimal(at: json.index) else { throw json.mismatch(Decimal.self) }
    return value
  }

  /// Reads the number with as many of its digits as `Decimal` can store. Throws ``JSON/ReadingError``, also beyond the range of `Decimal`.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Decimal {
    try reader.decimal()
  }

  /// Writes the number with all its digits. Records a failure for NaN.
  public func write(to writer: inout JSON.Writer) {
    guard !isNaN else { return writer.failNotFinite() }
    guard writer.claim() else { return }
    description.withUTF8Span { writer.output.append($0) }
    writer.output.append(.comma)
  }

  static func decode(by session: DecodingSession, at index: Int) throws -> Decimal { try session.decimal(at: index) }

  func encode(by session: EncodingSession, at identity: Int) throws { try session.write(self, at: identity) }
}

extension Data: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, DirectlyEncodable {
  /// Returns the bytes of the string in padded base64 without line breaks. Source: RFC 4648 §4.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not a string or the string is not base64.
  public static func decode(_ json: JSON) throws -> Data {
    try json.value { Data(base64Encoded: $0) }
  }

  /// Reads the bytes of the string in padded base64 without line breaks. Source: RFC 4648 §4.
  ///
  /// - Throws: ``JSON/ReadingError``, also for strings that are not base64.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Data {
    try reader.value { Data(base64Encoded: $0) }
  }

  /// Writes the bytes as a string in padded base64 without line breaks. Source: RFC 4648 §4.
  public func write(to writer: inout JSON.Writer) {
    guard writer.claim() else { return }
    guard writer.output.style.escapesSlashes else { return writer.output.write(base64: bytes) }
    writer.output.append(quoted: base64EncodedString(), escapingSlashes: true, .comma)
  }

  static func decode(by session: DecodingSession, at index: Int) throws -> Data { try session.data(at: index) }

  func encode(by session: EncodingSession, at identity: Int) throws { try session.write(self, at: identity) }
}

extension URL: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, PlainScalar {
  /// Returns the URL in the string, parsed by `URL(string:)`.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not a string or the string is not a URL.
  public static func decode(_ json: JSON) throws -> URL {
    try json.value { URL(string: $0) }
  }

  /// Reads the URL in the string, parsed by `URL(string:)`. Throws ``JSON/ReadingError``, also for strings that are not URLs.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> URL {
    let offset = reader.offset
    let text = try reader.scanString(for: URL.self)
    guard let value = reader.urls.url(text, in: reader.scanner.bytes) else {
      throw reader.noValue(of: URL.self, at: offset)
    }
    return value
  }

  /// Writes the absolute URL as a string.
  public func write(to writer: inout JSON.Writer) { absoluteString.write(to: &writer) }

  static func decode(by session: DecodingSession, at index: Int) throws -> URL { try session.url(at: index) }

  func append(to output: OutputMemory, _ session: EncodingSession) { absoluteString.append(to: output, session) }
}

extension UUID: JSONDecodable, JSONReadable, JSONWritable, PlainScalar {
  /// Returns the UUID in the string, in upper or lower case.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not a string or the string is not a UUID.
  public static func decode(_ json: JSON) throws -> UUID {
    try json.value { UUID(uuidString: $0) }
  }

  /// Reads the UUID in the string, in upper or lower case. Throws ``JSON/ReadingError``, also for strings that are not UUIDs.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UUID {
    try reader.value { UUID(uuidString: $0) }
  }

  /// Writes the UUID as a string such as `F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6`.
  public func write(to writer: inout JSON.Writer) { uuidString.write(to: &writer) }

  func append(to output: OutputMemory, _ session: EncodingSession) { uuidString.append(to: output, session) }
}

extension Date: JSONDecodable, JSONReadable, JSONWritable, DirectlyDecodable, DirectlyEncodable {
  /// Returns the date of the string in the format of RFC 3339, such as `2026-02-03T04:05:06Z`, with or without a fraction of the
  /// second and in any time zone. Two variants that ISO 8601 allows are accepted as well: a comma before the fraction and a time zone
  /// without a colon. For other formats, see ``JSON/DateFormat``.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not a string or the string is not such a date.
  public static func decode(_ json: JSON) throws -> Date {
    guard json.word.isString, let seconds = json.document.secondsOfDate(at: json.index) else {
      throw json.mismatch(Date.self)
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Reads the date of the string in the format of RFC 3339, such as `2026-02-03T04:05:06Z`, with or without a fraction of the
  /// second and in any time zone. Two variants that ISO 8601 allows are accepted as well: a comma before the fraction and a time zone
  /// without a colon. For a ``JSON/Decoder``, its `dateDecodingStrategy` determines the format instead.
  ///
  /// - Throws: ``JSON/ReadingError``, also for values that are not such dates.
  /// - Complexity: O(*n*), where *n* is the length of the string. Nothing is allocated.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Date {
    try reader.date(as: reader.dates)
  }

  /// Writes a string as in RFC 3339, in UTC: `2026-02-03T04:05:06Z`. The fraction of the second has zero, three, six or nine digits: the
  /// fewest that preserve the date. Records a failure for a date that is not finite or not in the years 0 to 9999.
  public func write(to writer: inout JSON.Writer) {
    writer.write(self, as: writer.output.style.dates)
  }

  static func decode(by session: DecodingSession, at index: Int) throws -> Date { try session.date(at: index) }

  func encode(by session: EncodingSession, at identity: Int) throws { try session.write(self, at: identity) }
}

extension JSON.Day: JSONDecodable, JSONDirectlyDecodable, JSONDirectlyEncodable {
  /// Returns the day in the string. Throws ``TypeMismatchError`` if the value is not a string or the string is not a day.
  public static func decode(_ json: JSON) throws -> JSON.Day { try json.value { JSON.Day($0) } }

  /// Reads the day in the string. Throws ``JSON/ReadingError``, also for strings that are not days.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> JSON.Day {
    try reader.value { JSON.Day($0) }
  }

  /// Writes the day as a string.
  public func write(to writer: inout JSON.Writer) { description.write(to: &writer) }
}

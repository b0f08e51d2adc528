#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// Reads a value of `type` in one pass from `data`, a JSON text in UTF-8, UTF-16 or UTF-32.
  ///
  ///     let owner = try JSON.read(Owner.self, from: data)
  ///
  /// A text in JSON5, or with the members of an object without its braces, is first converted to JSON. In the converted text, infinities
  /// and NaN are `null`. The offsets of errors then refer to the converted text, except those of syntax errors.
  ///
  /// - Throws: ``ReadingError``, also for text that ``init(parsing:options:)-(Data,_)`` rejects.
  /// - Complexity: O(*n*), where *n* is the number of bytes, which are copied once. Types that contain themselves are read
  ///   recursively, up to the nesting depth that the options allow.
  @inlinable
  public static func read<Value: JSONReadable>(
    _ type: Value.Type, from data: Data, options: ParsingOptions = ParsingOptions()
  ) throws(ReadingError) -> Value {
    try read(type, from: data.bytes, options: options)
  }

  /// Reads a value of `type` in one pass from `bytes`, a JSON text in UTF-8, UTF-16 or UTF-32.
  ///
  /// - Throws: ``ReadingError`` if `bytes` are not JSON or do not represent a `Value`.
  @inlinable
  public static func read<Value: JSONReadable>(
    _ type: Value.Type, from bytes: [UInt8], options: ParsingOptions = ParsingOptions()
  ) throws(ReadingError) -> Value {
    // Safety: `UInt8` has no padding, and the array outlives the call.
    try read(type, from: unsafe bytes.elementSpan.bytes, options: options)
  }

  /// Reads a value of `type` in one pass from `text`.
  ///
  /// - Throws: ``ReadingError`` if `text` is not JSON or does not represent a `Value`. Its offsets count the bytes of the text's UTF-8.
  @inlinable
  public static func read<Value: JSONReadable>(
    _ type: Value.Type, from text: String, options: ParsingOptions = ParsingOptions()
  ) throws(ReadingError) -> Value {
    let bytes = Array(text.utf8)
    // Safety: as above.
    return try read(type, fromUTF8: unsafe bytes.elementSpan.bytes, mayHaveMark: true, options)
  }

  /// Reads a value of `type` in one pass from `bytes`, a JSON text in UTF-8, UTF-16 or UTF-32.
  ///
  /// - Throws: ``ReadingError`` if `bytes` are not JSON or do not represent a `Value`.
  @inlinable
  public static func read<Value: JSONReadable>(
    _ type: Value.Type, from bytes: RawSpan, options: ParsingOptions = ParsingOptions()
  ) throws(ReadingError) -> Value {
    try read(type, from: bytes, options, dates: .rfc3339)
  }

  @inlinable
  static func read<Value: JSONReadable>(
    _ type: Value.Type, from bytes: RawSpan, _ options: ParsingOptions, dates: DateForm
  ) throws(ReadingError) -> Value {
    guard let utf8 = try utf8(of: bytes, options) else {
      return try read(type, fromUTF8: bytes, mayHaveMark: true, options, dates: dates)
    }
    do throws(ReadingError) {
      // Safety: as above.
      return try read(type, fromUTF8: unsafe utf8.elementSpan.bytes, mayHaveMark: false, options, dates: dates)
    } catch {
      throw error.located(in: bytes)
    }
  }

  @inlinable
  static func read<Value: JSONReadable>(
    _ type: Value.Type, fromUTF8 bytes: RawSpan, mayHaveMark: Bool, _ options: ParsingOptions,
    dates: DateForm = .rfc3339
  ) throws(ReadingError) -> Value {
    if let plain = try plainText(of: bytes, mayHaveMark: mayHaveMark, options) {
      // Safety: as above.
      return try read(
        type, fromUTF8: unsafe plain.elementSpan.bytes, mayHaveMark: false, ParsingOptions(depthLimit: .max),
        dates: dates)
    }
    var reader = Reader(
      bytes, from: mayHaveMark ? markLength(of: bytes) : 0, depthLimit: options.depthLimit, dates: dates)
    try reader.start(options)
    let value = try Value.read(from: &reader)
    try reader.finish()
    return value
  }

  /// Returns the length of the UTF-8 byte-order mark at the beginning of `bytes`; 0 if `bytes` do not begin with a mark.
  @usableFromInline
  static func markLength(of bytes: RawSpan) -> Int { TextEncoding.hasUTF8Mark(bytes) ? 3 : 0 }

  /// Converts a text to JSON if the options permit JSON5 or members without braces, which the reader does not support. Otherwise returns
  /// `nil`.
  ///
  /// - Throws: ``ReadingError`` if the options do not permit the text, or if it exceeds their limits.
  @usableFromInline
  static func plainText(
    of bytes: RawSpan, mayHaveMark: Bool, _ options: ParsingOptions
  ) throws(ReadingError) -> [UInt8]? {
    let limit = options.effectiveSizeLimit
    guard bytes.byteCount <= limit else { throw ReadingError(.syntax(.tooLarge(limit: limit)), at: limit, in: bytes) }
    guard options.syntax != .json || options.root == .members else { return nil }
    do throws(SyntaxError) {
      let json = JSON(try Document.parse(bytes, options: options, in: mayHaveMark ? .utf8 : .utf8WithoutMark))
      return json.serialized()
    } catch {
      throw ReadingError(.syntax(error.code), at: error.offset, in: bytes)
    }
  }

  /// Returns `bytes` in UTF-8 if they are in another encoding; `nil` if they are in UTF-8.
  ///
  /// - Throws: ``ReadingError`` if the bytes exceed the limits of the options.
  @usableFromInline
  static func utf8(of bytes: RawSpan, _ options: ParsingOptions) throws(ReadingError) -> [UInt8]? {
    let limit = options.effectiveSizeLimit
    guard bytes.byteCount <= limit else { throw ReadingError(.syntax(.tooLarge(limit: limit)), at: limit, in: bytes) }
    return TextEncoding(of: bytes)?.transcoded(bytes)
  }
}

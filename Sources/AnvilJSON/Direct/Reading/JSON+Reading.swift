#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// The value of `type` that `data` spells, in UTF-8, UTF-16 or UTF-32, read in one pass.
  ///
  ///     let owner = try JSON.read(Owner.self, from: data)
  ///
  /// JSON5, and an object's members without its braces, are first written as JSON: the offsets of errors that are no syntax
  /// errors are those of that text, and infinities and NaN are `null` in it.
  ///
  /// - Throws: ``ReadingError``, also for what ``init(parsing:options:)-(Data,_)`` refuses.
  /// - Complexity: O(*n*), *n* the number of bytes, which are copied once. Types that contain themselves are read by
  ///   recursion, as deep as the options allow containers in each other.
  @inlinable
  public static func read<Value: JSONReadable>(
    _ type: Value.Type, from data: Data, options: ParsingOptions = ParsingOptions()
  ) throws(ReadingError) -> Value {
    try read(type, from: data.bytes, options: options)
  }

  /// The value of `type` that `bytes` spell, in UTF-8, UTF-16 or UTF-32, read in one pass.
  ///
  /// - Throws: ``ReadingError``.
  @inlinable
  public static func read<Value: JSONReadable>(
    _ type: Value.Type, from bytes: [UInt8], options: ParsingOptions = ParsingOptions()
  ) throws(ReadingError) -> Value {
    // Safety: `UInt8` has no padding, and the array outlives the call.
    try read(type, from: unsafe bytes.span.bytes, options: options)
  }

  /// The value of `type` that `text` spells, read in one pass.
  ///
  /// - Throws: ``ReadingError``; offsets count the bytes of the text's UTF-8.
  @inlinable
  public static func read<Value: JSONReadable>(
    _ type: Value.Type, from text: String, options: ParsingOptions = ParsingOptions()
  ) throws(ReadingError) -> Value {
    let bytes = Array(text.utf8)
    // Safety: as above.
    return try read(type, fromUTF8: unsafe bytes.span.bytes, mayHaveMark: true, options)
  }

  /// The value of `type` that `bytes` spell, in UTF-8, UTF-16 or UTF-32, read in one pass.
  ///
  /// - Throws: ``ReadingError``.
  @inlinable
  public static func read<Value: JSONReadable>(
    _ type: Value.Type, from bytes: RawSpan, options: ParsingOptions = ParsingOptions()
  ) throws(ReadingError) -> Value {
    guard let utf8 = try utf8(of: bytes, options) else {
      return try read(type, fromUTF8: bytes, mayHaveMark: true, options)
    }
    do throws(ReadingError) {
      // Safety: as above.
      return try read(type, fromUTF8: unsafe utf8.span.bytes, mayHaveMark: false, options)
    } catch {
      throw error.located(in: bytes)
    }
  }

  @inlinable
  static func read<Value: JSONReadable>(
    _ type: Value.Type, fromUTF8 bytes: RawSpan, mayHaveMark: Bool, _ options: ParsingOptions
  ) throws(ReadingError) -> Value {
    if let plain = try plainText(of: bytes, mayHaveMark: mayHaveMark, options) {
      // Safety: as above.
      return try read(type, fromUTF8: unsafe plain.span.bytes, mayHaveMark: false, ParsingOptions(depthLimit: .max))
    }
    var reader = Reader(bytes, from: mayHaveMark ? markLength(of: bytes) : 0, depthLimit: options.depthLimit)
    try reader.start(options)
    let value = try Value.read(from: &reader)
    try reader.finish()
    return value
  }

  /// How many bytes the byte-order mark has with which `bytes` begin.
  @usableFromInline
  static func markLength(of bytes: RawSpan) -> Int { TextEncoding.hasUTF8Mark(bytes) ? 3 : 0 }

  /// What a text that the reader does not know, JSON5 or members without braces, is in JSON; `nil` for JSON.
  ///
  /// - Throws: ``ReadingError`` for what it is not, and for more than the options allow.
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

  /// `bytes` in UTF-8 where they are not; `nil` where they are.
  ///
  /// - Throws: ``ReadingError`` for more than the options allow.
  @usableFromInline
  static func utf8(of bytes: RawSpan, _ options: ParsingOptions) throws(ReadingError) -> [UInt8]? {
    let limit = options.effectiveSizeLimit
    guard bytes.byteCount <= limit else { throw ReadingError(.syntax(.tooLarge(limit: limit)), at: limit, in: bytes) }
    return TextEncoding(of: bytes)?.transcoded(bytes)
  }
}

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
  /// - Throws: ``ReadingError``, also for what ``init(parsing:options:)-(Data,_)`` refuses.
  /// - Complexity: O(*n*), *n* the number of bytes, which are copied once: for 600 kB that takes 2 % of the time. Types that contain themselves are read by
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
    try read(type, from: Array(text.utf8), options: options)
  }

  /// The value of `type` that `bytes` spell, in UTF-8, UTF-16 or UTF-32, read in one pass.
  ///
  /// - Throws: ``ReadingError``.
  @inlinable
  public static func read<Value: JSONReadable>(
    _ type: Value.Type, from bytes: RawSpan, options: ParsingOptions = ParsingOptions()
  ) throws(ReadingError) -> Value {
    if let utf8 = try utf8(of: bytes, options) {
      do throws(ReadingError) {
        // Safety: as above.
        return try read(type, fromUTF8: unsafe utf8.span.bytes, options)
      } catch {
        throw error.located(in: bytes)
      }
    }
    return try read(type, fromUTF8: bytes, options)
  }

  @inlinable
  static func read<Value: JSONReadable>(
    _ type: Value.Type, fromUTF8 bytes: RawSpan, _ options: ParsingOptions
  ) throws(ReadingError) -> Value {
    var reader = Reader(bytes, depthLimit: options.depthLimit)
    try reader.start(options)
    let value = try Value.read(from: &reader)
    try reader.finish()
    return value
  }

  /// `bytes` in UTF-8 where they are not; `nil` where they are.
  ///
  /// - Throws: ``ReadingError`` for more than the options allow.
  @usableFromInline
  static func utf8(of bytes: RawSpan, _ options: ParsingOptions) throws(ReadingError) -> [UInt8]? {
    let limit = options.effectiveSizeLimit
    let utf8 = bytes.byteCount <= limit ? TextEncoding(of: bytes)?.transcoded(bytes) : nil
    guard max(bytes.byteCount, utf8?.count ?? 0) <= limit else {
      throw ReadingError(.syntax(.tooLarge(limit: limit)), at: limit, in: bytes)
    }
    return utf8
  }
}

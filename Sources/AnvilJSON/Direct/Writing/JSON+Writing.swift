#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// The text of `value`, in UTF-8, without white space, written in one pass.
  ///
  ///     let data = try JSON.write(owner)
  ///
  /// Strings have only those characters escaped that must be, quotation mark, backslash and control characters; a slash is
  /// a slash. Members come in the order in which the type writes them. What ``init(parsing:options:)-(Data,_)`` makes of the
  /// text has that order too.
  ///
  /// - Throws: ``WritingError``, for the first value without a form in JSON, and for more than 512 containers in each other,
  ///   the most that a parser takes unless told otherwise.
  /// - Complexity: O(*n*), *n* the length of the text. From 32 kB on data are the memory that the text was written to.
  @inlinable
  public static func write<Value: JSONWritable>(_ value: borrowing Value) throws(WritingError) -> Data {
    var writer = Writer()
    writer.place(value)
    return try writer.finish()
  }

  /// The text of `value`, in UTF-8, as bytes: ``write(_:)`` as `[UInt8]`.
  ///
  ///     let bytes = try JSON.write(owner, as: [UInt8].self)
  ///
  /// - Throws: ``WritingError``.
  @inlinable
  public static func write<Value: JSONWritable>(
    _ value: borrowing Value, as type: [UInt8].Type
  ) throws(WritingError) -> [UInt8] {
    var writer = Writer()
    writer.place(value)
    return try writer.finishBytes()
  }
}

extension JSON.Writer {
  /// The text, without the comma behind it.
  @usableFromInline
  consuming func finish() throws(JSON.WritingError) -> Data {
    if let failure { throw failure }
    output.truncate(to: max(0, output.count - 1))
    return output.takeData()
  }

  /// The text, without the comma behind it.
  @usableFromInline
  consuming func finishBytes() throws(JSON.WritingError) -> [UInt8] {
    if let failure { throw failure }
    output.truncate(to: max(0, output.count - 1))
    return output.bytes()
  }
}

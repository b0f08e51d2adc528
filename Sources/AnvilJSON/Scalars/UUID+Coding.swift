#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension UUID: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the UUID in the string, in upper or lower case.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not a string or the string is not a UUID.
  public static func decode(_ json: JSON) throws -> UUID {
    guard json.word.isString, let value = UUID(uuidString: json.document.string(at: json.index)) else {
      throw json.mismatch(UUID.self)
    }
    return value
  }

  /// Reads the UUID in the string, in upper or lower case.
  ///
  /// - Throws: ``JSON/ReadingError``, also for strings that are not UUIDs.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UUID {
    let offset = reader.offset
    guard let value = UUID(uuidString: try reader.string(for: UUID.self)) else {
      throw reader.noValue(of: UUID.self, at: offset)
    }
    return value
  }

  /// Writes the UUID as a string such as `F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6`.
  public func write(to writer: inout JSON.Writer) { uuidString.write(to: &writer) }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Data: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the bytes of the string in padded base64 without line breaks. Source: RFC 4648 §4.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not a string or the string is not base64.
  public static func decode(_ json: JSON) throws -> Data {
    guard json.word.isString, let value = Data(base64Encoded: json.document.string(at: json.index)) else {
      throw json.mismatch(Data.self)
    }
    return value
  }

  /// Reads the bytes of the string in padded base64 without line breaks. Source: RFC 4648 §4.
  ///
  /// - Throws: ``JSON/ReadingError``, also for strings that are not base64.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Data {
    let offset = reader.offset
    guard let value = Data(base64Encoded: try reader.string(for: Data.self)) else {
      throw reader.noValue(of: Data.self, at: offset)
    }
    return value
  }

  /// Writes the bytes as a string in padded base64 without line breaks. Source: RFC 4648 §4.
  public func write(to writer: inout JSON.Writer) {
    guard writer.claim() else { return }
    guard writer.output.style.escapesSlashes else { return writer.output.write(base64: bytes) }
    writer.output.append(quoted: base64EncodedString(), escapingSlashes: true, .comma)
  }
}

extension Data: DirectlyDecodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> Data { try session.data(at: index) }
}

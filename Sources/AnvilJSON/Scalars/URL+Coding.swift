#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URL: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the URL in the string, parsed by `URL(string:)`.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not a string or the string is not a URL.
  public static func decode(_ json: JSON) throws -> URL {
    guard json.word.isString, let value = URL(string: json.document.string(at: json.index)) else {
      throw json.mismatch(URL.self)
    }
    return value
  }

  /// Reads the URL in the string, parsed by `URL(string:)`.
  ///
  /// - Throws: ``JSON/ReadingError``, also for strings that are not URLs.
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
}

extension URL: DirectlyDecodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> URL { try session.url(at: index) }
}

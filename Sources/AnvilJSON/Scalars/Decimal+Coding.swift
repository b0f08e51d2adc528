#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Decimal: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number with as many of its digits as `Decimal` can store.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else and for numbers beyond the range of `Decimal`.
  public static func decode(_ json: JSON) throws -> Decimal {
    guard let value = json.document.decimal(at: json.index) else { throw json.mismatch(Decimal.self) }
    return value
  }

  /// Reads the number with as many of its digits as `Decimal` can store.
  ///
  /// - Throws: ``JSON/ReadingError``, also beyond the range of `Decimal`.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Decimal {
    try reader.decimal()
  }

  /// Writes the number with all its digits. Records a failure for NaN.
  public func write(to writer: inout JSON.Writer) {
    guard !isNaN else { return writer.failNotFinite() }
    guard writer.claim() else { return }
    description.withUTF8Span { writer.output.append($0) }
    writer.output.append(0x2C)
  }
}

extension Decimal: DirectlyDecodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> Decimal { try session.decimal(at: index) }
}

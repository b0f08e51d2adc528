internal import AnvilHTTP
internal import AnvilModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A reader of the records of a JSON text sequence.
struct JSONRecordReader {
  private var records: PieceReader<RecordSplitter>
  private let format: any DecodingFormat

  init(_ body: HTTP.Body, format: any DecodingFormat, limit: Int) {
    records = PieceReader(body, RecordSplitter(limit: limit))
    self.format = format
  }

  /// Returns the bytes of the next record; `nil` at the end.
  mutating func next() async throws -> Data? {
    try await records.next()
  }

  /// Decodes `record`, which must be the one that ``next()`` returned last.
  func decode<Value: Decodable>(_ type: Value.Type, from record: Data) throws(HTTP.RecordDecodingError) -> Value {
    do {
      guard records.splitter.isSeparated else { throw HTTP.BodyError.recordNotSeparated }
      guard !record.isOpenEnded else { throw HTTP.BodyError.recordTruncated }
      return try format.decode(type, from: record)
    } catch {
      throw HTTP.RecordDecodingError(
        record: records.splitter.count, offset: records.splitter.recordOffset, underlyingError: error)
    }
  }

  /// Stops reading.
  mutating func stop() {
    records.stop()
  }
}

extension Data {
  /// A Boolean value that indicates whether the record is a number or a literal name such as `true` without following white space. Such a
  /// record may have been truncated. Arrays, objects and strings have an explicit end. Source: RFC 7464 §2.4.
  fileprivate var isOpenEnded: Bool {
    guard let first = first(where: { !$0.isJSONWhitespace }), let last else { return false }
    let isDelimited = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "\"")
    return !isDelimited && !last.isJSONWhitespace
  }
}

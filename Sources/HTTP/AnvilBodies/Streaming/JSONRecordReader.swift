internal import AnvilBase
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A reader of the records of a JSON text sequence.
struct JSONRecordReader: ValueReader {
  private var records: PieceReader<RecordSplitter>
  private let format: any DecodingFormat

  init(_ body: HTTP.Body, format: any DecodingFormat, limit: Int) {
    records = PieceReader(body, RecordSplitter(limit: limit))
    self.format = format
  }

  mutating func next<Value: Decodable>(
    as type: Value.Type
  ) async throws -> Result<Value, HTTP.RecordDecodingError>? {
    guard let record = try await records.next() else { return nil }
    do {
      guard records.splitter.isSeparated else { throw HTTP.BodyError.recordNotSeparated }
      guard !record.isOpenEnded else { throw HTTP.BodyError.recordTruncated }
      return .success(try format.decode(type, from: record))
    } catch {
      return .failure(
        HTTP.RecordDecodingError(
          record: records.splitter.count, offset: records.splitter.recordOffset, underlyingError: error))
    }
  }

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

internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Splits a JSON text sequence that arrives in chunks into records, with at most a record and a chunk in memory.
///
/// A record starts after a record separator and ends before the next one or at the end of the text. Adjacent separators enclose no
/// record. White space and a byte order mark before the first separator are ignored. Source: RFC 7464 §2.1.
struct RecordSplitter: ChunkSplitter {
  private static let separator: UInt8 = 0x1E

  private let limit: Int
  private var chunk = Data()
  /// The number of bytes of the chunk that have been read.
  private var position = 0
  /// The part of the current record that arrived before the chunk.
  private var pending = Data()
  private var pendingIsSeparated = false

  /// The number of records that have been returned.
  private(set) var count = 0
  /// The number of bytes of the text before the record that was returned last.
  private(set) var recordOffset = 0
  /// A Boolean value that indicates whether the record that was returned last was preceded by a separator.
  private(set) var isSeparated = false
  /// The number of bytes of the text that have been read.
  private var offset = 0

  /// - Parameter limit: The maximum number of bytes of a record.
  init(limit: Int) {
    self.limit = max(0, limit)
  }

  mutating func append(_ chunk: Data) {
    assert(position == self.chunk.count)
    self.chunk = chunk
    position = 0
  }

  /// - Throws: ``HTTP/BodyError/recordTooLong(record:limit:)``; the splitter must not be used afterwards.
  mutating func next() throws(HTTP.BodyError) -> Data? {
    while position < chunk.count {
      let separator = chunk.offset(of: Self.separator, from: position)
      let part = chunk[(chunk.startIndex + position)..<(chunk.startIndex + (separator ?? chunk.count))]
      guard part.count <= limit - pending.count else { throw .recordTooLong(record: count + 1, limit: limit) }
      position += part.count
      offset += part.count
      guard separator != nil else {
        pending.append(part)
        return nil
      }
      let record = takeRecord(endingWith: part)
      position += 1
      offset += 1
      pendingIsSeparated = true
      if let record { return record }
    }
    return nil
  }

  mutating func finish() -> Data? {
    takeRecord(endingWith: Data())
  }

  /// Returns the record that ends with `part`; `nil` if the text between two separators is empty, or if the text before the first separator
  /// is blank.
  private mutating func takeRecord(endingWith part: Data) -> Data? {
    var record = part
    if !pending.isEmpty {
      record = Data()
      swap(&record, &pending)
      record.append(part)
    }
    let isIgnored = pendingIsSeparated ? record.isEmpty : record.isBlankAfterByteOrderMark
    guard !isIgnored else { return nil }
    recordOffset = offset - record.count
    isSeparated = pendingIsSeparated
    count += 1
    return record
  }
}

extension Data {
  /// A Boolean value that indicates whether the data is empty or only white space, optionally after a byte order mark.
  fileprivate var isBlankAfterByteOrderMark: Bool {
    (starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self).allSatisfy(\.isJSONWhitespace)
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether the byte is white space between the tokens of JSON. Source: RFC 8259 §2.
  var isJSONWhitespace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

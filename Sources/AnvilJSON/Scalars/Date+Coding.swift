internal import AnvilText

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Date: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the date of the string in the format of RFC 3339, such as `2026-02-03T04:05:06Z`, with or without a fraction of the
  /// second and in any time zone. Two variants that ISO 8601 allows are accepted as well: a comma before the fraction and a time zone
  /// without a colon. For other formats, see ``JSON/DateFormat``.
  ///
  /// - Throws: ``TypeMismatchError`` if the value is not a string or the string is not such a date.
  public static func decode(_ json: JSON) throws -> Date {
    guard json.word.isString, let seconds = json.document.secondsOfDate(at: json.index) else {
      throw json.mismatch(Date.self)
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Reads the date of the string in the format of RFC 3339, such as `2026-02-03T04:05:06Z`, with or without a fraction of the
  /// second and in any time zone. Two variants that ISO 8601 allows are accepted as well: a comma before the fraction and a time zone
  /// without a colon. For a ``JSON/Decoder``, its `dateDecodingStrategy` determines the format instead.
  ///
  /// - Throws: ``JSON/ReadingError``, also for values that are not such dates.
  /// - Complexity: O(*n*), where *n* is the length of the string. Nothing is allocated.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Date {
    try reader.date(as: reader.dates)
  }

  /// Writes a string as in RFC 3339, in UTC: `2026-02-03T04:05:06Z`. The fraction of the second has zero, three, six or nine digits: the
  /// fewest that preserve the date. Records a failure for a date that is not finite or not in the years 0 to 9999.
  public func write(to writer: inout JSON.Writer) {
    writer.write(self, as: writer.output.style.dates)
  }
}

extension Date: DirectlyDecodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> Date { try session.date(at: index) }
}

extension JSON.Writer.Members {
  /// Writes a member that is a date in `format`.
  public mutating func write(_ key: StaticString, _ date: Date, as format: JSON.DateFormat) {
    writer.output.write(key: key)
    writer.expectsValue = true
    writer.write(date, as: DateForm(format))
  }

  /// Writes a member that is a date in `format`, or nothing if `date` is `nil`.
  public mutating func write(_ key: StaticString, ifPresent date: Date?, as format: JSON.DateFormat) {
    if let date { write(key, date, as: format) }
  }
}

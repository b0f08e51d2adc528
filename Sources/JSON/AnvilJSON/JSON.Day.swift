public import AnvilBase

extension JSON {
  /// A day of the calendar, without a time and a time zone: `2020-01-01`. A `Date` is a point in time instead.
  ///
  ///     @JSONCodable struct Person { var born: JSON.Day }
  ///
  /// It is coded as a string by every format. The years are 0 to 9999. Source: RFC 3339 §5.6, `full-date`.
  public struct Day: Hashable, Sendable {
    /// The year.
    public let year: Int
    /// The month, from 1.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Creates a day of the Gregorian calendar; `nil` if the day does not exist, as 29 February 2023.
    public init?(year: Int, month: Int, day: Int) {
      guard (0...9999).contains(year), GregorianDay(year: year, month: month, day: day) != nil else { return nil }
      (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the day of `date` in UTC, or in a zone that is `offset` seconds ahead of UTC; `nil` if it is not in the years 0 to 9999.
    public init?(of date: Date, secondsFromUTC offset: Int = 0) {
      let seconds = date.timeIntervalSince1970 + Double(offset)
      guard WrittenDate.isWritable(seconds) else { return nil }
      let day = GregorianDay(daysSince1970: Int((seconds / 86_400).rounded(.down)))
      (year, month, self.day) = (day.year, day.month, day.day)
    }

    /// Returns the beginning of the day in UTC, or in a zone that is `offset` seconds ahead of UTC.
    public func start(secondsFromUTC offset: Int = 0) -> Date {
      Date(timeIntervalSince1970: Double(daysSince1970 * 86_400 - offset))
    }

    private var daysSince1970: Int { GregorianDay(year: year, month: month, day: day)?.daysSince1970 ?? 0 }
  }
}

extension JSON.Day: LosslessStringConvertible {
  /// Creates the day that `text` contains, such as `2020-01-01`; `nil` for any other text.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == .minus, bytes[7] == .minus else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      let digits = bytes[range]
      return digits.allSatisfy(\.isDigit) ? digits.reduce(0) { $0 * 10 + Int($1 &- .digit0) } : nil
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The day as text: `2020-01-01`.
  public var description: String {
    // The date at midnight, without its time.
    String(WrittenDate(milliseconds: daysSince1970 * 86_400_000).text.prefix(10))
  }
}

extension JSON.Day: Comparable {
  /// Returns true if the left day is before the right one.
  public static func < (left: JSON.Day, right: JSON.Day) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension JSON.Day: Codable {
  /// Creates the day in the string that `decoder` reads.
  ///
  /// - Throws: `DecodingError`, also for strings that are not days.
  public init(from decoder: any Swift.Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let day = JSON.Day(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Expected a day such as 2020-01-01, found \(text.shortened(to: 40).quoted).")
    }
    self = day
  }

  /// Encodes the day as a string.
  public func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

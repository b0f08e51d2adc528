internal import AnvilBase

/// A time in seconds, in the format of HTTP dates: `Sun, 06 Nov 1994 08:49:37 GMT`. Source: RFC 9110 §5.6.7.
package struct HTTPDate: Hashable, Sendable {
  /// The seconds since 1970-01-01 00:00:00 UTC.
  package let seconds: Int

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]

  package init(seconds: Int) {
    self.seconds = seconds
  }

  /// Reads the preferred format (IMF-fixdate). `nil` for any other text, and if the weekday does not match the date.
  package init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[5] == "GMT", words[0].hasSuffix(","), let year = Self.number(words[3], digits: 4)
    else { return nil }
    self.init(
      day: Self.number(words[1], digits: 2), month: words[2], year: year, time: words[4],
      weekday: { $0.prefix(3) == words[0].dropLast() })
  }

  /// Creates a time from `text` in any of the three formats that recipients must accept: the preferred one, RFC 850's
  /// `Sunday, 06-Nov-94 08:49:37 GMT` and asctime's `Sun Nov  6 08:49:37 1994`. Names are case-insensitive.
  ///
  /// - Parameter now: The reference for the century of a two-digit year: the year is at most 50 years in the future.
  package init?(anyForm text: String, now: HTTPDate) {
    let text = Self.capitalized(text)
    guard let date = HTTPDate(text) ?? HTTPDate(rfc850: text, now: now) ?? HTTPDate(asctime: text) else { return nil }
    self = date
  }

  private static func capitalized(_ text: String) -> String {
    var isFirst = true
    let letters = text.utf8.map { byte -> UInt8 in
      defer { isFirst = !byte.isLetter }
      guard byte.isLetter else { return byte }
      return isFirst ? byte & 0xDF : byte | 0x20
    }
    let words = String(decoding: letters, as: UTF8.self)
    return words.hasSuffix("Gmt") ? words.dropLast(3) + "GMT" : words
  }

  private init?(rfc850 text: String, now: HTTPDate) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 4, words[3] == "GMT", words[0].hasSuffix(",") else { return nil }
    let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
    guard date.count == 3, let short = Self.number(date[2], digits: 2) else { return nil }
    let thisYear = now.calendarDate.day.year
    var year = thisYear - thisYear % 100 + short
    if year > thisYear + 50 { year -= 100 }
    self.init(
      day: Self.number(date[0], digits: 2), month: date[1], year: year, time: words[2],
      weekday: { $0 == words[0].dropLast() })
  }

  private init?(asctime text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    // A one-digit day is preceded by a second space.
    let isShort = words.count == 6 && words[2].isEmpty
    guard words.count == 5 || isShort, let year = Self.number(words[words.count - 1], digits: 4) else { return nil }
    self.init(
      day: Self.number(words[words.count - 3], digits: isShort ? 1 : 2), month: words[1], year: year,
      time: words[words.count - 2], weekday: { $0.prefix(3) == words[0] })
  }

  private init?(day: Int?, month: Substring, year: Int, time: Substring, weekday: (String) -> Bool) {
    guard let day, let month = Self.months.firstIndex(of: String(month)), (0...9999).contains(year),
      let date = GregorianDay(year: year, month: month + 1, day: day)
    else { return nil }
    let time = time.split(separator: ":", omittingEmptySubsequences: false)
    guard time.count == 3, let hour = Self.number(time[0], digits: 2), let minute = Self.number(time[1], digits: 2),
      let second = Self.number(time[2], digits: 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    guard weekday(Self.weekday(of: date)) else { return nil }
    seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
  }

  private static func number(_ text: Substring, digits: Int) -> Int? {
    text.utf8.count == digits && text.utf8.allSatisfy { $0.isDigit } ? Int(text) : nil
  }

  /// The day and the second of the day, clamped to the years 0 to 9999.
  private var calendarDate: (day: GregorianDay, second: Int) {
    let clamped = min(max(seconds, -62_167_219_200), 253_402_300_799)
    let second = ((clamped % 86_400) + 86_400) % 86_400
    return (GregorianDay(daysSince1970: (clamped - second) / 86_400), second)
  }

  private static func weekday(of day: GregorianDay) -> String {
    weekdays[((day.daysSince1970 % 7) + 7) % 7]
  }
}

extension HTTPDate: Comparable {
  package static func < (lhs: HTTPDate, rhs: HTTPDate) -> Bool { lhs.seconds < rhs.seconds }
}

extension HTTPDate: CustomStringConvertible {
  /// The time in the preferred format, clamped to the years 0 to 9999.
  package var description: String {
    let (day, second) = calendarDate
    let time = [second / 3_600, second / 60 % 60, second % 60].map { $0.text(digits: 2) }
    return "\(Self.weekday(of: day).prefix(3)), \(day.day.text(digits: 2)) \(Self.months[day.month - 1]) "
      + "\(day.year.text(digits: 4)) " + time.joined(separator: ":") + " GMT"
  }
}

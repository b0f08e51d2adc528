/// A time in seconds, in the format of HTTP dates: `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Source: RFC 9110 §5.6.7; the calendar algorithms are Howard Hinnant's days_from_civil and civil_from_days.
package struct HTTPDate: Hashable, Sendable {
  /// The seconds since 1970-01-01 00:00:00 UTC.
  package let seconds: Int

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]

  /// Creates the time `seconds` after 1970-01-01 00:00:00 UTC.
  package init(seconds: Int) {
    self.seconds = seconds
  }

  /// Creates a time from `text` in the preferred format (IMF-fixdate). Returns `nil` for any other text, and if the weekday does not match
  /// the date.
  package init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[5] == "GMT", words[0].hasSuffix(","), let year = Self.number(words[3], digits: 4)
    else {
      return nil
    }
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
    if let date = HTTPDate(text) ?? HTTPDate(rfc850: text, now: now) ?? HTTPDate(asctime: text) {
      self = date
    } else {
      return nil
    }
  }

  /// Returns `text` with the capitalization of the preferred format.
  private static func capitalized(_ text: String) -> String {
    var isFirst = true
    let letters = text.utf8.map { byte -> UInt8 in
      defer { isFirst = !(0x41...0x5A).contains(byte & 0xDF) }
      guard (0x41...0x5A).contains(byte & 0xDF) else { return byte }
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
    let thisYear = now.civil.year
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
      (1...Self.length(ofMonth: month, year)).contains(day)
    else { return nil }
    let time = time.split(separator: ":", omittingEmptySubsequences: false)
    guard time.count == 3, let hour = Self.number(time[0], digits: 2), let minute = Self.number(time[1], digits: 2),
      let second = Self.number(time[2], digits: 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = Self.days(year: year, month: month + 1, day: day)
    guard weekday(Self.weekdays[((days % 7) + 7) % 7]) else { return nil }
    seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
  }

  private static func number(_ text: Substring, digits: Int) -> Int? {
    text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  /// Returns the number of days in `month`, where January is 0.
  package static func length(ofMonth month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 1 ? (isLeap ? 29 : 28) : [3, 5, 8, 10].contains(month) ? 30 : 31
  }

  /// Returns the days from 1970-01-01 to a date in the years 0 to 9999.
  package static func days(year: Int, month: Int, day: Int) -> Int {
    // Years start in March and are counted from -400, so that no value is negative.
    let shifted = (month <= 2 ? year - 1 : year) + 400
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era - 1) * 146_097 + dayOfEra - 719_468
  }

  /// The date and time, clamped to the years 0 to 9999.
  private var civil: (year: Int, month: Int, day: Int, second: Int) {
    let held = min(max(seconds, -62_167_219_200), 253_402_300_799)
    let second = ((held % 86_400) + 86_400) % 86_400
    // Days since -400-03-01.
    let shifted = (held - second) / 86_400 + 719_468 + 146_097
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, second)
  }
}

extension HTTPDate: Comparable {
  package static func < (lhs: HTTPDate, rhs: HTTPDate) -> Bool { lhs.seconds < rhs.seconds }
}

extension HTTPDate: CustomStringConvertible {
  /// The time in the preferred format, clamped to the years 0 to 9999.
  package var description: String {
    let date = civil
    let days = Self.days(year: date.year, month: date.month, day: date.day)
    let weekday = Self.weekdays[((days % 7) + 7) % 7].prefix(3)
    let time = [date.second / 3_600, date.second / 60 % 60, date.second % 60].map { Self.padded($0, 2) }
    return "\(weekday), \(Self.padded(date.day, 2)) \(Self.months[date.month - 1]) \(Self.padded(date.year, 4)) "
      + time.joined(separator: ":") + " GMT"
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

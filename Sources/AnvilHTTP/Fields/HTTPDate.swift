/// A time to the second as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`. Not the obsolete forms.
///
/// Source: RFC 9110 §5.6.7; days by Howard Hinnant's days_from_civil.
struct HTTPDate: Hashable, Sendable {
  /// Seconds since 1970.
  let seconds: Int

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// The time that `text` says; `nil` for anything else, a weekday that is not the date's among it.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[5] == "GMT", words[0].hasSuffix(","),
      let day = Self.number(words[1], digits: 2), let month = Self.months.firstIndex(of: String(words[2])),
      let year = Self.number(words[3], digits: 4), (1...Self.length(ofMonth: month, year)).contains(day)
    else { return nil }
    let time = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard time.count == 3, let hour = Self.number(time[0], digits: 2), let minute = Self.number(time[1], digits: 2),
      let second = Self.number(time[2], digits: 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = Self.days(year: year, month: month + 1, day: day)
    guard Self.weekdays[((days % 7) + 7) % 7] == words[0].dropLast() else { return nil }
    seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
  }

  private static func number(_ text: Substring, digits: Int) -> Int? {
    text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  private static func length(ofMonth month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 1 ? (isLeap ? 29 : 28) : [3, 5, 8, 10].contains(month) ? 30 : 31
  }

  /// Days from 1970-01-01 to a date of the years 0 to 9999.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    // Years begin in March, and are counted from -400, so that nothing is negative.
    let shifted = (month <= 2 ? year - 1 : year) + 400
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era - 1) * 146_097 + dayOfEra - 719_468
  }
}

/// A day of the Gregorian calendar in the years 0 to 9999. The calendar is also used for years before its introduction.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil` and `civil_from_days`. The algorithms count
/// years from March, so that the leap day is the last day of a year.
///
/// Inlinable because the JSON engine reads and writes dates with it. Without `@usableFromInline` for the type and its properties, the compiler
/// ignores `@inlinable` for its members.
@usableFromInline
package struct GregorianDay: Hashable, Sendable {
  @usableFromInline package let year: Int
  /// The month, from 1 to 12.
  @usableFromInline package let month: Int
  /// The day of the month, from 1.
  @usableFromInline package let day: Int

  /// The number of days from 1 March of the year −400 to 1 January 1970. Days are counted from that March, so that all dividends are
  /// positive.
  @inlinable
  static var epoch: Int { 719_468 + 146_097 }

  /// Creates the day that is `days` days after 1 January 1970.
  @inlinable
  @inline(__always)
  package init(daysSince1970 days: Int) {
    let (era, dayOfEra) = (days + Self.epoch).quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
  }

  /// Creates a day from its parts; `nil` if it does not exist.
  @inlinable
  @inline(__always)
  package init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  @inlinable
  static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The number of days from 1 January 1970 to this day; negative for an earlier day.
  @inlinable
  package var daysSince1970: Int {
    let shifted = year + 400 - (month <= 2 ? 1 : 0)
    let century = shifted / 100
    let monthFromMarch = (month + 9) % 12
    let before = shifted * 365 + shifted / 4 - century + century / 4
    return before + (153 * monthFromMarch + 2) / 5 + day - 1 - Self.epoch
  }
}

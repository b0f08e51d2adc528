/// A moment by the Gregorian calendar, in UTC.
struct DateAndTime {
  let year: Int
  let month: Int
  let day: Int
  let hour: Int
  let minute: Int
  let second: Int
  let millisecond: Int

  /// The moment so many seconds after the beginning of 1970, to the nearest millisecond; `nil` where it is not in the
  /// years 0 to 9999.
  ///
  /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`. Years begin with March, so that
  /// the day that is not always there is the last.
  init?(secondsSince1970 seconds: Double) {
    // The ends are 0000-01-01 and 10000-01-01; the comparison is false for what is no number.
    guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return nil }
    let milliseconds = Int((seconds * 1000).rounded())
    guard milliseconds < 253_402_300_800_000 else { return nil }
    // From 1 March of the year −400 on nothing is negative.
    let total = milliseconds + (719_468 + 146_097) * 86_400_000
    let (days, rest) = total.quotientAndRemainder(dividingBy: 86_400_000)
    let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1000 % 60
    millisecond = rest % 1000
  }
}

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Dates as RFC 3339 §5.6 writes them, in UTC.
enum RFC3339 {
  /// The text of `date`; `nil` beyond the years 0000 to 9999.
  ///
  /// The fraction has three, six or nine digits, the fewest that come back as the same date, or is left out.
  static func text(of date: Date) -> [UInt8]? {
    // Dates count from 2001: their own fraction is the exact one.
    let exact = date.timeIntervalSinceReferenceDate
    guard exact >= -63_145_526_400, exact < 252_423_993_600 else { return nil }
    let fraction = exact - exact.rounded(.down)
    var whole = Int(exact.rounded(.down)) + Int(Date.timeIntervalBetween1970AndReferenceDate)
    var digits = 0
    var written = 0
    var scale = 1
    while Date(timeIntervalSince1970: Double(whole) + Double(written) / Double(scale)) != date, digits < 9 {
      digits += 3
      scale *= 1000
      written = Int((fraction * Double(scale)).rounded())
    }
    if written == scale {
      // Rounded up to the next second, of which nine digits are no closer to the moment.
      whole += 1
      digits = 0
    }
    let days = whole >= 0 ? whole / 86400 : (whole - 86399) / 86400
    let second = whole - days * 86400
    let (year, month, day) = civilDate(ofDay: days)
    guard year <= 9999 else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(30)
    text.append(year, digits: 4)
    text.append(0x2D)
    text.append(month, digits: 2)
    text.append(0x2D)
    text.append(day, digits: 2)
    text.append(0x54)
    text.append(second / 3600, digits: 2)
    text.append(0x3A)
    text.append(second / 60 % 60, digits: 2)
    text.append(0x3A)
    text.append(second % 60, digits: 2)
    if digits > 0 {
      text.append(0x2E)
      text.append(written, digits: digits)
    }
    text.append(0x5A)
    return text
  }

  /// The date that is `day` days after 1 January 1970 in the Gregorian calendar.
  ///
  /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`. Years begin with March.
  private static func civilDate(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    // Days since 1 March of the year −400, so that nothing that is divided is negative.
    let shifted = day + 719_468 + 146_097
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 - 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}

extension [UInt8] {
  /// Appends the last `count` decimal digits of `value`.
  fileprivate mutating func append(_ value: Int, digits count: Int) {
    var scale = 1
    for _ in 1..<count { scale *= 10 }
    while scale > 0 {
      append(UInt8(truncatingIfNeeded: 0x30 + value / scale % 10))
      scale /= 10
    }
  }
}

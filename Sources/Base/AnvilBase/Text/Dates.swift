/// A date as text: the first `length` bytes of `words`, in UTC, in the format of RFC 3339 §5.6.
///
/// All dates in JSON, forms and URLs are written by it. It is inlinable, like ``GregorianDay``, because the JSON engine writes dates with it.
@usableFromInline
package struct WrittenDate {
  /// The text in memory order, followed by zeros.
  @usableFromInline package let words: (UInt64, UInt64, UInt64, UInt64)
  @usableFromInline package let length: Int

  /// The beginning of the year 0, in seconds since 1970.
  @inlinable
  static var start: Int { -62_167_219_200 }
  /// The end of the year 9999, in seconds since 1970. It is exclusive.
  @inlinable
  static var end: Int { 253_402_300_800 }
  /// The beginning of the year 2001, in seconds since 1970.
  @inlinable
  static var reference: Int { 978_307_200 }

  /// Returns whether `seconds` is in the years 0 to 9999. The result is false for NaN.
  @inlinable
  package static func isWritable(_ seconds: Double) -> Bool { seconds >= Double(start) && seconds < Double(end) }

  /// Creates the text of a date with the fewest fractional digits (none, three, six or nine) that are read as the same date; `nil` if
  /// the date is not in the years 0 to 9999.
  ///
  /// Inlined: when the result was returned through memory, writing a date took 36 ns instead of 31.
  ///
  /// - Parameter seconds: the seconds since the beginning of 2001, as a `Date` stores them. Only their fraction is exact.
  @inlinable
  @inline(__always)
  package init?(secondsSince2001 seconds: Double) {
    guard Self.isWritable(seconds + Double(Self.reference)) else { return nil }
    let fraction = seconds - seconds.rounded(.down)
    let whole = Int(seconds.rounded(.down)) + Self.reference
    var digits = 0
    var written = 0
    var scale = 1
    while Double(whole) + Double(written) / Double(scale) - Double(Self.reference) != seconds, digits < 9 {
      digits += 3
      scale *= 1000
      written = Int((fraction * Double(scale)).rounded())
    }
    // A fraction rounded up to the next second, which nine digits cannot represent more closely, is carried over.
    let nanoseconds = written * (1_000_000_000 / scale)
    let milliseconds = whole * 1000 + nanoseconds / 1_000_000
    guard milliseconds < Self.end * 1000 else { return nil }
    // Zeros at the end of nine digits are kept if they matter: a shorter fraction is read as one of the seconds since 1970.
    let hasAllDigits = digits == 9 && seconds.rounded(.down) + Double(written) / Double(scale) == seconds
    self.init(milliseconds: milliseconds, nanoseconds: nanoseconds % 1_000_000, hasAllDigits: hasAllDigits)
  }

  /// Creates the text with as many fractional digits as needed: none, three, six or nine.
  ///
  /// - Parameters:
  ///   - milliseconds: the milliseconds since 1970, in the years 0 to 9999.
  ///   - nanoseconds: the additional nanoseconds, less than a million.
  ///   - hasAllDigits: true for nine digits, whatever the fraction.
  @inlinable
  @inline(__always)
  package init(milliseconds: Int, nanoseconds: Int = 0, hasAllDigits: Bool = false) {
    let (days, time) = (milliseconds - Self.start * 1000).quotientAndRemainder(dividingBy: 86_400_000)
    let day = GregorianDay(daysSince1970: days + Self.start / 86_400)
    // "0000-00-", "00T00:00", ":00.000000000Z": each character is a byte, the first the lowest.
    let yearAndMonth =
      Self.pair(day.year / 100) | Self.pair(day.year % 100) << 16 | 0x2D << 32 | Self.pair(day.month) << 40 | 0x2D << 56
    let dayAndTime =
      Self.pair(day.day) | 0x54 << 16 | Self.pair(time / 3_600_000) << 24 | 0x3A << 40 | Self.pair(time / 60_000 % 60)
      << 48
    var rest = 0x3A | Self.pair(time / 1000 % 60) << 8
    var last: UInt64 = 0
    if time % 1000 == 0, nanoseconds == 0, !hasAllDigits {
      rest |= 0x5A << 24
      length = 20
    } else {
      rest |= 0x2E << 24 | Self.triple(time % 1000) << 32
      if nanoseconds == 0, !hasAllDigits {
        rest |= 0x5A << 56
        length = 24
      } else {
        let micro = Self.triple(nanoseconds / 1000)
        let nano = Self.triple(nanoseconds % 1000)
        rest |= micro << 56
        last = micro >> 8
        length = nanoseconds % 1000 == 0 && !hasAllDigits ? 27 : 30
        last |= length == 27 ? 0x5A << 16 : nano << 16 | 0x5A << 40
      }
    }
    words = (yearAndMonth.littleEndian, dayAndTime.littleEndian, rest.littleEndian, last.littleEndian)
  }

  /// Returns the two decimal digits of `value` in ASCII, the first digit in the lowest byte.
  @inlinable
  @inline(__always)
  static func pair(_ value: Int) -> UInt64 {
    0x3030 | UInt64(truncatingIfNeeded: value / 10) | UInt64(truncatingIfNeeded: value % 10) << 8
  }

  /// Returns the three decimal digits of `value` in ASCII, the first digit in the lowest byte.
  @inlinable
  @inline(__always)
  static func triple(_ value: Int) -> UInt64 {
    0x30_0000 | pair(value / 10) | UInt64(truncatingIfNeeded: value % 10) << 16
  }

  package var text: String {
    let words = [words.0, words.1, words.2, words.3]
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: UInt64(littleEndian: words[$0 / 8]) >> (8 * ($0 % 8))) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

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

  /// From 1 March of the year −400 to 1 January 1970. Days are counted from that March, so that all dividends are positive.
  @inlinable
  static var epoch: Int { 719_468 + 146_097 }

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

  @inlinable
  package var daysSince1970: Int {
    let shifted = year + 400 - (month <= 2 ? 1 : 0)
    let century = shifted / 100
    let monthFromMarch = (month + 9) % 12
    let before = shifted * 365 + shifted / 4 - century + century / 4
    return before + (153 * monthFromMarch + 2) / 5 + day - 1 - Self.epoch
  }
}

internal import AnvilText

/// A parser for the text of a date. The unread part is from `next` to `end`.
///
/// Source: RFC 3339 §5.6, plus the zone without a colon and the comma of ISO 8601. A leap second counts as the second after it.
struct DateText {
  private let text: PaddedBytes
  private var next: Int
  private let end: Int

  /// Returns the seconds since 1970 of the date in the `length` bytes of `text` from `start` on; `nil` if they are not a date.
  ///
  /// - Complexity: O(*n*), *n* the length; nothing is allocated.
  static func seconds(in text: PaddedBytes, from start: Int, length: Int) -> Double? {
    var date = DateText(text: text, next: start, end: start + length)
    return date.seconds()
  }

  /// Returns the seconds since 1970 of the date in the `length` bytes of `text` from `start` on, which must have the form
  /// `2026-02-03T04:05:06Z`. Returns `nil` for other forms of dates, and for dates that Foundation reads differently.
  static func secondsOfPlainDate(in text: PaddedBytes, from start: Int, length: Int) -> Double? {
    guard length == 20, text[start + 10] == 0x54, let seconds = seconds(in: text, from: start, length: length),
      seconds >= GregorianDay.firstOfFoundation
    else { return nil }
    return seconds
  }

  private mutating func seconds() -> Double? {
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
      skip("T") || skip("t") || skip(" "),
      let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
      let date = GregorianDay(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60,
      let fraction = fraction(), let offset = offset(), next == end
    else { return nil }
    return Double(date.daysSince1970 * 86400 + hour * 3600 + minute * 60 + second - offset) + fraction
  }

  /// Reads a number of exactly `count` digits. Returns `nil` if there are fewer digits.
  private mutating func number(_ count: Int) -> Int? {
    guard next + count <= end else { return nil }
    var value = 0
    for _ in 0..<count {
      let digit = text[next] &- 0x30
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
      next += 1
    }
    return value
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next < end, UInt32(text[next]) == character.value else { return false }
    next += 1
    return true
  }

  /// Reads the fraction of the second. Returns 0 if the text does not contain a fraction, and `nil` if its point or comma is not followed
  /// by a digit. Digits beyond the fifteenth are read and ignored.
  private mutating func fraction() -> Double? {
    guard skip(".") || skip(",") else { return 0 }
    let start = next
    var digits = 0.0
    var scale = 1.0
    while next < end, case let digit = text[next] &- 0x30, digit <= 9 {
      if next - start < 15 {
        digits = digits * 10 + Double(digit)
        scale *= 10
      }
      next += 1
    }
    return next > start ? digits / scale : nil
  }

  /// Reads the time zone. Returns its offset from UTC in seconds, which is positive if the zone is ahead of UTC.
  private mutating func offset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let isAhead = skip("+")
    guard isAhead || skip("-"), let hours = number(2) else { return nil }
    _ = skip(":")
    guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (isAhead ? 1 : -1)
  }
}

internal import AnvilBase
internal import AnvilJSON

/// The text of dates in columns, such as `2026-11-28T08:00:00.250000000Z`: UTC, and nine digits of the fraction.
///
/// Texts of this form have the order of their dates. Nine digits are enough to read a `Date` as it was written, except within some minutes of
/// the beginning of 2001, where a `Date` has more.
package enum StoredDate {
  /// The smallest difference between two dates in a column.
  package enum Precision: Int64, Sendable {
    case nanoseconds = 1
    /// As in PostgreSQL. The last three digits are 0.
    case microseconds = 1_000
  }

  private static let secondsFrom1970To2001 = 978_307_200
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000

  /// Returns the text of a date; `nil` for a date before the year 0 or after the year 9999, which the text cannot express.
  package static func text(of date: Date, _ precision: Precision = .nanoseconds) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    let whole = seconds.rounded(.down)
    guard abs(whole) < 400_000_000_000 else { return nil }
    let unit = precision.rawValue
    let fraction = Int64(((seconds - whole) * Double(nanosecondsPerSecond / unit)).rounded()) * unit
    return text(seconds: Int(whole) + secondsFrom1970To2001, nanoseconds: fraction)
  }

  /// Returns the text of a time in microseconds since the beginning of 2000, as PostgreSQL sends it.
  package static func text(microsecondsSince2000 microseconds: Int64) -> String? {
    let second: Int64 = 1_000_000
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: second)
    let (whole, fraction) = rest < 0 ? (seconds - 1, rest + second) : (seconds, rest)
    return text(seconds: Int(whole) + 946_684_800, nanoseconds: fraction * 1_000)
  }

  private static func text(seconds: Int, nanoseconds: Int64) -> String? {
    let isNextSecond = nanoseconds >= nanosecondsPerSecond
    let seconds = seconds + (isNextSecond ? 1 : 0)
    let fraction = Int(isNextSecond ? nanoseconds - nanosecondsPerSecond : nanoseconds)
    let days = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
    let rest = seconds - days * 86_400
    guard days > -719_529, days < 2_932_897 else { return nil }
    let day = GregorianDay(daysSince1970: days)
    guard (0...9999).contains(day.year) else { return nil }
    // Safety: all 30 bytes are initialised, and no index is greater than 29.
    return unsafe String(unsafeUninitializedCapacity: 30) { bytes in
      // Pairs of digits take 263 instructions. A loop over the digits, with a division for each, takes 590.
      func write(_ pair: Int, at index: Int) {
        let tens = pair / 10
        unsafe bytes[index] = .digit0 &+ UInt8(truncatingIfNeeded: tens)
        unsafe bytes[index &+ 1] = .digit0 &+ UInt8(truncatingIfNeeded: pair &- tens &* 10)
      }
      write(day.year / 100, at: 0)
      write(day.year % 100, at: 2)
      unsafe bytes[4] = UInt8.minus
      write(day.month, at: 5)
      unsafe bytes[7] = UInt8.minus
      write(day.day, at: 8)
      unsafe bytes[10] = UInt8(ascii: "T")
      write(rest / 3_600, at: 11)
      unsafe bytes[13] = UInt8.colon
      write(rest / 60 % 60, at: 14)
      unsafe bytes[16] = UInt8.colon
      write(rest % 60, at: 17)
      unsafe bytes[19] = UInt8.period
      write(fraction / 10_000_000, at: 20)
      write(fraction / 100_000 % 100, at: 22)
      write(fraction / 1_000 % 100, at: 24)
      write(fraction / 10 % 100, at: 26)
      unsafe bytes[28] = .digit0 &+ UInt8(truncatingIfNeeded: fraction % 10)
      unsafe bytes[29] = UInt8(ascii: "Z")
      return 30
    }
  }

  /// Returns the text with the era, for databases whose calendar does not have a year 0; `nil` for other years and other texts.
  package static func textWithEra(_ text: String) -> String? {
    text.utf8.count == 30 && text.hasPrefix("0000-") ? "0001-\(text.dropFirst(5)) BC" : nil
  }

  /// Returns the text in this form for a text in UTC with fewer digits, with an era, or without a zone after a date and a blank, as databases
  /// write them; `nil` for other texts.
  package static func canonicalText(_ text: String) -> String? {
    var rest = text[...]
    let isBeforeChrist = rest.hasSuffix(" BC")
    if isBeforeChrist { rest.removeLast(3) }
    let isLocal = rest.utf8.dropFirst(10).first == .space
    guard let zone = ["Z", "+00:00", "+00"].first(where: rest.hasSuffix) ?? (isLocal ? "" : nil) else { return nil }
    rest.removeLast(zone.count)
    let length = rest.utf8.count
    guard length == 19 || (21...29).contains(length), rest.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let (date, fraction) = (rest.prefix(10), rest.dropFirst(19))
    guard fraction.isEmpty || fraction.first == ".", !isBeforeChrist || date.hasPrefix("0001-") else { return nil }
    let digits = fraction.dropFirst() + String(repeating: "0", count: 9 - max(fraction.count - 1, 0))
    return "\(isBeforeChrist ? "0000" : date.prefix(4))\(date.dropFirst(4))T\(rest.dropFirst(11).prefix(8)).\(digits)Z"
  }

  /// Returns the text in this form for a date in any form of RFC 3339; `nil` for other texts.
  package static func columnText(_ text: String) -> String? { date(in: text).flatMap { self.text(of: $0) } }

  /// Returns the date in a text of this form, or in any other form of RFC 3339; `nil` for other texts.
  static func date(in text: String) -> Date? {
    // The fractions of other texts are read in the same way, so that they have the same dates.
    ownDate(in: text) ?? canonicalText(text).flatMap(ownDate) ?? (try? Date.decode(JSON(text)))
  }

  private static func ownDate(in text: String) -> Date? {
    var text = text
    // Safety: the bytes are valid during the call.
    return text.withUTF8 { bytes in unsafe date(in: bytes) }
  }

  private static func date(in bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    guard bytes.count == 30 else { return nil }
    var isValid = true
    // Safety: all indices are less than 30.
    func number(_ start: Int, _ count: Int) -> Int {
      var value = 0
      for index in start..<start + count {
        let digit = unsafe bytes[index] &- .digit0
        isValid = isValid && digit <= 9
        value = value * 10 + Int(digit)
      }
      return value
    }
    let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
    let (hour, minute, second, nanoseconds) = (number(11, 2), number(14, 2), number(17, 2), number(20, 9))
    guard isValid,
      unsafe bytes[4] == .minus && bytes[7] == .minus && bytes[10] == UInt8(ascii: "T"),
      unsafe bytes[13] == .colon && bytes[16] == .colon && bytes[19] == .period,
      unsafe bytes[29] == UInt8(ascii: "Z"), hour < 24, minute < 60, second < 60,
      let days = GregorianDay(year: year, month: month, day: day)?.daysSince1970
    else { return nil }
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - secondsFrom1970To2001
    return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(nanoseconds) / Double(nanosecondsPerSecond))
  }
}

internal import AnvilBase

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A parser for the text of a date. The unread part is from `next` to `end`.
///
/// Every way of reading JSON uses it, so that all of them accept the same kinds of texts: those of RFC 3339 §5.6, with or without a fraction,
/// and three variants of ISO 8601: the comma, and the zone without a colon or without minutes. A leap second counts as the second after it.
struct DateText {
  /// The date that a text means, where two readers differ.
  enum Meaning {
    /// Days before 15 October 1582 are Gregorian, and fractions of up to six digits are added to the seconds since 1970: a date that was made
    /// of milliseconds since 1970 and written is the same date again.
    case rfc3339
    /// As Foundation reads it: such days are Julian, fractions are added to the seconds since 2001, and texts that are not in any of these
    /// forms, such as the 30th of February or one that continues after the date, are accepted if Foundation accepts them.
    case foundation
  }

  private let text: PaddedBytes
  private var next: Int
  private let end: Int

  /// Returns the seconds since 2001 of the date in the `length` bytes of `text` from `start` on; `nil` if they are not a date.
  ///
  /// - Complexity: O(*n*), where *n* is the length. Nothing is allocated, except for a text that is left to Foundation.
  static func secondsSince2001(
    in text: PaddedBytes, from start: Int, length: Int, _ meaning: Meaning = .rfc3339
  ) -> Double? {
    var date = DateText(text: text, next: start, end: start + length)
    let seconds = date.seconds(meaning)
    guard meaning == .foundation else { return seconds }
    if let seconds, seconds >= GregorianDay.firstOfFoundation { return seconds }
    return secondsOfFoundation(in: text, from: start, length: length) ?? seconds
  }

  /// Returns the seconds since 2001 of a date that Foundation reads, such as `2026-2-3T4:05:06Z`; `nil` if the text is not one.
  ///
  /// Foundation's parser and its error take some microseconds, so most other texts are refused before.
  @inline(never)
  private static func secondsOfFoundation(in text: PaddedBytes, from start: Int, length: Int) -> Double? {
    guard (14...60).contains(length), text[start] &- 0x30 <= 9,
      (start + 4..<start + 20).contains(where: { $0 < start + length && text[$0] == UInt8(ascii: "T") })
    else { return nil }
    let string = text.withSpan(at: start, length: length) { span in
      String(decoding: (0..<span.count).map { span[$0] }, as: UTF8.self)
    }
    return (try? Date.ISO8601FormatStyle().parse(string))?.timeIntervalSinceReferenceDate
  }

  private mutating func seconds(_ meaning: Meaning) -> Double? {
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
      skip("T") || skip("t") || skip(" "),
      let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
      let date = GregorianDay(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60,
      let (fraction, digits) = fraction(), let offset = offset(), next == end
    else { return nil }
    let seconds = date.daysSince1970 * 86400 + hour * 3600 + minute * 60 + second - offset
    let reference = 978_307_200
    // A `Date` stores the seconds since 2001, which have a bit more of the fraction than those since 1970. With nine digits, each date is
    // read as it was written.
    return meaning == .foundation || digits > 6
      ? Double(seconds - reference) + fraction : Double(seconds) + fraction - Double(reference)
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
  private mutating func fraction() -> (value: Double, digits: Int)? {
    guard skip(".") || skip(",") else { return (0, 0) }
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
    return next > start ? (digits / scale, next - start) : nil
  }

  /// Reads the time zone. Returns its offset from UTC in seconds, which is positive if the zone is ahead of UTC.
  private mutating func offset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let isAhead = skip("+")
    guard isAhead || skip("-"), let hours = number(2) else { return nil }
    // ISO 8601 allows hours alone.
    guard next < end else { return hours < 24 ? hours * 3600 * (isAhead ? 1 : -1) : nil }
    _ = skip(":")
    guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (isAhead ? 1 : -1)
  }
}

public import AnvilBase

extension JSON {
  /// The format of a date in JSON.
  public enum DateFormat: Hashable, Sendable {
    /// A string as in RFC 3339, `2026-02-03T04:05:06.789+01:00`, with or without a fraction. The default format of `Date`.
    case iso8601
    /// A number of seconds since the beginning of 1970 in UTC, with or without a fraction.
    case secondsSince1970
    /// A number of milliseconds since the beginning of 1970 in UTC, with or without a fraction.
    case millisecondsSince1970
  }
}

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
    guard length >= 12, text[start].isDigit,
      (start + 4..<start + 20).contains(where: { $0 < start + length && text[$0] == UInt8(ascii: "T") })
    else { return nil }
    // Foundation ignores what follows the date.
    let string = text.withSpan(at: start, length: min(length, 60)) { span in
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
    let value =
      meaning == .foundation || digits > 6
      ? Double(seconds - reference) + fraction : Double(seconds) + fraction - Double(reference)
    // The last dates of Python and .NET, 9999-12-31T23:59:59.999999Z and a digit more, would be rounded up to a year that cannot be written.
    guard year == 9999, meaning == .rfc3339, WrittenDate.isWritable(Double(seconds)),
      !WrittenDate.isWritable(value + Double(reference))
    else { return value }
    return value.nextDown
  }

  /// Reads a number of exactly `count` digits. Returns `nil` if there are fewer digits.
  private mutating func number(_ count: Int) -> Int? {
    guard next + count <= end else { return nil }
    var value = 0
    for _ in 0..<count {
      let digit = text[next] &- .digit0
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
    while next < end, case let digit = text[next] &- .digit0, digit <= 9 {
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

extension Document {
  /// Returns the seconds since 2001 of the date in the string at `index`; `nil` if the string is not a date.
  func secondsOfDate(at index: Int, _ meaning: DateText.Meaning = .rfc3339) -> Double? {
    DateText.secondsSince2001(in: bytes, from: tape[index].offset, length: stringLength(at: index), meaning)
  }
}

// The single table of date formats, used by the coders, the mapping, the direct path and forms. A new format needs a case here and a
// strategy in both coders.

extension JSON.DateFormat {
  /// Returns the date in `text`; `nil` if `text` is not in this format. `number` reads a number.
  package func date(in text: String, number: (String) -> Double?) -> Date? {
    self == .iso8601 ? try? Date.decode(JSON(text)) : number(text).map(date)
  }

  /// Returns the date of a number in this format.
  package func date(_ number: Double) -> Date { DateForm(self).date(number) }

  /// Returns the number of a date in this format.
  package func number(of date: Date) -> Double { DateForm(self).number(of: date) }

  /// The encoder's strategy that writes dates in this format with the fractions of their seconds.
  package var encodingStrategy: JSON.Encoder.DateEncodingStrategy { DateForm(self).strategies.encoding }
}

/// The form of dates in a text: the one table of all ways to read and write them.
@usableFromInline
enum DateForm: UInt8, BitwiseCopyable, Sendable {
  /// A string as in RFC 3339, with 0, 3, 6 or 9 digits of the fraction. The form of everything that has no strategy, except for a coder.
  case rfc3339
  /// A string as in RFC 3339, or a number of seconds since 2001. The form of a decoder without a strategy.
  case rfc3339OrSecondsSince2001
  /// A number of seconds since 2001, as `Date` codes itself.
  case secondsSince2001
  case secondsSince1970
  case millisecondsSince1970
  /// A string such as `2026-02-03T04:05:06Z`, as Foundation writes it. Any date in ISO 8601 is read.
  case iso8601

  /// Creates the form of a decoder's strategy; `nil` for a function.
  init?(_ strategy: JSON.Decoder.DateDecodingStrategy) {
    switch strategy {
    case .automatic: self = .rfc3339OrSecondsSince2001
    case .deferredToDate: self = .secondsSince2001
    case .secondsSince1970: self = .secondsSince1970
    case .millisecondsSince1970: self = .millisecondsSince1970
    case .iso8601: self = .iso8601
    case .rfc3339: self = .rfc3339
    case .custom: return nil
    }
  }

  /// Creates the form of an encoder's strategy; `nil` for a function.
  init?(_ strategy: JSON.Encoder.DateEncodingStrategy) {
    switch strategy {
    case .deferredToDate: self = .secondsSince2001
    case .secondsSince1970: self = .secondsSince1970
    case .millisecondsSince1970: self = .millisecondsSince1970
    case .iso8601: self = .iso8601
    case .rfc3339: self = .rfc3339
    case .custom: return nil
    }
  }

  /// Returns the date of a number in this form.
  func date(_ number: Double) -> Date {
    switch self {
    case .secondsSince1970: Date(timeIntervalSince1970: number)
    case .millisecondsSince1970: Date(timeIntervalSince1970: number / 1000)
    case .secondsSince2001, .rfc3339OrSecondsSince2001, .rfc3339, .iso8601: Date(timeIntervalSinceReferenceDate: number)
    }
  }

  /// Returns the number of a date in this form.
  func number(of date: Date) -> Double {
    switch self {
    case .secondsSince1970: date.timeIntervalSince1970
    case .millisecondsSince1970: 1000 * date.timeIntervalSince1970
    case .secondsSince2001, .rfc3339OrSecondsSince2001, .rfc3339, .iso8601: date.timeIntervalSinceReferenceDate
    }
  }

  /// The strategies of both coders for this form.
  var strategies: (decoding: JSON.Decoder.DateDecodingStrategy, encoding: JSON.Encoder.DateEncodingStrategy) {
    switch self {
    case .rfc3339: (.rfc3339, .rfc3339)
    case .rfc3339OrSecondsSince2001: (.automatic, .deferredToDate)
    case .secondsSince2001: (.deferredToDate, .deferredToDate)
    case .secondsSince1970: (.secondsSince1970, .secondsSince1970)
    case .millisecondsSince1970: (.millisecondsSince1970, .millisecondsSince1970)
    case .iso8601: (.iso8601, .iso8601)
    }
  }
}

extension DecodingSession {
  func date(as form: DateForm, at index: Int) throws -> Date {
    switch form {
    case .rfc3339: return try date(inTextAt: index, .rfc3339)
    case .rfc3339OrSecondsSince2001:
      // For any other value than a text, the error is that of a number, as in Foundation.
      guard tape[index].isString else { return Date(timeIntervalSinceReferenceDate: try seconds(at: index)) }
      guard let seconds = document.secondsOfDate(at: index) else { throw notDate(at: index, .rfc3339) }
      return Date(timeIntervalSinceReferenceDate: seconds)
    case .secondsSince2001, .secondsSince1970, .millisecondsSince1970: return form.date(try seconds(at: index))
    case .iso8601: return try date(inTextAt: index, .foundation)
    }
  }

  private func date(inTextAt index: Int, _ meaning: DateText.Meaning) throws -> Date {
    if tape[index].isString, let seconds = document.secondsOfDate(at: index, meaning) {
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    _ = try string(at: index)
    throw notDate(at: index, meaning)
  }

  /// Returns the error for the text at `index`, which is not a date.
  @inline(never)
  private func notDate(at index: Int, _ meaning: DateText.Meaning) -> any Error {
    let text = document.string(at: index)
    let expected = meaning == .rfc3339 ? "date and time in the format of RFC 3339" : "date in ISO 8601"
    return corrupted("Expected a \(expected), found \(text.shortened(to: 40).quoted).", at: index)
  }

  /// Returns the number at `index`. Throws for infinities and NaN, which JSON5 contains and a strategy for floating-point values converts
  /// from text, because printing a date that is NaN ends the process.
  private func seconds(at index: Int) throws -> Double {
    let seconds = try double(at: index)
    guard seconds.isFinite else { throw corrupted("Expected a date, found a number that is not finite.", at: index) }
    return seconds
  }
}

extension JSON.Reader {
  @inline(never)
  mutating func date(as form: DateForm) throws(JSON.ReadingError) -> Date {
    switch form {
    case .rfc3339: return try date(.rfc3339)
    case .rfc3339OrSecondsSince2001 where kind == .string: return try date(.rfc3339)
    case .rfc3339OrSecondsSince2001, .secondsSince2001, .secondsSince1970, .millisecondsSince1970:
      return form.date(try double())
    case .iso8601: return try date(.foundation)
    }
  }

  private mutating func date(_ meaning: DateText.Meaning) throws(JSON.ReadingError) -> Date {
    let offset = offset
    let text = try scanString(for: Date.self)
    let seconds = DateText.secondsSince2001(in: scanner.bytes, from: text.start, length: text.length, meaning)
    guard let seconds else { throw noValue(of: Date.self, at: offset) }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }
}

extension JSON.Writer {
  @inline(never)
  mutating func write(_ date: Date, as form: DateForm) {
    switch form {
    case .secondsSince2001, .rfc3339OrSecondsSince2001, .secondsSince1970, .millisecondsSince1970:
      form.number(of: date).write(to: &self)
    case .rfc3339:
      let seconds = date.timeIntervalSinceReferenceDate
      guard seconds.isFinite else { return failNotFinite() }
      write(WrittenDate(secondsSince2001: seconds))
    case .iso8601: write(WrittenDate(wholeSecondOf: date))
    }
  }

  @inline(__always)
  private mutating func write(_ date: WrittenDate?) {
    guard let date else {
      fail(.dateOutOfRange)
      return writeNull()
    }
    if claim() { output.append(date, .comma) }
  }
}

extension EncodingSession {
  func write(_ date: Date, as form: DateForm, at identity: Int) throws {
    switch form {
    case .rfc3339:
      guard let text = WrittenDate(secondsSince2001: date.timeIntervalSinceReferenceDate) else {
        throw EncodingError.unencodable(date, at: codingPath(of: identity), "The date is not in the years 0 to 9999.")
      }
      try claimScalar()
      output.append(text)
    case .iso8601:
      try claimScalar()
      // Formatting with Foundation takes 0.7 µs.
      if let date = WrittenDate(wholeSecondOf: date) { return output.append(date) }
      output.append(quoted: date.formatted(Date.ISO8601FormatStyle()), escapingSlashes: escapesSlashes)
    case .secondsSince2001, .rfc3339OrSecondsSince2001:
      try date.encode(to: SlotEncoder(session: self, identity: identity))
    case .secondsSince1970, .millisecondsSince1970: try write(number: form.number(of: date), at: identity)
    }
  }

  /// Writes a date as a number. Throws for infinities and NaN, regardless of the strategy for floating-point values.
  private func write(number: Double, at identity: Int) throws {
    guard number.isFinite else { throw nonConforming(number, codingPath(of: identity)) }
    try claimScalar()
    output.append(finite: number)
  }
}

extension JSON.DecodingStrategy where Value == Date {
  /// Returns a strategy for dates in `format`.
  ///
  /// The strategy throws ``TypeMismatchError`` for a value in another format.
  public static func date(_ format: JSON.DateFormat) -> JSON.DecodingStrategy<Date> {
    guard format != .iso8601 else { return JSON.DecodingStrategy { try Date.decode($0) } }
    return JSON.DecodingStrategy { json in
      guard let number = json.document.double(at: json.index), number.isFinite else { throw json.mismatch(Date.self) }
      return format.date(number)
    }
  }
}

extension DateForm {
  /// Creates the form of `format` for reading and writing without a coder.
  init(_ format: JSON.DateFormat) {
    switch format {
    case .iso8601: self = .rfc3339
    case .secondsSince1970: self = .secondsSince1970
    case .millisecondsSince1970: self = .millisecondsSince1970
    }
  }
}

extension GregorianDay {
  /// The seconds since 2001 of 15 October 1582. Foundation uses the Julian calendar before that day.
  static var firstOfFoundation: Double { -13_197_600_000 }
}

extension WrittenDate {
  /// Creates the text of the whole second of a date, as Foundation writes it in ISO 8601; `nil` if Foundation uses another calendar
  /// or more than four digits for the year.
  init?(wholeSecondOf date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
    let secondsSince1970 = seconds + Date.timeIntervalBetween1970AndReferenceDate
    guard seconds >= GregorianDay.firstOfFoundation, Self.isWritable(secondsSince1970) else { return nil }
    self.init(milliseconds: Int(secondsSince1970) * 1000)
  }
}

internal import AnvilBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// The single table of date formats, used by the coders, the mapping, the direct path and forms. A new format needs a case here and a
// strategy in both coders.

extension JSON.DateFormat {
  /// The kind of the JSON values that represent dates in this format.
  package var kind: JSON.Kind {
    switch self {
    case .iso8601: .string
    case .secondsSince1970, .millisecondsSince1970: .number
    }
  }

  /// Returns the date in `text`; `nil` if `text` is not in this format. `number` reads a number.
  package func date(in text: String, number: (String) -> Double?) -> Date? {
    switch self {
    case .iso8601: try? Date.decode(JSON(text))
    case .secondsSince1970: number(text).map { Date(timeIntervalSince1970: $0) }
    case .millisecondsSince1970: number(text).map { Date(timeIntervalSince1970: $0 / 1000) }
    }
  }

  /// The encoder's strategy that writes dates in this format with the fractions of their seconds.
  package var encodingStrategy: JSON.Encoder.DateEncodingStrategy { DateForm(self).encodingStrategy }
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

  /// The strategy of a decoder that reads dates in this form.
  var decodingStrategy: JSON.Decoder.DateDecodingStrategy {
    switch self {
    case .rfc3339: .rfc3339
    case .rfc3339OrSecondsSince2001: .automatic
    case .secondsSince2001: .deferredToDate
    case .secondsSince1970: .secondsSince1970
    case .millisecondsSince1970: .millisecondsSince1970
    case .iso8601: .iso8601
    }
  }

  /// The strategy of an encoder that writes dates in this form.
  var encodingStrategy: JSON.Encoder.DateEncodingStrategy {
    switch self {
    case .rfc3339: .rfc3339
    case .rfc3339OrSecondsSince2001, .secondsSince2001: .deferredToDate
    case .secondsSince1970: .secondsSince1970
    case .millisecondsSince1970: .millisecondsSince1970
    case .iso8601: .iso8601
    }
  }
}

extension DecodingSession {
  func date(as form: DateForm, at index: Int) throws -> Date {
    switch form {
    case .rfc3339: return try date(inTextAt: index, .rfc3339)
    case .rfc3339OrSecondsSince2001:
      // For any other text, the error is that of a number, as in Foundation.
      let date = tape[index].isString ? document.secondsOfDate(at: index) : nil
      return Date(timeIntervalSinceReferenceDate: try date ?? seconds(at: index))
    case .secondsSince2001: return Date(timeIntervalSinceReferenceDate: try seconds(at: index))
    case .secondsSince1970: return Date(timeIntervalSince1970: try seconds(at: index))
    case .millisecondsSince1970: return Date(timeIntervalSince1970: try seconds(at: index) / 1000)
    case .iso8601: return try date(inTextAt: index, .foundation)
    }
  }

  private func date(inTextAt index: Int, _ meaning: DateText.Meaning) throws -> Date {
    if tape[index].isString, let seconds = document.secondsOfDate(at: index, meaning) {
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    let text = try string(at: index)
    throw corrupted("Expected a date in ISO 8601, found \(text.shortened(to: 40).quoted).", at: index)
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
  /// Reads the date at the current position, which is in the form `form`.
  @inline(never)
  mutating func date(as form: DateForm) throws(JSON.ReadingError) -> Date {
    switch form {
    case .rfc3339: return try date(.rfc3339)
    case .rfc3339OrSecondsSince2001 where kind == .string: return try date(.rfc3339)
    case .rfc3339OrSecondsSince2001, .secondsSince2001: return Date(timeIntervalSinceReferenceDate: try double())
    case .secondsSince1970: return Date(timeIntervalSince1970: try double())
    case .millisecondsSince1970: return Date(timeIntervalSince1970: try double() / 1000)
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
  /// Writes `date` in the form `form`.
  @inline(never)
  mutating func write(_ date: Date, as form: DateForm) {
    switch form {
    case .secondsSince2001, .rfc3339OrSecondsSince2001: date.timeIntervalSinceReferenceDate.write(to: &self)
    case .secondsSince1970: date.timeIntervalSince1970.write(to: &self)
    case .millisecondsSince1970: (1000 * date.timeIntervalSince1970).write(to: &self)
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
    case .secondsSince1970: try write(seconds: date.timeIntervalSince1970, at: identity)
    case .millisecondsSince1970: try write(seconds: 1000 * date.timeIntervalSince1970, at: identity)
    }
  }

  /// Writes a date as a number of seconds. Throws for infinities and NaN, regardless of the strategy for floating-point values.
  private func write(seconds: Double, at identity: Int) throws {
    guard seconds.isFinite else { throw nonConforming(seconds, codingPath(of: identity)) }
    try claimScalar()
    output.append(finite: seconds)
  }
}

extension JSON.DecodingStrategy where Value == Date {
  /// Returns a strategy for dates in `format`.
  ///
  /// The strategy throws ``TypeMismatchError`` for a value in another format.
  public static func date(_ format: JSON.DateFormat) -> JSON.DecodingStrategy<Date> {
    switch format {
    case .iso8601: JSON.DecodingStrategy { try Date.decode($0) }
    case .secondsSince1970: JSON.DecodingStrategy { Date(timeIntervalSince1970: try $0.decodeSeconds()) }
    case .millisecondsSince1970: JSON.DecodingStrategy { Date(timeIntervalSince1970: try $0.decodeSeconds() / 1000) }
    }
  }
}

extension JSON {
  fileprivate func decodeSeconds() throws -> Double {
    guard let value = document.double(at: index), value.isFinite else { throw mismatch(Date.self) }
    return value
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

extension JSON.Writer.Members {
  /// Writes a member that is a date in `format`.
  public mutating func write(_ key: StaticString, _ date: Date, as format: JSON.DateFormat) {
    writer.output.write(key: key)
    writer.expectsValue = true
    writer.write(date, as: DateForm(format))
  }

  /// Writes a member that is a date in `format`, or nothing if `date` is `nil`.
  public mutating func write(_ key: StaticString, ifPresent date: Date?, as format: JSON.DateFormat) {
    if let date { write(key, date, as: format) }
  }
}

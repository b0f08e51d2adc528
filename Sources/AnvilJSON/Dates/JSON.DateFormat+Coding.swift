internal import AnvilText

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// The single table of date formats, used by the coders, the mapping, the direct writer and forms. A new format needs a
// case here and a strategy in both coders.

extension JSON.DateFormat {
  /// The coders' strategy for this format, as written in code.
  package var strategyName: String {
    switch self {
    case .iso8601: ".iso8601"
    case .secondsSince1970: ".secondsSince1970"
    case .millisecondsSince1970: ".millisecondsSince1970"
    }
  }

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
  package var encodingStrategy: JSON.Encoder.DateEncodingStrategy {
    switch self {
    case .iso8601:
      .custom { date, encoder in
        guard let written = WrittenDate(secondsSince2001: date.timeIntervalSinceReferenceDate) else {
          throw EncodingError.unencodable(date, at: encoder.codingPath, "The date is not in the years 0 to 9999.")
        }
        var container = encoder.singleValueContainer()
        try container.encode(written.text)
      }
    case .secondsSince1970: .secondsSince1970
    case .millisecondsSince1970: .millisecondsSince1970
    }
  }
}

extension DecodingSession {
  func date(as format: JSON.DateFormat, at index: Int) throws -> Date {
    switch format {
    case .iso8601:
      // Foundation's parser takes 0.7 µs. It is needed for the many other texts that it accepts as dates.
      if let seconds = document.secondsOfPlainDate(at: index) { return Date(timeIntervalSince1970: seconds) }
      let text = try string(at: index)
      guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
        throw corrupted("Expected a date in ISO 8601, found \(text.shortened(to: 40).quoted).", at: index)
      }
      return date
    case .secondsSince1970: return Date(timeIntervalSince1970: try seconds(at: index))
    case .millisecondsSince1970: return Date(timeIntervalSince1970: try seconds(at: index) / 1000)
    }
  }

  /// Returns the date that `Date` decodes itself, a number of seconds since 2001.
  func deferredDate(at index: Int) throws -> Date { Date(timeIntervalSinceReferenceDate: try seconds(at: index)) }

  /// Returns the number at `index`. Throws for infinities and NaN, which JSON5 contains and a strategy for floating-point values converts
  /// from text, because printing a date that is NaN ends the process.
  private func seconds(at index: Int) throws -> Double {
    let seconds = try double(at: index)
    guard seconds.isFinite else { throw corrupted("Expected a date, found a number that is not finite.", at: index) }
    return seconds
  }
}

/// The form of dates that are read and written without containers, by ``JSON/Reader`` and ``JSON/Writer``: their default form, or a form
/// that a strategy of a coder requires.
@usableFromInline
enum DirectDateForm: UInt8, BitwiseCopyable, Sendable {
  /// A string as in RFC 3339. The default form.
  case own
  /// A number of seconds since 2001.
  case secondsSince2001
  case secondsSince1970
  case millisecondsSince1970
  /// A string such as `2026-02-03T04:05:06Z`. The coders handle other dates in ISO 8601 with containers.
  case wholeSecond

  /// Creates the form of a strategy; `nil` if only the decoder can apply it.
  init?(_ strategy: JSON.Decoder.DateDecodingStrategy) {
    switch strategy {
    case .deferredToDate: self = .secondsSince2001
    case .secondsSince1970: self = .secondsSince1970
    case .millisecondsSince1970: self = .millisecondsSince1970
    case .iso8601: self = .wholeSecond
    case .custom: return nil
    }
  }

  /// The strategy of an encoder that writes dates in this form.
  var encodingStrategy: JSON.Encoder.DateEncodingStrategy {
    switch self {
    case .own: JSON.DateFormat.iso8601.encodingStrategy
    case .secondsSince2001: .deferredToDate
    case .secondsSince1970: .secondsSince1970
    case .millisecondsSince1970: .millisecondsSince1970
    case .wholeSecond: .iso8601
    }
  }

  /// The strategy of a decoder that reads dates in this form.
  var decodingStrategy: JSON.Decoder.DateDecodingStrategy {
    switch self {
    case .own: .custom { try Date.decode(try JSON(from: $0)) }
    case .secondsSince2001: .deferredToDate
    case .secondsSince1970: .secondsSince1970
    case .millisecondsSince1970: .millisecondsSince1970
    case .wholeSecond: .iso8601
    }
  }

  /// Creates the form of a strategy; `nil` if only the encoder can apply it.
  init?(_ strategy: JSON.Encoder.DateEncodingStrategy) {
    switch strategy {
    case .deferredToDate: self = .secondsSince2001
    case .secondsSince1970: self = .secondsSince1970
    case .millisecondsSince1970: self = .millisecondsSince1970
    case .iso8601: self = .wholeSecond
    case .custom: return nil
    }
  }
}

extension JSON.Reader {
  /// Reads the date at the current position, which is in the form `form` of a coder's strategy.
  @inline(never)
  mutating func date(as form: DirectDateForm) throws(JSON.ReadingError) -> Date {
    switch form {
    case .secondsSince2001: return Date(timeIntervalSinceReferenceDate: try double())
    case .secondsSince1970: return Date(timeIntervalSince1970: try double())
    case .millisecondsSince1970: return Date(timeIntervalSince1970: try double() / 1000)
    case .own, .wholeSecond:
      let offset = offset
      let text = try scanString(for: Date.self)
      guard let seconds = DateText.secondsOfPlainDate(in: scanner.bytes, from: text.start, length: text.length) else {
        throw noValue(of: Date.self, at: offset)
      }
      return Date(timeIntervalSince1970: seconds)
    }
  }
}

extension JSON.Writer {
  /// Writes `date` in the form `form` of a coder's strategy.
  @inline(never)
  mutating func write(_ date: Date, as form: DirectDateForm) {
    switch form {
    case .secondsSince2001: date.timeIntervalSinceReferenceDate.write(to: &self)
    case .secondsSince1970: date.timeIntervalSince1970.write(to: &self)
    case .millisecondsSince1970: (1000 * date.timeIntervalSince1970).write(to: &self)
    case .own, .wholeSecond:
      guard let text = WrittenDate(wholeSecondOf: date) else { return failDateOutOfRange() }
      if claim() { output.append(text, .comma) }
    }
  }
}

extension EncodingSession {
  func write(_ date: Date, as format: JSON.DateFormat, at identity: Int) throws {
    switch format {
    case .iso8601:
      try claimScalar()
      // Formatting with Foundation takes 0.7 µs.
      if let date = WrittenDate(wholeSecondOf: date) { return output.append(date) }
      output.append(quoted: date.formatted(Date.ISO8601FormatStyle()), escapingSlashes: escapesSlashes)
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

extension Date {
  /// Writes the date in `format`. Seconds and milliseconds since 1970 are written like a `Double`.
  func write(to writer: inout JSON.Writer, as format: JSON.DateFormat) {
    switch format {
    case .iso8601: write(to: &writer)
    case .secondsSince1970: timeIntervalSince1970.write(to: &writer)
    case .millisecondsSince1970: (timeIntervalSince1970 * 1000).write(to: &writer)
    }
  }
}

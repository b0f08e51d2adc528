public import Foundation

// A `DateFormatter` may be used by several tasks at once: it is `Sendable` on all platforms, as `JSONDecoder`'s own strategy
// needs it to be. Like that one these keep the formatter itself, not a copy: set it up before.

extension JSON.Decoder.DateDecodingStrategy {
  /// A string that `formatter` reads.
  ///
  /// Decoding throws `DecodingError.dataCorrupted` for one that it does not.
  public static func formatted(_ formatter: DateFormatter) -> Self {
    .custom { decoder in
      let container = try decoder.singleValueContainer()
      guard let date = formatter.date(from: try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "Date string does not match format expected by formatter.")
      }
      return date
    }
  }
}

extension JSON.Encoder.DateEncodingStrategy {
  /// A string that `formatter` writes.
  public static func formatted(_ formatter: DateFormatter) -> Self {
    .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(formatter.string(from: date))
    }
  }
}

extension JSON {
  /// A date in the form that a `DateFormatter` has: what ``DateFormat``, which knows no formatter, has no case for.
  public struct FormatterDateFormat: Sendable {
    fileprivate let formatter: DateFormatter

    /// A string that `formatter` reads and writes.
    public static func formatted(_ formatter: DateFormatter) -> FormatterDateFormat {
      FormatterDateFormat(formatter: formatter)
    }
  }
}

extension JSON.DecodingStrategy where Value == Date {
  /// A date as a formatter reads it.
  ///
  ///     born = try json => ("born", .date(.formatted(formatter)))
  ///
  /// The strategy throws ``TypeMismatchError`` for what the formatter does not read.
  public static func date(_ format: JSON.FormatterDateFormat) -> JSON.DecodingStrategy<Date> {
    JSON.DecodingStrategy { json in
      guard let text = json.string, let date = format.formatter.date(from: text) else {
        throw TypeMismatchError(expected: Date.self, in: json)
      }
      return date
    }
  }
}

extension JSON.EncodingStrategy where Value == Date {
  /// A date as a formatter writes it.
  ///
  ///     try json.write(born, at: "born", with: .date(.formatted(formatter)))
  public static func date(_ format: JSON.FormatterDateFormat) -> JSON.EncodingStrategy<Date> {
    JSON.EncodingStrategy { try $1.write(format.formatter.string(from: $0)) }
  }
}

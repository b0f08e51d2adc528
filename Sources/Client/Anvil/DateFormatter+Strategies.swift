public import Foundation

// A `DateFormatter` may be used by several tasks at the same time: it is `Sendable` on all platforms, which `JSONDecoder`'s strategy
// also requires. Like that strategy, these keep the formatter and not a copy: configure it before.

extension JSON.Decoder.DateDecodingStrategy {
  /// Returns a strategy that decodes a date from a string by `formatter`.
  ///
  /// Decoding throws `DecodingError.dataCorrupted` for a string that `formatter` cannot parse.
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
  /// Returns a strategy that encodes a date as a string by `formatter`.
  public static func formatted(_ formatter: DateFormatter) -> Self {
    .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(formatter.string(from: date))
    }
  }
}

extension JSON.DecodingStrategy where Value == Date {
  /// Returns a strategy that decodes a date by a formatter.
  ///
  ///     born = try json => ("born", .date(formatter))
  ///
  /// The strategy throws ``TypeMismatchError`` for a value that the formatter cannot parse.
  public static func date(_ formatter: DateFormatter) -> JSON.DecodingStrategy<Date> {
    JSON.DecodingStrategy { json in
      guard let text = json.string, let date = formatter.date(from: text) else {
        throw TypeMismatchError(expected: Date.self, in: json)
      }
      return date
    }
  }
}

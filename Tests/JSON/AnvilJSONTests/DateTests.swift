import Foundation
import Testing

@testable import AnvilJSON

/// Dates as texts: Foundation's coders and the Gregorian calendar's own regularity are the oracles.
@Suite struct DateTests {
  /// Dates at the ends of years, of calendars and of four-digit years, and dates in between.
  private static let moments: [Double] = {
    var random = RandomSource(seed: 31)
    let edges: [Double] = [
      -62_167_219_200, -62_135_596_800, -12_219_292_800, 0, 951_782_400, 978_307_200, 253_402_300_800,
    ]
    let nearEdges = edges.flatMap { edge in
      [-86_400, -1, -0.5, -1e-3, -1e-7, 0, 1e-7, 1e-3, 0.5, 0.999_999_9, 1, 59, 86_399].map { edge + $0 }
    }
    let others = (0..<500).map { _ in Double(random.below(40_000_000_000)) / 4 - 5_000_000_000 }
    return nearEdges + others + [1e12, -1e12]
  }()

  @Test func secondsAreWrittenAsFoundationDoes() throws {
    let ours = JSON.Encoder()
    let theirs = JSONEncoder()
    ours.dateEncodingStrategy = .iso8601
    theirs.dateEncodingStrategy = .iso8601
    for seconds in Self.moments {
      for date in [Date(timeIntervalSince1970: seconds), Date(timeIntervalSinceReferenceDate: seconds)] {
        #expect(try ours.encode([date]) == theirs.encode([date]), "\(seconds)")
      }
    }
    let closest = Date(timeIntervalSinceReferenceDate: -1e-20)
    #expect(try ours.encode(closest) == theirs.encode(closest))
  }

  @Test func textsAreReadAsFoundationDoes() throws {
    let ours = JSON.Decoder()
    let theirs = JSONDecoder()
    ours.dateDecodingStrategy = .iso8601
    theirs.dateDecodingStrategy = .iso8601
    var texts = [
      "2026-02-03T04:05:06.5Z", "2026-02-03T04:05:60Z", "2026-02-03T04:05:61Z", "2026-02-30T04:05:06Z",
      "2026-02-03T24:05:06Z", "2026-02-03T04:05:06z", "2026-02-03t04:05:06Z", "2026-02-03 04:05:06Z",
      "2026-02-03T04:05:06+01:00", "2026-02-03T04:05:06+0100", "2026-02-03T04:05:06ZX", "2026-02-03T04:05:06",
      "1582-10-15T00:00:00Z", "1582-10-14T23:59:59Z", "1582-10-04T00:00:00Z", "1500-02-29T00:00:00Z",
      "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-13-03T04:05:06Z",
      "2026-00-03T04:05:06Z", "2026-01-00T04:05:06Z", "1900-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "",
      "aaaaaaaaaaTaaaaaaaaa", "éééééééééé",
    ]
    let style = Date.ISO8601FormatStyle()
    texts += Self.moments.filter { abs($0) < 1e12 }.map { style.format(Date(timeIntervalSince1970: $0)) }
    for text in texts {
      let data = Data("\"\(text)\"".utf8)
      // Some texts of RFC 3339 are accepted in addition.
      let expected = DecodingOutcome { try theirs.decode(Date.self, from: data) }
      if text.contains("t") || text.contains(" ") { continue }
      #expect(DecodingOutcome { try ours.decode(Date.self, from: data) } == expected, "\(text)")
    }
    for text in ["20261121200000000000", "[]", "null"] {
      #expect(throws: DecodingError.self) { try ours.decode(Date.self, from: Data(text.utf8)) }
    }
  }

  @Test(arguments: [
    (0, "2001-01-01T00:00:00Z"), (0.25, "2001-01-01T00:00:00.250Z"),
    (0.5000000001, "2001-01-01T00:00:00.500Z"),
    (0.9999999999, "2001-01-01T00:00:01Z"), (0.000000001, "2001-01-01T00:00:00.000000001Z"),
    (0.987654321, "2001-01-01T00:00:00.987654321Z"),
  ])
  func textsHaveTheFewestDigitsThatPreserveTheDate(seconds: Double, text: String) throws {
    #expect(try JSON(encoding: Date(timeIntervalSinceReferenceDate: seconds)).string == text)
  }

  @Test(arguments: [
    "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999999999+00:00",
    "9999-12-31T18:59:59.99999-05:00",
  ]) func theLastDatesOfOtherLanguagesCanBeWritten(text: String) throws {
    let json = "\"\(text)\""
    let date = try JSON.read(Date.self, from: json)
    #expect(date.timeIntervalSince1970 == 253_402_300_800.0.nextDown)
    #expect(try JSON.Decoder().decode(Date.self, from: Data(json.utf8)) == date)
    #expect(try Date.decode(JSON(text)) == date)
    let written = try JSON.write(date)
    #expect(String(decoding: written, as: UTF8.self) == #""9999-12-31T23:59:59.999969Z""#)
    #expect(try JSON.read(Date.self, from: written) == date)
    // A later date is not changed.
    #expect(
      try JSON.read(Date.self, from: #""9999-12-31T23:59:59.5-00:01""#).timeIntervalSince1970 == 253_402_300_859.5)
  }

  /// Seconds that Foundation cannot print as a date, and those that end the process if they are printed.
  static let unprintable = [Double.nan, .signalingNaN, .infinity, -.infinity, 1e300, -1e300, 1e18, -1e18, 1e13]

  /// A type whose description would contain the date, and which encodes nothing.
  struct Silent: Encodable {
    var date: Date
    func encode(to encoder: any Swift.Encoder) {}
  }

  @Test(arguments: unprintable)
  func errorsAboutDatesCanBePrinted(_ seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let encoder = JSON.Encoder()
    encoder.dateEncodingStrategy = JSON.DateFormat.iso8601.encodingStrategy
    let error = #expect(throws: EncodingError.self) { try encoder.encode(["a": [date]]) }
    let text = "\(try #require(error))"
    #expect(text.contains("The date is not in the years 0 to 9999.") && text.contains("a"), "\(text)")
    for value: any Encodable in [[Silent(date: date)], Silent(date: date)] {
      if let error = #expect(
        throws: (any Error).self,
        performing: {
          _ = try encoder.encode(value)
          throw CancellationError()
        })
      {
        #expect("\(error)".isEmpty == false && String(reflecting: error).isEmpty == false)
      }
    }
    #expect("\(try #require(throws: JSON.WritingError.self) { try JSON.write([date]) })".isEmpty == false)
  }

  @Test func numbersThatAreNotFiniteAreNoDates() throws {
    let decoder = JSON.Decoder()
    decoder.allowsJSON5 = true
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    for strategy: JSON.Decoder.DateDecodingStrategy in [.deferredToDate, .secondsSince1970, .millisecondsSince1970] {
      decoder.dateDecodingStrategy = strategy
      for text in ["NaN", "Infinity", "-Infinity", "'nan'", "'inf'", "'-inf'"] {
        let error = #expect(throws: DecodingError.self, "\(text)") {
          try decoder.decode([String: Date].self, from: Data("{a: \(text)}".utf8))
        }
        #expect("\(String(describing: error))".contains("a"), "\(text)")
      }
      #expect(try decoder.decode([Date].self, from: Data("[1e300]".utf8)).count == 1)
    }
    for format: JSON.DateFormat in [.secondsSince1970, .millisecondsSince1970] {
      for text in ["NaN", "Infinity", "-Infinity"] {
        let json = try JSON(parsing: "{a: \(text)}", options: JSON.ParsingOptions(syntax: .json5))
        #expect(throws: TypeMismatchError.self, "\(text)") { try json => ("a", .date(format)) as Date }
      }
    }
  }
}

import AnvilCodable
import AnvilDiagnosis
import Foundation
import Testing

@JSONCodable
private struct Stamp: Equatable { var date: Date }

@JSONCodable
private struct ChosenStamp: Equatable { @CodableBy(.iso8601) var date: Date }

/// A model without macros and without a direct path.
private struct PlainDate: Codable, Equatable { var date: Date }

/// Dates have one form in all ways that have no strategy, and a strategy always takes precedence.
@Suite struct DateAgreementTests {
  private static func decoder(_ strategy: JSON.Decoder.DateDecodingStrategy) -> JSON.Decoder {
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = strategy
    return decoder
  }

  /// All ways to read a date as text, which accept the same texts.
  private static let readers: [(name: String, read: @Sendable (String) throws -> Date)] = [
    ("JSON.read", { try JSON.read(Date.self, from: $0) }),
    ("JSON.read of a model", { try JSON.read(Stamp.self, from: #"{"date": \#($0)}"#).date }),
    ("=>", { try JSON(parsing: "[\($0)]") => 0 }),
    ("=> of a plain model", { try (JSON(parsing: #"[{"date": \#($0)}]"#) => 0 as Mapped).plain.date }),
    (".date(.iso8601)", { try JSON(parsing: "[\($0)]") => (0, .date(.iso8601)) }),
    ("@CodableBy(.iso8601)", { try JSON.read(ChosenStamp.self, from: #"{"date": \#($0)}"#).date }),
    (
      "@CodableBy(.iso8601), containers",
      { try JSON.Decoder().withoutDirectPath.decode(ChosenStamp.self, from: #"{"date": \#($0)}"#).date }
    ),
    ("JSON.Decoder", { try JSON.Decoder().decode([Date].self, from: "[\($0)]")[0] }),
    ("JSON.Decoder of a model", { try JSON.Decoder().decode(Stamp.self, from: #"{"date": \#($0)}"#).date }),
    ("JSON.Decoder of a plain model", { try JSON.Decoder().decode(PlainDate.self, from: #"{"date": \#($0)}"#).date }),
    (".iso8601", { try decoder(.iso8601).decode([Date].self, from: "[\($0)]")[0] }),
    (".iso8601 of a model", { try decoder(.iso8601).decode(Stamp.self, from: #"{"date": \#($0)}"#).date }),
    (".rfc3339", { try decoder(.rfc3339).decode([Date].self, from: "[\($0)]")[0] }),
    (".rfc3339 of a model", { try decoder(.rfc3339).decode(Stamp.self, from: #"{"date": \#($0)}"#).date }),
  ]

  private struct Mapped: JSONDecodable {
    var plain: PlainDate
    static func decode(_ json: JSON) throws -> Mapped {
      Mapped(plain: try JSON.Decoder.rfc3339().decode(PlainDate.self, from: json))
    }
  }

  static let texts = [
    "2026-02-03T04:05:06Z", "2026-02-03T04:05:06.5Z", "2026-02-03T04:05:06,5Z", "2026-02-03T04:05:06.789Z",
    "2026-02-03T04:05:06.123456789Z", "2026-02-03T04:05:06.1234567890123456789Z", "2026-02-03T04:05:60Z",
    "2026-02-03T04:05:06z", "2026-02-03t04:05:06Z", "2026-02-03 04:05:06Z", "2026-02-03T04:05:06+01:00",
    "2026-02-03T04:05:06+0100", "2026-02-03T04:05:06+01", "2026-02-03T04:05:06-01", "2026-02-03T04:05:06.25-0130",
    "2026-02-03T04:05:06-00:00", "2026-02-03T04:05:06 Z", "2026-02-03T04:05:06 +01:00", "2026-02-03T04:05:06",
    "2026-02-03T04:05Z", "2026-02-03", "20260203T040506Z", "2026-W06-2T04:05:06Z", "2026-034T04:05:06Z",
    "+2026-02-03T04:05:06Z", "1582-10-15T00:00:00Z", "1582-10-10T00:00:00Z", "0000-01-01T00:00:00Z",
    "2026-13-03T04:05:06Z", "2026-02-03T04:05:06.Z", "2026-02-03T04:05:06+25:00", "2026-02-03T04:05:06EST", "", "x",
    "\\u0032026-02-03T04:05:06Z",
  ]

  /// Texts that are not dates, but that Foundation reads as one.
  static let oddities = [
    "2026-02-30T04:05:06Z", "2026-02-03T24:00:00Z", "2026-02-03T04:05:61Z", "2026-02-03T04:60:06Z",
    "2026-2-3T4:5:6Z", "12026-02-03T04:05:06Z", "2026-02-03T04:05:06GMT", "2026-02-03T04:05:06+1:00",
    "2026-02-03T04:05:06+01:02:03", "2026-02-03T04:05:06Zx", "1500-02-29T00:00:00Z",
  ]

  @Test(arguments: oddities) func onlyFoundationsStrategyReadsOddities(text: String) throws {
    for reader in Self.readers {
      let isFoundations = reader.name.hasPrefix(".iso8601")
      #expect(((try? reader.read("\"\(text)\"")) != nil) == isFoundations, "\(reader.name) of \(text)")
    }
    let theirs = JSONDecoder()
    theirs.dateDecodingStrategy = .iso8601
    let expected = try theirs.decode([Date].self, from: Data("[\"\(text)\"]".utf8))
    #expect(try Self.decoder(.iso8601).decode([Date].self, from: "[\"\(text)\"]") == expected)
  }

  @Test(arguments: texts) func allWaysAcceptTheSameTexts(text: String) throws {
    let results = Self.readers.map { reader in (reader.name, try? reader.read("\"\(text)\"")) }
    let first = results[0].1
    for (name, date) in results {
      #expect((date == nil) == (first == nil), "\(name) and \(results[0].0) of \(text)")
      // Before 15 October 1582, `.iso8601` is Julian as in Foundation. A `Date` has about 0.1 µs.
      guard let date, let first, !name.hasPrefix(".iso8601") || !text.hasPrefix("1") && !text.hasPrefix("0") else {
        continue
      }
      #expect(abs(date.timeIntervalSince(first)) < 3e-7, "\(name) of \(text)")
    }
    // All that Foundation accepts is read as the same date.
    let theirs = JSONDecoder()
    theirs.dateDecodingStrategy = .iso8601
    guard let expected = try? theirs.decode([Date].self, from: Data("[\"\(text)\"]".utf8)) else { return }
    #expect(try Self.decoder(.iso8601).decode([Date].self, from: "[\"\(text)\"]") == expected)
  }

  @Test func strategiesPrecedeTheDefault() throws {
    let number = "[0.5]"
    let text = #"["2026-02-03T04:05:06Z"]"#
    #expect(try JSON.Decoder().decode([Date].self, from: number) == [Date(timeIntervalSinceReferenceDate: 0.5)])
    #expect(
      try Self.decoder(.deferredToDate).decode([Date].self, from: number)
        == [Date(timeIntervalSinceReferenceDate: 0.5)])
    #expect(throws: DecodingError.self) { try Self.decoder(.deferredToDate).decode([Date].self, from: text) }
    #expect(throws: DecodingError.self) {
      try Self.decoder(.deferredToDate).decode(Stamp.self, from: #"{"date": "2026-02-03T04:05:06Z"}"#)
    }
    for strategy: JSON.Decoder.DateDecodingStrategy in [.iso8601, .rfc3339] {
      #expect(throws: DecodingError.self) { try Self.decoder(strategy).decode([Date].self, from: number) }
    }
    #expect(throws: DecodingError.self) { try Self.decoder(.secondsSince1970).decode([Date].self, from: text) }
    #expect(throws: JSON.ReadingError.self) { try JSON.read([Date].self, from: number) }
  }

  /// A copy keeps the state without a strategy.
  @Test func copiesOfADecoderReadTheSameDates() throws {
    let text = #"["2026-02-03T04:05:06Z", 0]"#
    let dates = try JSON.Decoder().decode([Date].self, from: text)
    let (copy, report) = try JSON.Decoder().decodeReporting([Date].self, from: Data(text.utf8))
    #expect(copy == dates && report.isEmpty)
    #expect(try JSON.Decoder().decodeAll([Date].self, from: Data(text.utf8)) == dates)
  }

  @Test func datesAreReadAsTheyWereWritten() throws {
    let now = Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7)
    for offset in 0..<200 {
      let date = now.addingTimeInterval(Double(offset) * 1.234_567_8)
      #expect(try JSON.read([Date].self, from: JSON.write([date])) == [date])
      let encoder = JSON.Encoder()
      encoder.dateEncodingStrategy = .rfc3339
      #expect(try encoder.encode([date]) == JSON.write([date]))
      #expect(try encoder.encode(Stamp(date: date)) == JSON.write(Stamp(date: date)))
      #expect(try encoder.withoutDirectPath.encode(Stamp(date: date)) == JSON.write(Stamp(date: date)))
      #expect(try JSON.Decoder().decode([Date].self, from: encoder.encode([date])) == [date])
      #expect(try JSON.Decoder().decode([Date].self, from: JSON.Encoder().encode([date])) == [date])
      let milliseconds = Date(timeIntervalSince1970: 1_770_091_506 + Double(offset) / 1000)
      #expect(try JSON.read([Date].self, from: JSON.write([milliseconds])) == [milliseconds])
      #expect(try JSON.write([milliseconds]).count <= 28)
      // Near the beginning of 2001, a date has more digits than three or six of the seconds since 1970.
      for seconds in [
        Double(offset) / 10, 86_400 + Double(offset) / 1000, 3_000_000.3, 1e7 + 0.1,
      ] {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(try JSON.read([Date].self, from: JSON.write([date])) == [date], "\(seconds)")
      }
    }
  }

  @Test(arguments: [
    ("2020-01-01", JSON.Day(year: 2020, month: 1, day: 1)), ("0000-02-29", JSON.Day(year: 0, month: 2, day: 29)),
    ("9999-12-31", JSON.Day(year: 9999, month: 12, day: 31)), ("2023-02-29", nil), ("2020-13-01", nil),
    ("2020-1-1", nil), ("2020-01-01T00:00:00Z", nil), ("", nil), ("+020-01-01", nil), ("２０２０-01-01", nil),
  ])
  func daysAreTexts(text: String, day: JSON.Day?) throws {
    #expect(JSON.Day(text) == day)
    guard let day else {
      #expect(throws: (any Error).self) { try JSON.read(JSON.Day.self, from: "\"\(text)\"") }
      #expect(throws: DecodingError.self) { try JSON.Decoder().decode([JSON.Day].self, from: "[\"\(text)\"]") }
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([JSON.Day].self, from: Data("[\"\(text)\"]".utf8))
      }
      #expect(throws: TypeMismatchError.self) { try JSON.Day.decode(JSON(text)) }
      return
    }
    expectAgreement(#"{"day": "\#(text)"}"#, DayHolder(day: day))
    #expect(day.description == text && JSON.Day(of: day.start()) == day)
    #expect(JSON.Day(of: day.start(secondsFromUTC: 7200), secondsFromUTC: 7200) == day)
    #expect(JSON.Day(of: day.start().addingTimeInterval(86_399)) == day)
  }

  @Test func daysAreOrdered() throws {
    let days = ["2020-01-31", "2019-12-31", "2020-02-01"].compactMap { JSON.Day($0) }
    #expect(days.sorted().map(\.description) == ["2019-12-31", "2020-01-31", "2020-02-01"])
    #expect(
      JSON.Day(of: Date(timeIntervalSince1970: 1e300)) == nil && JSON.Day(of: Date(timeIntervalSince1970: .nan)) == nil)
  }
}

@JSONCodable
private struct DayHolder: Equatable { var day: JSON.Day }

import Anvil
import AnvilTestSupport
import Foundation
import Testing

/// The table of a date in every way to read and write it, which the guide shows.
@Suite struct DateSamples {
  private struct Way: Sendable {
    let name: String
    let write: @Sendable (Date) throws -> String
    /// Returns whether text and numbers are read.
    let read: @Sendable (String) throws -> Date
  }

  struct Stamp: Codable { var at: Date }

  @JSONCodable
  struct ChosenStamp { @CodableBy(.iso8601) var at: Date }

  private static let date = Date(timeIntervalSince1970: 1_770_091_506.25)

  private static func value(_ data: Data) throws -> String {
    try JSON(parsing: data)["at"]?.serializedText() ?? ""
  }

  private static func coders(
    _ name: String, _ encoding: JSON.Encoder.DateEncodingStrategy?, _ decoding: JSON.Decoder.DateDecodingStrategy?
  ) -> Way {
    let (encoder, decoder) = (JSON.Encoder(), JSON.Decoder())
    if let encoding { encoder.dateEncodingStrategy = encoding }
    if let decoding { decoder.dateDecodingStrategy = decoding }
    return Way(
      name: name, write: { try value(encoder.encode(Stamp(at: $0))) },
      read: { try decoder.decode(Stamp.self, from: #"{"at": \#($0)}"#).at })
  }

  private static var ways: [Way] {
    [
      Way(
        name: "`JSON.write`, `JSON.read`", write: { String(decoding: try JSON.write($0), as: UTF8.self) },
        read: { try JSON.read(Date.self, from: $0) }),
      Way(
        name: "`JSON(encoding:)`, `=>`", write: { try JSON(encoding: Stamp(at: $0))["at"]?.serializedText() ?? "" },
        read: { try JSON(parsing: #"{"at": \#($0)}"#) => "at" }),
      Way(
        name: "`@CodableBy(.iso8601)`", write: { try value(JSON.write(ChosenStamp(at: $0))) },
        read: { try JSON.read(ChosenStamp.self, from: #"{"at": \#($0)}"#).at }),
      Way(
        name: "bodies: `body.encode`, `body.decode`",
        write: {
          var body = HTTP.Body.empty
          try body.encode(Stamp(at: $0))
          return try value(body.data ?? Data())
        },
        read: { try HTTP.Body(Data(#"{"at": \#($0)}"#.utf8)).decode(as: Stamp.self).at }),
      Way(
        name: "forms, `HTTP.Query(encoding:)`",
        write: { "\"\(try HTTP.Query(encoding: Stamp(at: $0))["at"] ?? "")\"" },
        read: { text in
          let encoded = text.filter { $0 != "\"" }.replacing("+", with: "%2B")
          return try URLForm.Decoder().decode(Stamp.self, from: Data("at=\(encoded)".utf8)).at
        }),
      Way(
        name: "a query: `[\"since\": date]`",
        write: {
          let query: HTTP.Query = ["since": $0]
          return "\"\(query["since"] ?? "")\""
        }, read: { _ in throw CocoaError(.featureUnsupported) }),
      coders("a bare `JSON.Encoder()`, `JSON.Decoder()`", nil, nil),
      Way(
        name: "a bare `JSON.Encoder()`, `decodeAll`", write: { try value(JSON.Encoder().encode(Stamp(at: $0))) },
        read: { try JSON.Decoder().decodeAll(Stamp.self, from: Data(#"{"at": \#($0)}"#.utf8)).at }),
      coders("coders with `.deferredToDate`", .deferredToDate, .deferredToDate),
      coders("coders with `.rfc3339`", .rfc3339, .rfc3339),
      coders("coders with `.iso8601`", .iso8601, .iso8601),
      coders("coders with `.secondsSince1970`", .secondsSince1970, .secondsSince1970),
      coders("coders with `.millisecondsSince1970`", .millisecondsSince1970, .millisecondsSince1970),
      Way(
        name: "Foundation's bare coders", write: { try value(JSONEncoder().encode(Stamp(at: $0))) },
        read: { try JSONDecoder().decode(Stamp.self, from: Data(#"{"at": \#($0)}"#.utf8)).at }),
    ]
  }

  private static func reading(_ way: Way) -> String {
    let isText = (try? way.read(#""2026-02-03T05:05:06.25+01:00""#)) == date
    let number: String? =
      switch try? way.read("791784306.25") {
      case Date(timeIntervalSinceReferenceDate: 791_784_306.25)?: "seconds since 2001"
      case Date(timeIntervalSince1970: 791_784_306.25)?: "seconds since 1970"
      case Date(timeIntervalSince1970: 791_784.306_25)?: "milliseconds since 1970"
      default: nil
      }
    let forms = [isText ? "text" : nil, number].compactMap(\.self)
    return forms.isEmpty ? "–" : forms.joined(separator: ", ")
  }

  @Test func theGuideHasTheTableOfAllWays() throws {
    let rows = try Self.ways.map { way in
      "| \(way.name) | `\(try way.write(Self.date))` | \(Self.reading(way)) |"
    }
    let guide = try Checkout.guide("JSONGuide")
    let table = (["| way | writes | reads |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
    #expect(guide.contains(table + "\n\n"), "\(table)")
  }

  @Test func codersDifferFromBodies() throws {
    let event = Stamp(at: Self.date)
    var body = HTTP.Body.empty
    // sample: coder
    try body.encode(event)  // {"at":"2026-02-03T04:05:06.250Z"}
    try body.encode(event, with: JSON.Encoder())  // {"at":791784306.25}, as Foundation
    let encoder = JSON.Encoder()
    encoder.dateEncodingStrategy = .rfc3339
    try body.encode(event, with: encoder)  // {"at":"2026-02-03T04:05:06.250Z"}
    // end sample
    #expect(try Self.value(body.data ?? Data()) == #""2026-02-03T04:05:06.250Z""#)
    try body.encode(event, with: JSON.Encoder())
    #expect(try Self.value(body.data ?? Data()) == "791784306.25")
  }

  @Test func daysAreNoPointsInTime() throws {
    // sample: day
    let day = try JSON(parsing: #"{"born": "1815-12-10"}"#) => "born" as JSON.Day
    let date = day.start()  // the beginning of the day in UTC
    // end sample
    #expect(day.description == "1815-12-10" && JSON.Day(of: date) == day)
  }
}

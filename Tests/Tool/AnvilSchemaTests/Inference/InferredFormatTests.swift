import AnvilDiagnosis
import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilSchema

/// Texts of which some have a format.
enum StringFormatSamples {
  private static let dates = ["2020-01-01", "2020-13-01", "0000-01-01", "2016-12-31", "20200101"].flatMap { day in
    [
      "T00:00:00", "t00:00:00", " 00:00:00", "T23:59:60", "T00:00:00.5", "T00:00:00,5", "T00:00:00.123456789",
      "T24:00:00", "T00:00",
    ]
    .flatMap { time in
      ["Z", "z", "+0000", "+00:00", "-08:00", "+01", "", "+23:59", "+24:00", "-00:00"].map { day + time + $0 }
    }
  }
  private static let urls = ["http", "HTTPS", "a+b", "x"].flatMap { scheme in
    [
      "a.example", "", "a.example/100%", "a.example/%zz", "a.example/a[b]", "a.example/?q[]=1", "a.example/#a#b",
      "a.example:x/",
      "a.example:99999/", "user:p@a.example/", "[::1]/", "[::g]/", "a.example/a b", "a.example/a|b", "a.example/ü",
      "ü.example/",
      "a.example/..;/", "%41.example/", "a_b.example/", "/a.example", "a.example\\b", "a.example/{x}", "a.example/'",
      "A.EXAMPLE/", "a..b/", "-/",
    ].map { "\(scheme)://\($0)" }
  }
  private static let others = [
    "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "6ba7b8109dad11d180b400c04fd430c8",
    "{6ba7b810-9dad-11d1-80b4-00c04fd430c8}", "6ba7b810-9dad-11d1-80b4-00c04fd430cg", "", " ", "a", "1", "-1", "1.5",
    "1e3", "007", "+1", "NaN",
    "2020-02-29", "2021-02-29", "0000-01-01", "9999-12-31", "10000-01-01", "2020-1-1", "mailto:a@b.example", "urn:a:b",
    "12:00:00Z", "1e400",
  ]

  static let all = dates + urls + others
}

/// What a sample has taught accepts the sample.
struct InferredFormatTests {
  private static let documents =
    StringFormatSamples.all.map { JSON($0) }
    + (DecodingTests.documents.flatMap(\.samples).compactMap { try? JSON(parsing: $0) })

  @Test func savedShapesAcceptTheirSamples() throws {
    for document in Self.documents where !document.hasRepeatedKeys {
      let schema = SavedShape(Shape(of: document)).schema(comment: "")
      let findings = try JSONSchema(compiling: schema).check(document)
      #expect(
        findings.isMatch,
        "\(document.description.prefix(200)): \(findings.faults.first.map { "\($0.expected ?? "")" } ?? "")")
    }
  }

  @Test func samplesAcceptThemselves() {
    for document in Self.documents {
      let findings = SampleCheck(samples: [document]).check(document)
      #expect(findings.isMatch, "\(document.description.prefix(200))")
    }
  }

  /// Files of public APIs, if they are available.
  @Test(.enabled(if: Corpora.folder != nil, "no documents beside the package"))
  func publicSamplesAreAccepted() throws {
    for name in Corpora.documents {
      let document = try JSON(parsing: Corpora.document(name))
      let schema = SavedShape(Shape(of: document)).schema(comment: "")
      let limits = CheckLimits(work: 1_000_000_000)
      #expect(try JSONSchema(compiling: schema).check(document, limits: limits).isMatch, "\(name)")
      #expect(SampleCheck(samples: [document]).check(document, limits: limits).isMatch, "\(name)")
    }
  }

  /// A type is only inferred if reading and writing keeps the text, apart from the case of UUIDs and equivalent forms of dates.
  @Test func inferredTypesKeepTheirTexts() throws {
    var counts = (dates: 0, urls: 0, uuids: 0, numbers: 0)
    for text in StringFormatSamples.all {
      let json = JSON(text)
      let formats = Shape(of: json).strings.formats
      let data = json.serializedData()
      if formats.contains(.url) {
        counts.urls += 1
        #expect(try URL.decode(json).absoluteString == text)
        #expect(try JSON.Decoder().decode(URL.self, from: data).absoluteString == text)
        #expect(try JSONDecoder().decode(URL.self, from: data).absoluteString == text)
      }
      if formats.contains(.uuid) {
        counts.uuids += 1
        #expect(try UUID.decode(json).uuidString.lowercased() == text.lowercased())
      }
      if formats.contains(.date) {
        counts.dates += 1
        let date = try Date.decode(json)
        for decoder in [JSONDecoder()] {
          decoder.dateDecodingStrategy = .iso8601
          #expect(abs(try decoder.decode(Date.self, from: data).timeIntervalSince(date)) < 1, "\(text)")
        }
        let written = try JSON(encoding: date)
        #expect(abs(try Date.decode(written).timeIntervalSince(date)) < 0.001, "\(text)")
      }
      if formats.contains(.number) {
        counts.numbers += 1
        #expect(Double(text)?.isFinite == true)
      }
    }
    #expect(counts.dates > 20 && counts.urls > 10 && counts.uuids == 2 && counts.numbers > 3)
  }
}

extension JSON {
  /// True if an object in the document repeats a key. A schema then applies to all of its values, and a shape to the first.
  fileprivate var hasRepeatedKeys: Bool {
    switch kind {
    case .object: Set(keys).count != count || members.contains { $0.value.hasRepeatedKeys }
    case .array: elements.contains(where: \.hasRepeatedKeys)
    default: false
    }
  }
}

import AnvilJSON
import Foundation
import Testing

/// Texts that `JSON.Decoder` accepts and Foundation's decoder rejects, in addition to those of ``KnownDifference``.
@Suite struct FoundationDifferenceTests {
  private func expectOnlyOurs<T: Decodable & Equatable>(
    _ expected: T, _ data: Data, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect((try? JSON.Decoder().decode(T.self, from: data)) == expected, sourceLocation: sourceLocation)
    #expect((try? JSONDecoder().decode(T.self, from: data)) == nil, sourceLocation: sourceLocation)
  }

  @Test func integersWithAFractionOfZerosNeedNoDouble() {
    expectOnlyOurs([UInt64.max], Data("[18446744073709551615.0]".utf8))
    expectOnlyOurs([Int64.max], Data("[9223372036854775807.0]".utf8))
  }

  @Test func numbersTooSmallForAFloatAreZero() {
    expectOnlyOurs([Float(0)], Data("[1e-46]".utf8))
    expectOnlyOurs([-Float.zero], Data("[-1e-320]".utf8))
    expectOnlyOurs([Double(0)], Data("[1e-400]".utf8))
  }

  @Test func zeroMayHaveAnExponent() {
    expectOnlyOurs([Double(0)], Data("[0e5]".utf8))
  }

  @Test func markOfUTF32LittleEndianIsKnown() {
    var text: [UInt8] = [0xFF, 0xFE, 0, 0]
    for character in "[1]".utf8 { text += [character, 0, 0, 0] }
    expectOnlyOurs([1], Data(text))
  }

  @Test func datesInStringsNeedNoStrategy() {
    expectOnlyOurs([Date(timeIntervalSince1970: 1.25)], Data(#"["1970-01-01T00:00:01.25Z"]"#.utf8))
  }

  @Test(arguments: ["1970-01-01T00:00:01,25Z", "1970-01-01t00:00:01.25Z", "1970-01-01 01:00:01.25+01:00"])
  func moreDatesAreISO8601(text: String) {
    let (ours, theirs) = (JSON.Decoder(), JSONDecoder())
    ours.dateDecodingStrategy = .iso8601
    theirs.dateDecodingStrategy = .iso8601
    let data = Data("[\"\(text)\"]".utf8)
    #expect((try? ours.decode([Date].self, from: data)) == [Date(timeIntervalSince1970: 1.25)])
    #expect((try? theirs.decode([Date].self, from: data)) == nil)
  }

  /// Keys that are equal as strings. ``KeySpellingTests`` test ours.
  @Test func accentsAreComparedByScalars() {
    expectOnlyOurs(2, Data("{\"e\u{301}\": 1, \"\u{E9}\": 1}".utf8), of: Keys.self)
  }

  private struct Keys: Decodable {
    let count: Int

    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws { count = try decoder.container(keyedBy: Key.self).allKeys.count }
  }

  private func expectOnlyOurs(_ expected: Int, _ data: Data, of type: Keys.Type) {
    #expect((try? JSON.Decoder().decode(type, from: data))?.count == expected)
    #expect((try? JSONDecoder().decode(type, from: data))?.count != expected)
  }
}

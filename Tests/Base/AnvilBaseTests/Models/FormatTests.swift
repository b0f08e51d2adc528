import AnvilBase
import Foundation
import Testing

/// Foundation's coders as formats. The root decoder is kept and used later.
@Suite struct FormatTests {
  struct Event: Codable, Equatable {
    var name: String
    var at: Date
    var link: URL
  }

  static let event = Event(
    name: "launch", at: Date(timeIntervalSince1970: 1_577_934_245), link: URL(filePath: "/docs"))

  @Test func jsonDecodesThroughTheRootDecoderWithItsStrategies() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let json = #"{"name": "launch", "at": "2020-01-02T03:04:05Z", "link": "file:///docs"}"#

    let root = (decoder as any DecodingFormat).decoder(for: Data(json.utf8))

    #expect(try root.singleValueContainer().decode(Event.self) == Self.event)
  }

  @Test func strategiesApplyToTheRootValue() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let root = decoder.decoder(for: Data("1577934245".utf8))
    #expect(try root.singleValueContainer().decode(Date.self) == Self.event.at)
  }

  @Test func decodersCanBeUsedAfterTheirInputIsReleased() throws {
    func keep() -> any Decoder {
      let json = #"{"values": [\#((0..<1000).map(String.init).joined(separator: ","))]}"#
      return JSONDecoder().decoder(for: Data(json.utf8))
    }
    let decoder = keep()
    let decoded = try decoder.singleValueContainer().decode([String: [Int]].self)
    #expect(decoded["values"] == Array(0..<1000))
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func propertyListsDecodeThroughTheRootDecoder(format: PropertyListSerialization.PropertyListFormat) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    let data = try encoder.encode(Self.event)
    let root = PropertyListDecoder().decoder(for: data)
    #expect(try root.singleValueContainer().decode(Event.self) == Self.event)
  }

  @Test func brokenInputFailsWhenTheDecoderIsUsed() {
    let root = JSONDecoder().decoder(for: Data("{".utf8))
    #expect(throws: DecodingError.self) { try root.singleValueContainer() }
    #expect(throws: DecodingError.self) { try root.unkeyedContainer() }
    #expect(throws: DecodingError.self) { try Event(from: root) }
  }

  @Test func nullRootIsNil() throws {
    let root = JSONDecoder().decoder(for: Data("null".utf8))
    #expect(try root.singleValueContainer().decode(Event?.self) == nil)
  }

  /// A custom format needs one function.
  @Test func customFormatsNeedOnlyTheDecoderFunction() throws {
    struct Wrapped: DecodingFormat {
      func decoder(for data: Data) -> any Decoder {
        JSONDecoder().decoder(for: data.dropFirst(2))
      }
    }
    #expect(try Wrapped().decode([Int].self, from: Data(")]}[1, 2]".utf8).dropFirst()) == [1, 2])
  }

  @Test func formatsNameTheirMediaType() {
    #expect((JSONEncoder() as any EncodingFormat).mediaType == "application/json")
    #expect((PropertyListEncoder() as any EncodingFormat).mediaType == "application/x-plist")
  }
}

import AnvilBase
import AnvilJSON
import Foundation
import Testing

/// The engine's coders as formats.
@Suite struct JSONFormatTests {
  struct Event: Codable, Equatable {
    var name: String
    var at: Date
    var link: URL
  }

  static let event = Event(
    name: "launch", at: Date(timeIntervalSince1970: 1_577_934_245), link: URL(filePath: "/docs"))

  @Test func anvilsDecoderIsAFormat() throws {
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .iso8601
    let json = #"{"name": "launch", "at": "2020-01-02T03:04:05Z", "link": "file:///docs"}"#
    let root = decoder.decoder(for: Data(json.utf8))
    #expect(try root.singleValueContainer().decode(Event.self) == Self.event)
    #expect(try (decoder as any DecodingFormat).decode(Event.self, from: Data(json.utf8)) == Self.event)
    #expect(throws: DecodingError.self) { try decoder.decoder(for: Data("{".utf8)).singleValueContainer() }
  }

  @Test func anvilsEncoderIsAFormat() throws {
    let encoder = JSON.Encoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    let data = try (encoder as any EncodingFormat).encode(Self.event)
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"{"at":"2020-01-02T03:04:05Z","link":"file:\/\/\/docs","name":"launch"}"#)
    #expect((encoder as any EncodingFormat).mediaType == "application/json")
  }
}

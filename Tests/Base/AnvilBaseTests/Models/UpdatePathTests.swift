import AnvilBase
import AnvilJSON
import Foundation
import Testing

/// The coding paths of the default `update(from:)`, and how often it requests its decoder's path.
@Suite struct UpdatePathTests {
  /// A value that records the paths at which it was encoded and decoded.
  struct Traced: Codable, DecoderUpdatable {
    var encodedAt = "-"
    var decodedAt = "-"
    enum CodingKeys: CodingKey { case encodedAt }

    init() {}

    init(from decoder: any Decoder) throws {
      encodedAt = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .encodedAt)
      decodedAt = joined(decoder.codingPath)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(joined(encoder.codingPath), forKey: .encodedAt)
    }
  }

  /// Codes its parts in every kind of nested container.
  struct Nest<Part: Codable & DecoderUpdatable>: Codable, DecoderUpdatable {
    var spoken: Part
    var kept: Part
    var items: [Part]
    enum CodingKeys: CodingKey { case spoken, kept, items }

    init(_ part: Part) {
      (spoken, kept, items) = (part, part, [part, part])
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      spoken = try Part(from: container.superDecoder(forKey: .spoken))
      kept = try Part(from: container.superDecoder(forKey: .kept))
      var elements = try container.nestedUnkeyedContainer(forKey: .items)
      items = []
      while !elements.isAtEnd { items.append(try Part(from: elements.superDecoder())) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try spoken.encode(to: container.superEncoder(forKey: .spoken))
      try kept.encode(to: container.superEncoder(forKey: .kept))
      var elements = container.nestedUnkeyedContainer(forKey: .items)
      for item in items { try item.encode(to: elements.superEncoder()) }
    }
  }

  @Test(arguments: SampleFormat.allCases)
  func pathsOfOldAndNewValuesStartAtTheRoot(format: SampleFormat) throws {
    let data = try format.data(#"["passed over", {"spoken": {}}]"#)
    var elements = try format.format.decoder(for: data).unkeyedContainer()
    _ = try elements.decode(String.self)
    let updated = try elements.update(Nest(Traced()))
    for (part, place) in [(updated.spoken, "1.spoken"), (updated.kept, "1.kept")] {
      #expect(part.encodedAt == place)
      #expect(part.decodedAt == place)
    }
    #expect(updated.items.map(\.encodedAt) == ["1.items.0", "1.items.1"])
    #expect(updated.items.map(\.decodedAt) == ["1.items.0", "1.items.1"])
  }

  struct Point: Codable, Equatable, DecoderUpdatable {
    var x = 1
    var y = 2
  }

  struct Drawing: Codable, DecoderUpdatable {
    var center = Point()
    var nest = Nest(Point())
    var title = "plan"
  }

  /// A decoder may need time to compute its path, for example to count the elements before one in a list.
  @Test func successfulUpdatesDoNotRequestThePath() throws {
    let data = Data(#"{"center": {"y": 5}, "nest": {"spoken": {"x": 7}}}"#.utf8)
    let log = PathLog()
    var drawing = Drawing()
    try drawing.update(from: LoggingDecoder(base: JSON.Decoder().decoder(for: data), log: log))
    #expect(drawing.center == Point(x: 1, y: 5))
    #expect(drawing.nest.spoken == Point(x: 7, y: 2))
    #expect(drawing.nest.items == [Point(), Point()])
    #expect(log.decoders == 3)
    #expect(log.paths == 0)
  }
}

private func joined(_ path: [any CodingKey]) -> String {
  path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
}

/// The numbers of requests to the decoders and containers of a ``LoggingDecoder``.
private final class PathLog {
  /// The nested decoders.
  var decoders = 0
  /// The coding paths, of decoders and keyed containers.
  var paths = 0
}

/// A wrapper of another decoder that counts requests for its coding path.
private struct LoggingDecoder: Decoder {
  let base: any Decoder
  let log: PathLog

  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }
  var codingPath: [any CodingKey] {
    log.paths += 1
    return base.codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(LoggingContainer(base: try base.container(keyedBy: type), log: log))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { try base.singleValueContainer() }
}

private struct LoggingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let log: PathLog

  var allKeys: [Key] { base.allKeys }
  var codingPath: [any CodingKey] {
    log.paths += 1
    return base.codingPath
  }

  func contains(_ key: Key) -> Bool { base.contains(key) }
  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try base.decode(type, forKey: key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(
      LoggingContainer<Nested>(base: try base.nestedContainer(keyedBy: type, forKey: key), log: log))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try base.nestedUnkeyedContainer(forKey: key)
  }

  func superDecoder() throws -> any Decoder { logging(try base.superDecoder()) }
  func superDecoder(forKey key: Key) throws -> any Decoder { logging(try base.superDecoder(forKey: key)) }

  private func logging(_ decoder: any Decoder) -> LoggingDecoder {
    log.decoders += 1
    return LoggingDecoder(base: decoder, log: log)
  }
}

import Foundation
import Testing

@testable import AnvilJSON

/// Keys that are equal as Swift strings but have different scalars, such as `é` in one scalar and in two. They are
/// different keys, for any number of members and any key conversion. Source: RFC 8259 §8.3.
@Suite struct KeySpellingTests {
  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct Members: Decodable {
    var keys: [[UInt8]]
    var values: [Int]

    init(from decoder: any Swift.Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      keys = container.allKeys.map { Array($0.stringValue.utf8) }
      // In reverse order, so that no key is found only because it is the next one.
      values = try container.allKeys.reversed().map { try container.decode(Int.self, forKey: $0) }.reversed()
    }
  }

  private static let spellings = ["\u{E9}", "e\u{301}", "\u{1E69}", "s\u{323}\u{307}", "s\u{307}\u{323}"]

  private static let strategies: [JSON.Decoder.KeyDecodingStrategy] = [
    .useDefaultKeys, .convertFromSnakeCase, .custom { $0[$0.count - 1] },
  ]

  private func text(_ keys: [String]) -> Data {
    Data(("{" + keys.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}").utf8)
  }

  @Test(arguments: strategies.indices, [0, 20, 300])
  func equivalentUnicodeSpellingsAreDifferentKeys(strategy: Int, others: Int) throws {
    let keys = Self.spellings + (0..<others).map { "k\($0)" }
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = Self.strategies[strategy]
    let members = try decoder.decode(Members.self, from: text(keys))
    #expect(members.keys == keys.map { Array($0.utf8) })
    #expect(members.values == Array(keys.indices))
    let collected = try decoder.decodeCollecting(Members.self, from: JSON(parsing: text(keys)))
    #expect(collected.keys == members.keys)
    #expect(collected.values == members.values)
  }

  @Test(arguments: [0, 300])
  func convertedUnicodeSpellingsAreDifferentKeys(others: Int) throws {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let keys = Self.spellings.map { "x_\($0)" } + (0..<others).map { "k\($0)" }
    let members = try decoder.decode(Members.self, from: text(keys))
    #expect(members.keys.prefix(2).map { String(decoding: $0, as: UTF8.self).unicodeScalars.count } == [2, 3])
    #expect(members.values == Array(keys.indices))
  }

  private struct Accented: Decodable {
    enum CodingKeys: String, CodingKey { case accent = "\u{E9}", other }

    var values: [CodingKeys: Int] = [:]
    var count = 0

    init(from decoder: any Swift.Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      count = container.allKeys.count
      for key in container.allKeys { values[key] = try container.decode(Int.self, forKey: key) }
    }
  }

  @Test(arguments: [0, 300])
  func keysOfATypeAreThoseThatItContains(others: Int) throws {
    let decoder = JSON.Decoder()
    let filling = (0..<others).map { "k\($0)" }
    for (keys, expected) in [
      (["e\u{301}"], [:]), (["e\u{301}", "\u{E9}", "other"], [.accent: others + 1, .other: others + 2]),
    ] as [([String], [Accented.CodingKeys: Int])] {
      let text = text(filling + keys)
      let decoded = try decoder.decode(Accented.self, from: text)
      #expect(decoded.values == expected && decoded.count == expected.count)
      let collected = try decoder.decodeCollecting(Accented.self, from: JSON(parsing: text))
      #expect(collected.values == expected && collected.count == expected.count)
    }
  }

  /// An object with a member for each key in turn, of which a later one replaces an earlier one.
  private struct Writing: Encodable {
    var keys: [String]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      for (number, key) in keys.enumerated() { try container.encode(number, forKey: AnyKey(stringValue: key)) }
    }
  }

  @Test(arguments: [0, 300])
  func encodedUnicodeSpellingsReplaceOnlyThemselves(others: Int) throws {
    let filling = (0..<others).map { "k\($0)" }
    let data = try JSON.Encoder().encode(Writing(keys: filling + Self.spellings + Self.spellings))
    let json = try JSON(parsing: data)
    #expect(json.keys.count == others + Self.spellings.count)
    for (number, key) in Self.spellings.enumerated() {
      #expect(json[key]?.integer(as: Int.self) == others + Self.spellings.count + number)
    }
  }

  @Test func encodedUnicodeSpellingsAreConvertedSeparately() throws {
    let encoder = JSON.Encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let json = try JSON(parsing: encoder.encode(Writing(keys: ["x\u{E9}Y", "xe\u{301}Y"])))
    #expect(json.keys.map { Array($0.utf8) } == ["x\u{E9}_y", "xe\u{301}_y"].map { Array($0.utf8) })
  }
}

import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// The cost of hostile documents.
@Suite(.timeLimit(.minutes(15))) struct CollectingLimitTests {
  struct Item: Decodable {
    var id: Int
    var name: String
    var tags: [Int]
  }

  final class Link: Decodable {
    var value: Int
    var next: Link?
  }

  @Test func manyFaultsTakeFewPasses() throws {
    let item = #"{"id": "x", "tags": [true]}"#
    let json = try JSON(parsing: "[" + repeatElement(item, count: 20_000).joined(separator: ",") + "]")
    let found = JSON.Decoder().collectFaults([Item].self, in: json)
    #expect(found.faults.count == 100)
    #expect(!found.isComplete)
    #expect(Set(found.faults.map(\.code)) == [.typeMismatch])
  }

  @Test func nestedFaultsAreFoundInSeparatePasses() async throws {
    let depth = 120
    let text =
      repeatElement(#"{"value": "x", "next": "#, count: depth).joined() + "null"
      + String(repeating: "}", count: depth)
    let lines = try await onOwnThread { Result { try faults(Link.self, text) } }.get()
    #expect(lines.count == 101)
    #expect(lines.last == "and more")
    #expect(lines.first == "decode.type-mismatch value, expected Int, a number, for CollectingLimitTests.Link.value")
    let few = try await onOwnThread { Result { try faults(Link.self, text, limit: 1000) } }.get()
    #expect(few.count == depth)
  }

  @Test func numberOfPassesIsLimited() throws {
    let members = (0..<300).map { #""k\#($0)": "x""# }.joined(separator: ",")
    let json = try JSON(parsing: "{\(members)}")
    struct Wide: Decodable {
      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for number in 0..<300 { _ = try container.decode(Int.self, forKey: Key(stringValue: "k\(number)")) }
      }
    }
    var all = FaultCollector(json, decoder: JSON.Decoder(), limit: 1000)
    all.collect(Wide.self)
    #expect(all.faults.count == 300)
    #expect(all.isComplete)
    // For each fault but the first, one pass to find it and one to confirm it.
    var bounded = FaultCollector(json, decoder: JSON.Decoder(), limit: 1000, wordLimit: 601 * 21)
    bounded.collect(Wide.self)
    #expect(bounded.faults.count == 11)
    #expect(!bounded.isComplete)
  }

  /// The search for a placeholder of a deeply nested type ends soon, with or without one.
  struct Picky: Decodable {
    init(from decoder: any Decoder) throws {
      guard try decoder.singleValueContainer().decode(String.self) == "good" else {
        throw CocoaError(.coderInvalidValue)
      }
    }
  }

  struct Deep: Decodable {
    indirect enum Both: Decodable {
      case left(Both, Both), right(Both, Both), value(Picky)
    }
    var both: Both
    var id: Int
  }

  @Test func endlessPlaceholdersEndTheCollection() throws {
    #expect(
      try faults([Deep].self, #"[{"id": 1}, {"both": 1, "id": "x"}]"#) == [
        "decode.missing-key [0], lacks both, expected CollectingLimitTests.Deep.Both, for CollectingLimitTests.Deep.both",
        "decode.type-mismatch [1].both, expected CollectingLimitTests.Deep.Both, a object, for CollectingLimitTests.Deep.both",
        "and more",
      ])
  }

  @Test func longListsDecodedLenientlyAreNotCollected() throws {
    struct Lossy: Decodable {
      var count: Int
      init(from decoder: any Decoder) throws {
        count = (try? [Int](from: decoder))?.count ?? 0
        throw CocoaError(.coderInvalidValue)
      }
    }
    let json = try JSON(parsing: "[" + repeatElement("\"x\"", count: 100_000).joined(separator: ",") + "]")
    let found = JSON.Decoder().collectFaults(Lossy.self, in: json)
    #expect(found.faults.map(\.code) == [.invalidValue])
  }
}

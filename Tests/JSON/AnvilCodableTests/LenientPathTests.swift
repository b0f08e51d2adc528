import AnvilCodable
import AnvilDiagnosis
import AnvilTestSupport
import Foundation
import Testing

/// Lenient types on the direct path accept, leave out and count the same as with containers.
@Suite struct LenientPathTests {
  /// A model with texts of it, without its type.
  struct Subject: Sendable, CustomTestStringConvertible {
    let name: String
    let texts: [String]
    /// Returns the difference between the reader alone and the containers; `nil` if they agree.
    let difference: @Sendable (Data) -> String?
    /// The number of parts that are left out; `nil` if the text is not accepted.
    let skippedCount: @Sendable (Data) -> Int?

    var testDescription: String { name }

    init<T: Decodable & JSONReadable & Equatable & SendableMetatype>(_ type: T.Type, _ texts: String...) {
      name = "\(type)"
      self.texts = texts
      // The decoder for mappings uses the date format of `JSON.read`.
      let decoder = JSON.Decoder.rfc3339().withoutDirectPath
      skippedCount = { data in (try? decoder.decode(type, from: data)).map(LenientPathTests.skippedCount) }
      difference = { data in
        let read = try? JSON.read(type, from: data)
        let decoded = try? decoder.decode(type, from: data)
        guard read == decoded, read.map(LenientPathTests.skippedCount) == decoded.map(LenientPathTests.skippedCount)
        else { return "\(read as Any), containers: \(decoded as Any)" }
        return nil
      }
    }
  }

  /// The number of parts that are left out of a value, at any depth.
  static func skippedCount(of value: Any) -> Int {
    Mirror(reflecting: value).children.reduce(0) { count, child in
      count + (child.label == "skippedCount" ? child.value as? Int ?? 0 : skippedCount(of: child.value))
    }
  }

  static let subjects = [
    Subject(
      Shop.self,
      #"{"orders": [{"note": "a\"\\\u00e9", "total": "1.5", "discount": 1, "count": "2", "state": "user", "items": [{"id": 1, "name": "x"}, {"id": "x", "name": "\n"}], "to": {"street": "s"}, "date": "2026-01-02T03:04:05Z", "mark": {"text": "m"}, "id": 1}, {"note": "\"]}", "total": 2, "state": "zzz", "items": [], "id": null}, {"note": "b", "total": 2, "count": null, "state": "zzz", "items": [1], "id": 3}], "tags": ["a", 1, "\t"], "stock": {"a": {"note": "c", "total": 1e400, "state": "a", "items": [], "id": 4}, "b": {"note": "c", "total": 1, "state": "a", "items": [], "id": 4}}, "byNumber": {"1": {"id": 2, "name": "y"}, "01": {"id": 3, "name": "z"}, "x": {"id": 3, "name": "z"}, "2": 5}, "optional": {"a": null, "b": 1, "c": "x"}, "lists": [[1, "x"], 2, []], "maps": {"k": [{"id": 4, "name": "w"}, 7], "l": {}}, "deep": {"dates": ["2026-01-02T03:04:05Z", 5, "x"]}, "marks": [{"text": "q"}, {}], "points": [{"x": 1}, null, {"y": 2}, 3]}"#,
      #"{"orders": [{"note": "n", "total": 3, "state": "a", "items": [], "id": 5}], "stock": {}, "byNumber": {}, "optional": {}, "deep": {"dates": []}, "marks": [], "points": []}"#
    ),
    Subject(
      Branch.self,
      #"{"branches": [{"branches": [{"branches": [{"branches": [], "name": "d"}], "name": "c"}], "name": "b"}, {"branches": [{"branches": [], "name": "\u0041"}, {"branches": []}]}], "name": "a"}"#
    ),
    Subject(
      ReluctantTexts.self,
      #"{"list": [["a\"b\\", "c\n"], ["x"], [1], [["\u0041"]], ["[\"]"]], "map": {"k\"": ["v\"", "w"], "l": [], "m": 1, "n": ["\\\"", {}]}}"#
    ),
    Subject(LossyDefaults.self, #"{"list": [1], "zero": 2, "old": 5, "a": {"b": 6}, "lossy": [7, "x"]}"#),
    Subject(OptionalNumbers.self, #"{"first": "1", "a": {"b": 2}, "third": null}"#, #"{"a": {}}"#),
    Subject(LossyArray<Item>.self, #"[{"id": 1, "name": "a"}, {"id": 300, "name": "b"}, {"name": "c"}, null]"#),
    Subject(LossyDictionary<String, [Item]>.self, #"{"a": [{"id": 1, "name": "a"}], "b": [{"id": 300}], "c": null}"#),
    Subject(LossyArray<LossyArray<LossyArray<Int?>>>.self, #"[[[1, "x"], 2, [null]], 3, [[], [{}]]]"#),
  ]

  private static let roundsPerSubject = rounds(100_000) / subjects.count

  @Test(arguments: Array(subjects.enumerated()))
  func damagedDocumentsAreReadAsWithContainers(_ index: Int, _ subject: Subject) throws {
    var documents = try DamagedDocuments(of: subject.texts, seed: UInt64(index))
    var skippingCount = 0
    for round in 0..<Self.roundsPerSubject {
      let data = round < subject.texts.count ? Data(subject.texts[round].utf8) : documents.next()
      if let count = subject.skippedCount(data), count > 0 { skippingCount += 1 }
      if let difference = subject.difference(data) {
        Issue.record("\(String(decoding: data, as: UTF8.self)): \(difference)")
      }
    }
    let hasLossyParts = subject.texts.contains { subject.skippedCount(Data($0.utf8)) != 0 }
    #expect(!hasLossyParts || skippingCount > Self.roundsPerSubject / 20)
  }

  @Test func escapesAreResolvedOnce() throws {
    let text = #"{"list": [["a\"b\\", "\\n"], ["\u005c"]], "map": {"k": ["\\\""]}}"#
    let texts = try JSON.read(ReluctantTexts.self, from: text)
    #expect(texts.list == [ReluctantText(text: #"a"b\\n"#), ReluctantText(text: #"\"#)])
    #expect(texts.map == ["k": ReluctantText(text: #"\""#)])
  }

  @Test func errorsOfMalformedElementsHaveTheirLocation() throws {
    let error = try #require(throws: JSON.ReadingError.self) {
      try JSON.read(LossyArray<Item>.self, from: "[{\"id\": \"x\"},\n {\"id\": \"\\n\", \"name\": tru}]")
    }
    #expect(error.code == .syntax(.unexpectedByte(0x7D, expected: "true")))
    #expect(error.line == 2 && error.column == 26)
    #expect("\(error.path)" == "[1].name")
  }

  @Test func theDepthLimitHoldsInElements() throws {
    let text = #"{"branches": [{"branches": [{"branches": [[[]]]}], "name": "b"}], "name": "a"}"#
    var options = JSON.ParsingOptions()
    for limit in 1...8 {
      options.depthLimit = limit
      let decoder = JSON.Decoder()
      decoder.parsingOptions = options
      let data = Data(text.utf8)
      let direct = Outcome { try decoder.decode(Branch.self, from: data) }
      #expect(direct == Outcome { try decoder.withoutDirectPath.decode(Branch.self, from: data) })
      #expect(direct.isFailure == (limit < 8))
      #expect(((try? JSON.read(Branch.self, from: data, options: options)) == nil) == (limit < 8))
    }
  }

  @Test func nestedWrappersAreCodedTheSameOnBothPaths() {
    expectAgreement(
      #"{"list": [["a", "b"], ["c"]], "map": {"k": ["v"]}}"#, as: ReluctantTexts.self,
      writing: #"{"list": [["ab"], ["c"]], "map": {"k": ["v"]}}"#)
    expectAgreement(
      #"{"first": "1", "a": {"b": "2.5"}, "third": "3"}"#, as: OptionalNumbers.self,
      writing: #"{"first": 1, "a": {"b": 2.5}, "third": 3}"#)
    expectAgreement(#"{"a": {}}"#, as: OptionalNumbers.self, writing: #"{"third": 1, "a": {}}"#)
    expectAgreement(
      #"{"first": null, "a": {"b": null}, "third": null}"#, as: OptionalNumbers.self,
      writing: #"{"third": 1, "a": {}}"#)
  }

  /// Reading would exceed the time limit if the cost of an element depended on the elements before it.
  @Test(.timeLimit(.minutes(15)))
  func manyInvalidElementsTakeLinearTime() throws {
    let count = 10_000
    let items = Array(repeating: #"{"id": "x", "name": "\n"}, {"id": 1, "name": "a"}"#, count: count)
    let array = try JSON.Decoder().decode(
      LossyArray<Item>.self, from: Data("[\(items.joined(separator: ",\n"))]".utf8))
    #expect(array.wrappedValue.count == count && array.skippedCount == count)
    let members = (0..<count).map { #""a\#($0)": {"id": "x"}, "b\#($0)": {"id": 1, "name": "a"}"# }
    let map = try JSON.Decoder().decode(
      LossyDictionary<String, Item>.self, from: Data("{\(members.joined(separator: ",\n"))}".utf8))
    #expect(map.wrappedValue.count == count && map.skippedCount == count)
  }

  /// Each branch fails after its inner branches.
  @Test(.timeLimit(.minutes(15)))
  func nestedInvalidElementsTakeLinearTime() throws {
    let depth = 200
    let leaves = Array(repeating: #"{"branches": [], "name": "leaf"}"#, count: 20_000).joined(separator: ",")
    let head = String(repeating: #"{"branches": ["#, count: depth)
    let text = #"{"branches": [\#(head)\#(leaves)\#(String(repeating: "]}", count: depth))], "name": "root"}"#
    let root = try JSON.Decoder().decode(Branch.self, from: Data(text.utf8))
    #expect(root.branches.isEmpty && root.$branches.skippedCount == 1)
  }
}

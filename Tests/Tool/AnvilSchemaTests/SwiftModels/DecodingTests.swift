import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilSchema

/// Generated models are compiled, and decode the documents that they were generated from.
@Suite(.timeLimit(.minutes(15)), .enabled(if: SwiftCompiler.absence == nil, "\(SwiftCompiler.absence ?? "")"))
struct DecodingTests {
  /// Named samples of a document.
  struct Document: Sendable, CustomTestStringConvertible {
    let name: String
    let samples: [String]

    init(_ name: String, _ samples: String...) {
      self.name = name
      self.samples = samples
    }

    var testDescription: String { name }
  }

  static let documents = [
    Document(
      "Keywords", #"{"class": 1, "default": 2, "self": 3, "Self": 4, "init": 5, "Type": "a", "protocol": true}"#),
    Document(
      "MoreKeywords",
      #"{"let": 1, "var": 2, "inout": 3, "in": 4, "is": 5, "nil": 6, "throws": 7, "await": 8, "open": 9, "nonisolated": 1, "async": 2, "any": 3, "some": 4, "actor": 5, "get": 6, "associatedtype": 7}"#
    ),
    Document(
      "HashKeys", #"{"hashValue": "a", "hash": "b", "encode": "c", "decode": "d", "description": "e", "json": 1}"#),
    Document(
      "TypeKeys", #"{"type": {"a": 1}, "types": [{"b": 1}], "data": {"c": 1}, "error": {"d": 1}, "url": {"e": 1}}"#),
    Document(
      "MoreTypeKeys", #"{"string": {"a": 1}, "int": {"b": 1}, "array": {"c": 1}, "set": {"d": 1}, "json": {"e": 1}}"#),
    Document("OwnNames", #"{"unknown": {"a": null}, "box": {"b": 1}, "codingKeys": {"c_d": 1}, "value": {"d": "1"}}"#),
    Document("SameNames", #"{"a": {"item": {"x": 1, "y": 2}}, "b": {"item": {"z": "1"}}, "item": {"w": [1.5]}}"#),
    Document("EmptyObjects", #"{"a": {}, "b": [{}], "c": [], "d": {"e": {}}}"#, #"{"a": {}, "b": [], "c": []}"#),
    Document("SometimesEmpty", #"{"a": {}}"#, #"{"a": {"b": 1, "c": 2}}"#),
    Document("Mixed", #"{"values": [1, "a", null, true, 2.5, {"b": 1}, [1]], "id": 1}"#, #"{"values": [], "id": "1"}"#),
    Document("MixedObjects", #"[{"a": 1}, {"a": "x"}, {"a": [1, "y"]}, {"a": {"b": {"a": 1}}}, {}]"#),
    Document("Unicode", #"{"größe": 1, "日本": {"東京": "a"}, "😀": 1, "e\u0301": 2, "⭐️": true, "ключ": [{"имя": "b"}]}"#),
    Document("Escapes", #"{"a\"b": 1, "a\\b": 2, "a\nb": 3, "\u0000": 4, "a\u202eb": 5, "\\(x)": 6, "": 7, " ": 8}"#),
    Document(
      "Collisions", #"{"foo_bar": 1, "fooBar": "a", "foo-bar": true, "FooBar": 1.5, "foo bar": null, "fooBar2": 2}"#),
    Document("ObjectCollisions", #"{"foo_bar": {"a": 1}, "fooBar": {"b": 1}, "FOO_BAR": [{"c": 1}]}"#),
    Document(
      "Digits", #"{"1": 1, "2x": "a", "+1": 2, "-1": 3, "3d": {"x": 1}, "_": 4, "__": 5, "$ref": "x", "@id": 6}"#),
    Document(
      "Comment", #"{"id": 1, "text": "a", "replies": [{"id": 2, "text": "b", "replies": [{"id": 3, "text": null}]}]}"#),
    Document("Folder", #"{"name": "a", "children": [{"name": "b", "size": 1}, {"name": "c", "children": []}]}"#),
    Document("LinkedList", #"{"value": 1, "next": {"value": 2, "next": {"value": 3, "next": null}}}"#),
    Document("Cycle", #"{"a": 1, "b": {"c": 2, "d": {"a": 2, "b": {"c": 3, "d": null}}}}"#),
    Document(
      "MixedCycle", #"{"k": 1, "n": ["x", {"k": 2, "n": [{"k": 3, "n": []}]}], "o": "x"}"#,
      #"{"k": 1, "n": [], "o": {"k": 3}}"#),
    Document("DirectMixedCycle", #"{"k": 1, "o": {"k": 2, "o": {"k": 3, "o": "end"}}}"#, #"{"k": 4, "o": "end"}"#),
    Document(
      "Siblings", #"{"homeTeam": {"name": "a", "id": 1}, "awayTeam": {"name": "b", "id": 2}, "team": {"x": 1}}"#),
    Document("ArraysOfArrays", #"[[[1, 2], [3.5]], [], [[], null]]"#),
    Document("ObjectsInArrays", #"[[{"a": 1}], [{"a": null, "b": [[{"c": "x"}]]}]]"#),
    Document("Number", "42"), Document("Text", #""a""#), Document("Null", "null"), Document("Truth", "true", "null"),
    Document("EmptyArray", "[]"), Document("EmptyObject", "{}"), Document("Nulls", "[null, null]"),
    Document("NullMembers", #"{"a": null, "b": [null], "c": {"d": null}}"#),
    Document("Several", "1", #""a""#, #"{"a": 1}"#, "[1]"),
    Document("ObjectOrArray", #"{"a": {"b": 1}}"#, #"[{"a": {"b": 1}}]"#),
    Document(
      "BigNumbers",
      #"{"a": 9223372036854775808, "b": -9223372036854775809, "c": 1e300, "d": [1, 2.0], "e": 12345678901234567890123}"#
    ),
    Document("HugeNumbers", #"{"a": 1\#(String(repeating: "0", count: 60)), "b": [1e400], "c": 1e-400}"#),
    Document(
      "Dates", #"{"a": "2013-01-10T07:58:30Z", "b": "2013-01-10T07:58:30.125Z", "c": ["2013-01-10T07:58:30+01:00"]}"#),
    Document(
      "Formats", #"{"u": "https://a.b/c?d=e#f", "i": "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "t": "https://a.b/{c}"}"#),
    Document(
      "MoreDates",
      #"{"a": "2020-01-01T00:00:00+0000", "b": {"1": "2020-01-01T00:00:00Z"}, "c": ["2020-01-01T00:00:00Z", null], "d": [["2020-01-01T00:00:00.5Z"]], "e": {"1": ["2020-01-01T00:00:00Z"], "2": null}}"#,
      #"{"a": null, "b": {}, "d": null}"#),
    Document(
      "Days", #"{"a": "2020-02-29", "b": {"1": "0000-01-01"}, "c": ["9999-12-31", null], "d": [1, ["2020-01-01"]]}"#,
      #"{"a": null, "b": {}, "c": [], "d": []}"#),
    Document("RootDates", #"["2020-01-01T00:00:00Z", null]"#),
    Document("RootDateDictionary", #"{"1": "2020-01-01T00:00:00Z"}"#),
    Document("MixedDates", #"{"a": [1, ["2020-01-01T00:00:00Z"], {"1": "2020-01-01T00:00:00Z"}]}"#),
    Document(
      "AllFormats",
      "{\(StringFormatSamples.all.enumerated().map { #""f\#($0)": \#(JSON($1).description)"# }.joined(separator: ","))}"
    ),
    Document(
      "NumbersInStrings",
      #"[{"id": 1, "p": 1.5, "n": ["1", 2], "m": 1}, {"id": "2", "p": "2", "n": [], "m": "x"}, {"id": null}]"#),
    // A text that is no number makes the member an enum of both kinds.
    Document(
      "TextsBesideNumbers",
      #"[{"p": 1.5, "q": 1, "r": [1, "n/a"]}, {"p": "2", "q": "n/a", "r": ["-"]}, {"p": "n/a", "q": null, "r": []}, {"p": "", "q": "3"}]"#
    ),
    Document(
      "BigNumbersInStrings",
      #"[{"a": 18446744073709551615, "b": 1}, {"a": "1", "b": "18446744073709551616"}, {"b": "1e3"}]"#),
    Document(
      "Shapes",
      #"[{"type": "circle", "radius": 1}, {"type": "big-square", "side": 2.5, "label": null}, {"type": "circle", "radius": 2}]"#
    ),
    Document(
      "Tagged",
      #"{"items": [{"kind": "user", "name": "a", "at": "2020-01-01T00:00:00Z"}, {"kind": "bot"}, {"kind": "org", "members": [{"kind": "user", "name": "b"}, {"kind": "team", "size": 1}]}], "other": {"kind": "self", "x": 1}}"#,
      #"{"items": [{"kind": "default", "y": [1]}, {"kind": "other", "z": {"a": 1}}], "other": {"kind": "class", "y_z": 1}}"#
    ),
    Document(
      "TaggedTree",
      #"{"type": "group", "children": [{"type": "leaf", "text": "a"}, {"type": "group", "children": [{"type": "leaf", "text": "b"}, {"type": "rule", "width": 2}]}]}"#
    ),
    Document("TaggedOrText", #"[{"type": "a", "x": 1}, "text", {"type": "b", "y": 1}, null]"#),
    Document("TaggedOrEmpty", #"[{"type": "a", "x": 1}, {"type": "b", "y": 1}, {}]"#),
    Document("Missing", #"[{"a": 1, "b": null}, {"a": null, "b": 2, "c": "x"}, {"a": 3, "b": 4}]"#),
    Document("Dictionary", #"{"1": {"a": 1}, "2": {"a": null, "b": "x"}}"#),
    Document(
      "DictionaryOfAll",
      #"{"map": {"1": [1], "2": null, "3": []}, "names": {"a_b": "c"}, "byPath": {"/a": 1, "/b/c": 2, "/d": 3}}"#),
    Document(
      "Enumeration",
      "[\((0..<12).map { #"{"kind": "\#(["push", "PULL_REQUEST", "in-progress", "default"][$0 % 4])"}"# }.joined(separator: ","))]"
    ),
    Document("Texts", #"["a", "b", "a", "b", "a", "b", "a"]"#),
    Document(
      "SnakeCase",
      #"{"user_id": 1, "avatarUrl": 2, "html_url": {"inner_key": 3}, "a__b": 4, "_c_d": 5, "e_": 6, "F_G": 7, "h_2x": 8}"#
    ),
    Document("Duplicates", #"{"a": 1, "a": "x"}"#),
    Document("Deep", nested(40)),
    Document("DeepArrays", String(repeating: "[", count: 10) + "1" + String(repeating: "]", count: 10)),
    Document(
      "Wide",
      "{\((0..<150).map { #""member_\#($0)": \#($0 % 3 == 0 ? "1" : $0 % 3 == 1 ? #""a""# : "[]")"# }.joined(separator: ","))}"
    ),
  ]

  /// Nested objects, all different.
  private static func nested(_ depth: Int) -> String {
    (0..<depth).map { #"{"level\#($0)": "# }.joined() + "1" + String(repeating: "}", count: depth)
  }

  @Test func modelsDecodeTheirSamples() async throws {
    try await check(Self.documents)
  }

  @Test(.enabled(if: Corpora.folder != nil, "no documents beside the package"))
  func modelsDecodeLargeDocuments() async throws {
    try await check(
      Corpora.documents.map { name in
        Document(SwiftName.type(KeyWords(name)), String(decoding: try Corpora.document(name), as: UTF8.self))
      })
  }

  /// Models of every style decode every sample with each of their decoders. Encoded values decode to equal values.
  private func check(_ documents: [Document]) async throws {
    let compiler = try SwiftCompiler()
    var files = ["main.swift"]
    var main = Self.prelude
    var expected = 0
    for document in documents {
      var shape = Shape()
      for (index, sample) in document.samples.enumerated() {
        shape.add(try JSON(parsing: sample))
        try compiler.write(sample, to: "\(document.name)-\(index).json")
      }
      let name = SwiftModels.typeName(from: document.name, for: shape)
      for (style, decodings) in Self.styles {
        let models = SwiftModels(
          of: shape, name: name, style: style, access: Self.publicDecodings.contains(decodings[0]) ? .public : .internal
        )
        let space = "\(document.name)\(decodings[0].capitalized)"
        files.append("\(space).swift")
        try compiler.write(Self.enclosed(models.source, in: space), to: "\(space).swift")
        for index in document.samples.indices {
          let file = compiler.folder.appending(path: "\(document.name)-\(index).json").path
          for decoding in decodings {
            // Foundation decodes a number out of the range of doubles, for which JSON has no form.
            if decoding == "foundation", decodings[0] == "direct", document.name == "HugeNumbers" { continue }
            main += "\(decoding)(\(Self.type(models.documentType, in: space, name: name)).self, \"\(file)\")\n"
            expected += 1
          }
        }
      }
    }
    try compiler.write(main, to: "main.swift")
    let (diagnosis, output) = try await compiler.run(files)
    #expect(diagnosis == "")
    let lines = output.split(separator: "\n").map(String.init)
    #expect(lines.filter { !$0.hasSuffix(": same") } == [])
    #expect(lines.count == expected)
  }

  /// The styles and the functions of the program that decode them.
  private static let styles: [(SwiftModels.Style, [String])] = [
    (.macro(.codingKeys), ["direct", "contained", "anvil", "foundation"]),
    (.macro(.snakeCase), ["directSnake", "contained"]),
    (.codable(.codingKeys), ["foundation", "anvil"]),
    (.codable(.snakeCase), ["snake", "anvilSnake"]),
    (.mapping, ["mapped"]),
  ]

  /// The first functions of the styles whose models are public.
  private static let publicDecodings = ["directSnake", "mapped"]

  private static func enclosed(_ source: String, in space: String) -> String {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let imports = lines.filter { $0.hasPrefix("import ") }.map {
      $0 == "import Anvil" ? "import AnvilCodable\nimport AnvilDiagnosis" : $0
    }
    let body = lines.filter { !$0.hasPrefix("import ") }
    return "\(imports.joined(separator: "\n"))\npublic enum \(space) {\n\(body.joined(separator: "\n"))\n}\n"
  }

  private static func type(_ type: String, in space: String, name: String) -> String {
    type.replacing(name, with: "\(space).\(name)")
  }

  private static let prelude = """
    import AnvilCodable
    import Foundation

    func report(_ decoding: String, _ file: String, _ body: (Data) throws -> Bool) {
      do {
        let data = try Data(contentsOf: URL(filePath: file))
        print("\\(decoding) \\(file): \\(try body(data) ? "same" : "another")")
      } catch {
        print("\\(decoding) \\(file): \\(error)")
      }
    }

    func foundation<Model: Codable & Hashable & Sendable>(_ type: Model.Type, _ file: String, _ name: String = "foundation") {
      report(name, file) { data in
        let decoder = JSONDecoder()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        decoder.dateDecodingStrategy = .iso8601
        encoder.dateEncodingStrategy = .iso8601
        decoder.keyDecodingStrategy = name == "snake" ? .convertFromSnakeCase : .useDefaultKeys
        let value = try decoder.decode(type, from: data)
        decoder.keyDecodingStrategy = .useDefaultKeys
        // Compared as text, because encoders do not write fractions of seconds.
        let text = try encoder.encode(value)
        return try encoder.encode(decoder.decode(type, from: text)) == text
      }
    }

    func snake<Model: Codable & Hashable & Sendable>(_ type: Model.Type, _ file: String) {
      foundation(type, file, "snake")
    }

    func anvil<Model: Codable & Hashable & Sendable>(_ type: Model.Type, _ file: String, _ name: String = "anvil") {
      report(name, file) { data in
        let decoder = JSON.Decoder()
        let encoder = JSON.Encoder()
        encoder.outputFormatting = .sortedKeys
        decoder.dateDecodingStrategy = .iso8601
        encoder.dateEncodingStrategy = .iso8601
        decoder.keyDecodingStrategy = name == "anvilSnake" ? .convertFromSnakeCase : .useDefaultKeys
        let value = try decoder.decode(type, from: data)
        decoder.keyDecodingStrategy = .useDefaultKeys
        let text = try encoder.encode(value)
        return try encoder.encode(decoder.decode(type, from: text)) == text
      }
    }

    func anvilSnake<Model: Codable & Hashable & Sendable>(_ type: Model.Type, _ file: String) {
      anvil(type, file, "anvilSnake")
    }

    func direct<Model: JSONReadable & JSONWritable & Codable & Hashable & Sendable>(_ type: Model.Type, _ file: String) {
      report("direct", file) { data in
        let value = try JSON.read(type, from: data)
        return try JSON.read(type, from: JSON.write(value)) == value
      }
    }

    func directSnake<Model: JSONReadable & JSONWritable & Codable & Hashable & Sendable>(_ type: Model.Type, _ file: String) {
      direct(type, file)
    }

    /// Uses init(from:) and encode(to:), which coders with `userInfo` need.
    func contained<Model: JSONReadable & JSONWritable & Codable & Hashable & Sendable>(_ type: Model.Type, _ file: String) {
      report("contained", file) { data in
        guard let key = CodingUserInfoKey(rawValue: "containers") else { return false }
        let decoder = JSON.Decoder()
        decoder.userInfo = [key: true]
        decoder.dateDecodingStrategy = .iso8601
        let encoder = JSON.Encoder()
        encoder.userInfo = [key: true]
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .iso8601
        let value = try decoder.decode(type, from: data)
        guard try value == JSON.read(type, from: data) else { return false }
        return try encoder.encode(decoder.decode(type, from: encoder.encode(value))) == encoder.encode(value)
      }
    }

    func mapped<Model: JSONDecodable & Hashable & Sendable>(_ type: Model.Type, _ file: String) {
      report("mapped", file) { data in
        let json = try JSON(parsing: data)
        return try Model.decode(json) == Model.decode(json)
      }
    }


    """
}

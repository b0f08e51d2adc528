import AnvilJSON
import Foundation
import Testing

/// Coding paths as types see them while they are decoded from a part of a document.
@Suite struct DecoderPathTests {
  private enum Keys: String, CodingKey {
    case name, list, inner, missing
  }

  /// Records every path that is visible during decoding.
  private struct Seen: Decodable {
    let paths: [String]
    let decoder: any Decoder
    let container: KeyedDecodingContainer<Keys>
    let list: any UnkeyedDecodingContainer

    init(from decoder: any Decoder) throws {
      self.decoder = decoder
      container = try decoder.container(keyedBy: Keys.self)
      let inner = try container.nestedContainer(keyedBy: Keys.self, forKey: .inner)
      var elements = try container.nestedUnkeyedContainer(forKey: .list)
      list = elements
      let first = try elements.nestedContainer(keyedBy: Keys.self)
      let second = try elements.nestedUnkeyedContainer()
      let third = try elements.superDecoder()
      paths = [
        decoder.codingPath, try decoder.singleValueContainer().codingPath, container.codingPath, inner.codingPath,
        elements.codingPath, first.codingPath, second.codingPath, third.codingPath,
        try third.singleValueContainer().codingPath, try container.superDecoder().codingPath,
        try container.superDecoder(forKey: .name).codingPath, try container.superDecoder(forKey: .missing).codingPath,
        try inner.decode(Position.self, forKey: .name).path,
      ].map(DecoderPathTests.text)
    }
  }

  private struct Position: Decodable {
    let path: [any CodingKey]
    init(from decoder: any Decoder) throws { path = decoder.codingPath }
  }

  private static func text(_ path: [any CodingKey]) -> String {
    path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
  }

  private static let value = #"{"name": 1, "list": [{}, [[]], {"a": 1}, "x"], "inner": {"name": []}, "super": {}}"#
  private static let paths = [
    "", "", "", ".inner", ".list", ".list[0]", ".list[1]", ".list[2]", ".list[2]", ".super", ".name", ".missing",
    ".inner.name",
  ]

  /// The value alone and in three other documents: as the first value, after other values, and deeply nested.
  private static let documents: [(text: String, pointer: String)] = [
    (value, ""), ("[\(value)]", "/0"), (#"{"z": [1, {}], "a": \#(value), "b": 2}"#, "/a"),
    (#"[[], {"inner": {"list": [0, [\#(value), 1]]}}]"#, "/1/inner/list/1/0"),
  ]

  @Test(arguments: documents.indices)
  func codingPathsBeginAtTheDecodedValue(index: Int) throws {
    let (text, pointer) = Self.documents[index]
    let json = try #require(JSON(parsing: text)[JSON.Pointer(pointer)])
    let seen = try JSON.Decoder().decode(Seen.self, from: json)
    #expect(seen.paths == Self.paths)
    // Paths of escaped decoders and containers are also the same.
    #expect(Self.text(seen.decoder.codingPath) == "" && Self.text(seen.container.codingPath) == "")
    #expect(Self.text(try seen.container.superDecoder(forKey: .inner).codingPath) == ".inner")
    var list = seen.list
    _ = try list.superDecoder()
    #expect(Self.text(list.codingPath) == ".list")
    #expect(Self.text(try list.superDecoder().codingPath) == ".list[1]")
    let inner = try seen.decoder.container(keyedBy: Keys.self).nestedContainer(keyedBy: Keys.self, forKey: .inner)
    #expect(Self.text(inner.codingPath) == ".inner")
  }

  @Test func codingPathsAreThoseOfFoundation() throws {
    #expect(try JSONDecoder().decode(Seen.self, from: Data(Self.value.utf8)).paths == Self.paths)
    #expect(try JSON.Decoder().decode(Seen.self, from: Data(Self.value.utf8)).paths == Self.paths)
  }

  /// A type that throws custom errors with the paths that it sees.
  private struct Strict: Decodable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      let inner = try container.nestedContainer(keyedBy: Keys.self, forKey: .inner)
      switch try container.decode(Int.self, forKey: .name) {
      case 1: throw DecodingError.dataCorruptedError(forKey: .name, in: inner, debugDescription: "no")
      case 2:
        _ = try list.superDecoder()
        throw DecodingError.dataCorruptedError(in: list, debugDescription: "no")
      case 3: throw DecodingError.dataCorrupted(.init(codingPath: inner.codingPath, debugDescription: "no"))
      case 4: _ = try inner.decode(Int.self, forKey: .missing)
      default: _ = try inner.decode(Int.self, forKey: .name)
      }
    }
  }

  @Test(arguments: [(1, ".inner.name"), (2, ".list[1]"), (3, ".inner"), (4, ".inner"), (5, ".inner.name")])
  func pathsOfThrownErrorsBeginAtTheDecodedValue(kind: Int, expected: String) throws {
    for (text, pointer) in Self.documents {
      let changed = text.replacing(#""name": 1"#, with: #""name": \#(kind)"#)
      let json = try #require(JSON(parsing: changed)[JSON.Pointer(pointer)])
      let error = #expect(throws: DecodingError.self) { try JSON.Decoder().decode(Strict.self, from: json) }
      switch error {
      case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context):
        #expect(Self.text(context.codingPath) == expected, "\(text)")
      default: Issue.record("\(String(describing: error))")
      }
    }
  }

  @Test func keyStrategiesReceiveThePathFromTheDecodedValue() throws {
    let json = try #require(JSON(parsing: #"{"outer": {"a": {"b": 1}}}"#)["outer"])
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .custom { path in
      DecoderTests.AnyKey(path.map(\.stringValue).joined(separator: "/"))
    }
    struct Model: Decodable {
      struct Inner: Decodable {
        var value: Int
        enum CodingKeys: String, CodingKey { case value = "a/b" }
      }
      var a: Inner
    }
    #expect(try decoder.decode(Model.self, from: json).a.value == 1)
  }

  /// The numbers of an object or of two arrays, read with an error before each, as types do that try one type after another.
  private struct Tried: Decodable {
    struct Member: CodingKey {
      let stringValue: String
      let intValue: Int? = nil
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    var paths: [String] = []

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Member.self)
      let keepsPaths = Tried.keepsPaths.flatMap { decoder.userInfo[$0] } != nil
      var arrays: [any UnkeyedDecodingContainer] = []
      for key in container.allKeys.reversed() {
        do {
          _ = try container.decode(Int.self, forKey: key)
        } catch DecodingError.typeMismatch(_, let context) {
          if keepsPaths { paths.append(DecoderPathTests.text(context.codingPath)) }
        }
        if let array = try? container.nestedUnkeyedContainer(forKey: key) { arrays.append(array) }
      }
      while arrays.contains(where: { !$0.isAtEnd }) {
        for index in arrays.indices where !arrays[index].isAtEnd {
          do {
            _ = try arrays[index].decode(Int.self)
          } catch DecodingError.typeMismatch(_, let context) {
            if keepsPaths { paths.append(DecoderPathTests.text(context.codingPath)) }
            _ = try arrays[index].decode(String.self)
          }
        }
      }
    }

    static let keepsPaths = CodingUserInfoKey(rawValue: "keepsPaths")
  }

  @Test func pathsAreTheSameInAnyOrder() throws {
    let strings = [String](repeating: #""x""#, count: 100).joined(separator: ",")
    let members = (0..<100).map { #""m\#($0)": "\#($0)""# }.joined(separator: ",")
    let text = #"{"a": [\#(strings)], \#(members), "b": [\#(strings)]}"#
    let decoder = JSON.Decoder()
    decoder.userInfo[try #require(Tried.keepsPaths)] = true
    let paths = try decoder.decode(Tried.self, from: Data(text.utf8)).paths
    let expected =
      [".b"] + (0..<100).reversed().map { ".m\($0)" } + [".a"] + (0..<100).flatMap { [".b[\($0)]", ".a[\($0)]"] }
    #expect(paths == expected)
  }

  @Test(.timeLimit(.minutes(5)))
  func errorsInAnyOrderTakeLinearTime() throws {
    let count = 100_000
    let strings = [String](repeating: #""x""#, count: count).joined(separator: ",")
    _ = try JSON.Decoder().decode(Tried.self, from: Data(#"{"a": [\#(strings)], "b": [\#(strings)]}"#.utf8))
    let members = (0..<count).map { #""m\#($0)": "x""# }.joined(separator: ",")
    _ = try JSON.Decoder().decode(Tried.self, from: Data("{\(members)}".utf8))
  }
}

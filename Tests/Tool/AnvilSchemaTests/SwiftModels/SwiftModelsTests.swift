import AnvilJSON
import Testing

@testable import AnvilSchema

/// The text of models.
struct SwiftModelsTests {
  func source(_ samples: String..., style: SwiftModels.Style = .codable(.codingKeys)) throws -> String {
    try source(of: samples, style)
  }

  /// The text without the comment at the top.
  func declarations(_ samples: String..., style: SwiftModels.Style = .codable(.codingKeys)) throws -> String {
    let source = try source(of: samples, style)
    return source.split(separator: "\n\n", maxSplits: 1).last.map(String.init) ?? ""
  }

  private func source(of samples: [String], _ style: SwiftModels.Style) throws -> String {
    var shape = Shape()
    for sample in samples { shape.add(try JSON(parsing: sample)) }
    return SwiftModels(of: shape, name: "Root", style: style).source
  }

  @Test func elementsThatAreAlwaysNullHaveATypeBesideTheAlias() throws {
    #expect(
      try declarations("[null]") == """
        typealias Root = [Unknown?]

        /// A value that is not kept: samples had `null`, nothing, or a number that no type can hold.
        struct Unknown: Codable, Hashable, Sendable {}

        """)
  }

  @Test func missingAndNullMembersAreOptional() throws {
    #expect(
      try declarations(#"{"a": 1, "b": null, "c": 1, "d": null}"#, #"{"a": 2, "b": "x", "d": null}"#) == """
        struct Root: Codable, Hashable, Sendable {
          let a: Int
          let b: String?
          let c: Int?
          let d: Unknown?

          /// A value that is not kept: samples had `null`, nothing, or a number that no type can hold.
          struct Unknown: Codable, Hashable, Sendable {}
        }

        """)
  }

  @Test(arguments: [
    ("1", "Int"), ("-9223372036854775808", "Int"), ("9223372036854775808", "UInt64"), ("1.0", "Double"),
    ("1e3", "Double"), ("18446744073709551616", "Decimal"), ("-9223372036854775809", "Decimal"),
    ("1\(String(repeating: "0", count: 50))", "Double"), (#""2013-01-10T07:58:30Z""#, "Date"),
    (#""https://a.b""#, "URL"), (#""6ba7b810-9dad-11d1-80b4-00c04fd430c8""#, "UUID"), (#""x""#, "String"),
    ("true", "Bool"), ("[[1, 2.5], []]", "[[Double]]"), (#"{"1": [null, 1]}"#, "[String: [Int?]]"),
  ])
  func valuesGetTheirSwiftTypes(value: String, type: String) throws {
    #expect(try declarations(#"{"a": \#(value)}"#).contains("  let a: \(type)\n"))
    #expect(try declarations(value).hasSuffix("typealias Root = \(type)\n"))
  }

  @Test func fewRepeatedStringsBecomeAnEnum() throws {
    let states = ["open", "closed", "IN_PROGRESS", "open", "closed", "IN_PROGRESS"]
    let sample = "[\(states.map { #"{"state": "\#($0)", "name": "\#($0)"}"# }.joined(separator: ","))]"
    #expect(
      try declarations(sample) == """
        struct Root: Codable, Hashable, Sendable {
          let state: RootState
          let name: String

          enum RootState: String, Codable, Sendable {
            case open, closed
            case inProgress = "IN_PROGRESS"
          }
        }

        """)
  }

  @Test(arguments: [["a", "z"], ["AB1", "Z_2a"], ["az", "za"]]) func namesConsistOfAllLetters(values: [String]) throws {
    let sample = "[\((values + values + values).map { #"{"state": "\#($0)"}"# }.joined(separator: ","))]"
    #expect(try declarations(sample).contains("enum RootState: String, Codable, Sendable"))
  }

  @Test(arguments: [
    ["a", "b", "a", "b", "a"], ["a", "b", "c", "d", "a", "b"], ["a", "a", "a", "a", "a", "a"],
    ["a b", "c", "a b", "c", "a b", "c"], ["1", "2", "1", "2", "1", "2"], ["", "a", "", "a", "", "a"],
  ])
  func repeatedTextsThatAreNotNamesAreStrings(values: [String]) throws {
    let sample = "[\(values.map { #"{"kind": "\#($0)"}"# }.joined(separator: ","))]"
    #expect(try declarations(sample).contains("let kind: String\n"))
  }

  @Test(arguments: [
    ("a b\u{202E}", #""a b\u{202e}""#), ("a b\u{3164}", #""a b\u{3164}""#), ("a b\u{E0100}", #""a b\u{e0100}""#),
    ("a b\u{200D}", #""a b\u{200d}""#), ("a b\u{378}", #""a b\u{378}""#), ("a \"\\\n\u{1B}", #""a \"\\\n\u{1b}""#),
  ])
  func invisibleCharactersOfKeysAreEscapedInLiterals(key: String, literal: String) throws {
    #expect(try declarations(JSON([key: 1]).serializedText()).contains(" = \(literal)\n"))
  }

  @Test func recursiveElementsBecomeOneType() throws {
    #expect(
      try declarations(#"{"id": 1, "replies": [{"id": 2, "replies": [{"id": 3, "text": "x"}], "text": "y"}]}"#) == """
        struct Root: Codable, Hashable, Sendable {
          let id: Int
          let replies: [Root]?
          let text: String?
        }

        """)
  }

  @Test func recursiveStructsAreBoxed() throws {
    let source = try declarations(#"{"value": 1, "next": {"value": 2, "next": {"value": 3, "next": null}}}"#)
    #expect(source.hasPrefix("struct Root: Codable, Hashable, Sendable {\n  let value: Int\n  let next: Box<Root>?\n"))
    #expect(
      source.contains("  indirect enum Box<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {\n"))
  }

  @Test func objectsThatOnlyShareKeysAreNotRecursive() throws {
    let source = try declarations(#"{"id": 1, "name": "x", "albums": [{"id": 1, "name": "y"}]}"#)
    #expect(source.contains("  let albums: [Album]\n"))
  }

  @Test func equalObjectsWithOneNameShareAType() throws {
    let source = try declarations(
      #"{"post": {"user": {"id": 1, "name": "a"}}, "comments": [{"user": {"id": 2, "name": "b", "age": 3}}]}"#)
    #expect(
      source == """
        struct Root: Codable, Hashable, Sendable {
          let post: Post
          let comments: [Comment]

          struct Post: Codable, Hashable, Sendable {
            let user: User
          }

          struct User: Codable, Hashable, Sendable {
            let id: Int
            let name: String
            let age: Int?
          }

          struct Comment: Codable, Hashable, Sendable {
            let user: User
          }
        }

        """)
  }

  @Test func differentObjectsWithOneNameArePrefixedWithTheParentsName() throws {
    let source = try declarations(
      #"{"item": {"x": 1}, "post": {"item": {"y": 1}, "type": {"z": 1}}, "urls": [{"w": 1}]}"#)
    #expect(source.contains("  let item: Item\n"))
    #expect(source.contains("    let item: PostItem\n"))
    #expect(source.contains("    let type: PostType\n"))
    #expect(source.contains("  let urls: [URLItem]\n"))
  }

  @Test func similarMembersShareAType() throws {
    let source = try declarations(
      #"{"homeTeam": {"id": 1, "name": "a"}, "awayTeam": {"id": 2, "name": "b", "points": 3}, "sizes": {"small": {"w": 1}, "large": {"w": 2}}}"#
    )
    #expect(source.contains("  let homeTeam: Team\n  let awayTeam: Team\n  let sizes: Sizes\n"))
    #expect(source.contains("    let small: Size\n    let large: Size\n"))
  }

  @Test(arguments: [
    ("rates", #"{"USD": 1.1, "EUR": 2}"#, "[String: Double]"), ("areaNames", #"{"a": "x"}"#, "[String: String]"),
    ("names", #"{"a": "x"}"#, "Names"), ("rates", #"{"a": "x", "b": 1}"#, "Rates"),
    ("rates", "{}", "[String: Unknown]"),
  ])
  func someKeysImplyDictionaries(key: String, value: String, type: String) throws {
    #expect(try declarations(#"{"\#(key)": \#(value)}"#).contains("  let \(key): \(type)\n"))
  }

  @Test func valuesOfDifferentKindsBecomeAnEnum() throws {
    #expect(
      try declarations(#"{"ids": [1, "x", {"a": 1}]}"#) == """
        struct Root: Codable, Hashable, Sendable {
          let ids: [IDItem]

          enum IDItem: Codable, Hashable, Sendable {
            case integer(Int)
            case string(String)
            case object(IDObject)

            init(from decoder: any Decoder) throws {
              let container = try decoder.singleValueContainer()
              if let value = try? container.decode(Int.self) {
                self = .integer(value)
              } else if let value = try? container.decode(String.self) {
                self = .string(value)
              } else {
                self = .object(try container.decode(IDObject.self))
              }
            }

            func encode(to encoder: any Encoder) throws {
              var container = encoder.singleValueContainer()
              switch self {
              case .integer(let value): try container.encode(value)
              case .string(let value): try container.encode(value)
              case .object(let value): try container.encode(value)
              }
            }
          }

          struct IDObject: Codable, Hashable, Sendable {
            let a: Int
          }
        }

        """)
  }

  @Test func commentContainsTheDateStrategy() throws {
    let source = try source(#"["2013-01-10T07:58:30Z"]"#)
    #expect(
      source == """
        //     let decoder = JSON.Decoder()  // or JSONDecoder()
        //     decoder.dateDecodingStrategy = .iso8601
        //     let model = try decoder.decode(Root.self, from: data)

        import Foundation

        typealias Root = [Date]

        """)
  }

  @Test(arguments: [
    ("users", "[1]", "User"), ("users", "{}", "Users"), ("github_events", "[]", "GithubEvent"),
    ("data", "{}", "DataItem"),
    ("class", "{}", "Class"), ("日本", "{}", "Item日本"), ("", "{}", "Empty"),
  ])
  func rootTypeNamesAreDerivedFromText(text: String, sample: String, name: String) throws {
    #expect(SwiftModels.typeName(from: text, for: Shape(of: try JSON(parsing: sample))) == name)
  }

  /// Many types are compared with each other. This must not be quadratic.
  @Test(.timeLimit(.minutes(15)))
  func manyTypesAreWritten() throws {
    let members = (0..<400).map {
      #""member\#($0)": {"a\#($0)": 1, "b\#($0)": 2, "c\#($0)": 3, "d\#($0)": 4, "e": 5, "f": 6, "g": 7}"#
    }
    let source = try declarations("{\(members.joined(separator: ","))}")
    #expect(source.split(separator: "\n").count { $0.contains("struct ") } == 401)
  }
}

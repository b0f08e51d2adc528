import AnvilJSON
import Testing

@testable import AnvilSchema

/// Models with macros, and for the operators of mapping.
extension SwiftModelsTests {
  @Test func macroStyleWritesMarkersOnlyWhereNeeded() throws {
    let states = ["open", "closed", "IN_PROGRESS", "open", "closed", "IN_PROGRESS"]
    let issues = states.map { #"{"state": "\#($0)", "createdAt": "2013-01-10T07:58:30Z"}"# }
    let sample = """
      {"id": 1, "full_name": "x", "class": null, "seen_at": ["2013-01-10T07:58:30Z"], "issues": [\(issues.joined(separator: ","))]}
      """
    #expect(
      try source(sample, style: .macro(.codingKeys)) == """
        //     let model = try JSON.read(Root.self, from: data)

        import Anvil
        import Foundation

        @JSONCodable
        struct Root: Hashable, Sendable {
          let id: Int
          @CodingKey("full_name") let fullName: String
          let `class`: JSON?
          @CodingKey("seen_at") @CodableBy(.iso8601) let seenAt: [Date]
          let issues: [Issue]

          @JSONCodable
          struct Issue: Hashable, Sendable {
            let state: IssueState
            @CodableBy(.iso8601) let createdAt: Date

            @JSONCodable
            enum IssueState: String, Sendable {
              case open, closed
              case inProgress = "IN_PROGRESS"
            }
          }
        }

        """)
  }

  @Test func codableNamingReplacesMarkersOfSnakeCaseKeys() throws {
    #expect(
      try declarations(
        #"{"user_id": 1, "html_url": "x", "_x": 2, "Odd": true, "isNew": true, "a1b": 1, "3d": 1, "plain": {"a": 1}}"#,
        style: .macro(.snakeCase)
      ).contains(
        """
        @JSONCodable @CodableNaming(.snakeCase)
        struct Root: Hashable, Sendable {
          let userID: Int
          let htmlURL: String
          @CodingKey("_x") let x: Int
          @CodingKey("Odd") let odd: Bool
          @CodingKey("isNew") let isNew: Bool
          let a1b: Int
          @CodingKey("3d") let _3d: Int
          let plain: Plain

          @JSONCodable
          struct Plain: Hashable, Sendable {
            let a: Int
          }
        }

        """))
  }

  @Test func macroStyleReadsAlternativesByKind() throws {
    #expect(
      try source(#"{"ids": [1, "x", ["2013-01-10T07:58:30Z"]]}"#, style: .macro(.codingKeys)) == """
        //     let model = try JSON.read(Root.self, from: data)

        import Anvil

        @JSONCodable
        struct Root: Hashable, Sendable {
          let ids: [IDItem]

          enum IDItem: Codable, JSONReadable, JSONWritable, Hashable, Sendable {
            case integer(Int)
            case string(String)
            case array([String])

            static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
              switch reader.kind {
              case .number: .integer(try reader.read())
              case .string: .string(try reader.read())
              default: .array(try reader.read())
              }
            }

            func write(to writer: inout JSON.Writer) {
              switch self {
              case .integer(let value): writer.write(value)
              case .string(let value): writer.write(value)
              case .array(let value): writer.write(value)
              }
            }

            init(from decoder: any Decoder) throws {
              let container = try decoder.singleValueContainer()
              if let value = try? container.decode(Int.self) {
                self = .integer(value)
              } else if let value = try? container.decode(String.self) {
                self = .string(value)
              } else {
                self = .array(try container.decode([String].self))
              }
            }

            func encode(to encoder: any Encoder) throws {
              var container = encoder.singleValueContainer()
              switch self {
              case .integer(let value): try container.encode(value)
              case .string(let value): try container.encode(value)
              case .array(let value): try container.encode(value)
              }
            }
          }
        }

        """)
  }

  @Test func mappingStyleUsesTheOptionalOperatorForMissingKeys() throws {
    let source = try source(
      #"{"a": 1, "b": null, "c": "2013-01-10T07:58:30Z", "d": ["x", 1]}"#, #"{"a": 2, "b": null, "d": []}"#,
      style: .mapping)
    #expect(
      source == """
        //     let model: Root = try .decode(JSON(parsing: data))

        import Anvil
        import Foundation

        struct Root: JSONDecodable, Hashable, Sendable {
          let a: Int
          let b: JSON?
          let c: Date?
          let d: [D]

          static func decode(_ json: JSON) throws -> Self {
            try Self(
              a: json => "a",
              b: json => "b",
              c: json =>? "c",
              d: json => "d"
            )
          }

          enum D: JSONDecodable, Hashable, Sendable {
            case integer(Int)
            case string(String)

            static func decode(_ json: JSON) throws -> Self {
              try json.decodeAsOneOf(
                .decoding(Int.self, as: Self.integer),
                .decoding(String.self, as: Self.string)
              )
            }
          }
        }

        """)
  }

  @Test func objectsWithAMemberForTheirTypeBecomeATaggedEnum() throws {
    let sample =
      #"{"shapes": [{"type": "circle", "radius": 1}, {"type": "big-square", "side": 2}, {"type": "circle", "radius": 3, "label": "x"}, {"type": "none"}]}"#
    let expected = """
      @JSONCodable
      struct Root: Hashable, Sendable {
        let shapes: [Shape]

        @JSONCodable @JSONTagged(by: "type")
        enum Shape: Hashable, Sendable {
          case circle(Circle)
          @CodingKey("big-square") case bigSquare(BigSquare)
          case none
          @CodableUnknown case other(JSON)
        }

        @JSONCodable
        struct Circle: Hashable, Sendable {
          let radius: Int
          let label: String?
        }

        @JSONCodable
        struct BigSquare: Hashable, Sendable {
          let side: Int
        }
      }

      """
    #expect(try source(sample, style: .macro(.codingKeys)).hasSuffix(expected))
  }

  @Test func groupsInGroupsBecomeTaggedEnums() throws {
    let sample =
      #"{"shapes": [{"type": "circle", "radius": 1}, {"type": "frame", "inner": {"kind": "image", "width": 3}}, {"type": "frame", "inner": {"kind": "words", "count": 2}}, {"type": "circle", "radius": 2}]}"#
    let source = try source(sample, style: .macro(.codingKeys))
    for part in [
      """
        @JSONCodable @JSONTagged(by: "type")
        enum Shape: Hashable, Sendable {
          case circle(Circle)
          case frame(Frame)
          @CodableUnknown case other(JSON)
        }
      """, "let inner: Inner\n", #"@JSONCodable @JSONTagged(by: "kind")"#, "case image(FrameImage)",
      "case words(Words)",
      "let width: Int\n", "let count: Int\n",
    ] { #expect(source.contains(part), "\(part) in \(source)") }
  }

  @Test func objectsWhosePayloadDependsOnAMemberBesideItBecomeATaggedEnum() throws {
    let events = [
      #""type": "PushEvent", "payload": {"push_id": 1, "size": 2, "ref": "a"}"#,
      #""type": "WatchEvent", "payload": {"action": "started"}"#,
      #""type": "ForkEvent", "payload": {"forkee": {"id": 1, "name": "x"}}"#,
      #""type": "PushEvent", "payload": {"push_id": 3, "size": 4, "ref": "b"}"#,
    ].enumerated().map { index, text in
      #"{"id": "\#(index)", "actor": {"id": 1, "login": "a"}, "repo": {"id": 2, "name": "r"}, "public": true, "created_at": "2026-01-01T00:00:00Z", "a": 1, "b": 2, "c": 3, \#(text)}"#
    }
    let source = try source("[\(events.joined(separator: ","))]", style: .macro(.codingKeys))
    for part in [
      #"@JSONTagged(by: "type")"#, #"@CodingKey("PushEvent") case pushEvent(PushEvent)"#,
      #"@CodingKey("ForkEvent") case forkEvent(ForkEvent)"#, "let size: Int\n", "let forkee: Forkee\n",
    ] { #expect(source.contains(part), "\(part) in \(source)") }
    #expect(!source.contains("let size: Int?"))
    let alike = events.map { $0.replacing("PushEvent", with: "ForkEvent").replacing("WatchEvent", with: "ForkEvent") }
    #expect(!(try declarations("[\(alike.joined(separator: ","))]", style: .macro(.codingKeys))).contains("JSONTagged"))
  }

  /// These are alike, have no text that identifies their type, or may differ by chance.
  @Test(arguments: [
    #"[{"type": "a", "x": 1}, {"type": "b", "x": 2}]"#,
    #"[{"type": "user", "bio": "x"}, {"type": "user"}, {"type": "bot"}]"#,
    #"[{"type": "a", "x": 1}, {"y": 2}]"#, #"[{"type": 1, "x": 1}, {"type": 2, "y": 2}]"#,
    #"[{"name": "ada", "x": 1}, {"name": "bob", "y": 2}]"#,
    #"[{"type": "two words", "x": 1}, {"type": "three", "y": 1}]"#,
    #"[{"type": "a", "x": 1, "p": 1, "q": 1, "r": 1}, {"type": "b", "y": 1}, {"type": "b", "y": 1, "p": 1, "q": 1, "r": 1}, {"type": "a", "x": 1}]"#,
  ])
  func otherObjectsBecomeAStruct(sample: String) throws {
    #expect(try !declarations(sample, style: .macro(.codingKeys)).contains("JSONTagged"))
  }

  @Test func otherStylesHaveNoTaggedEnum() throws {
    for style in [SwiftModels.Style.codable(.codingKeys), .mapping] {
      let source = try declarations(
        #"[{"type": "a", "x": 1}, {"type": "b", "y": "1"}, {"type": "b", "y": 2}]"#, style: style)
      #expect(!source.contains("JSONTagged") && !source.contains("NumberOrString"))
    }
  }

  @Test func numbersInStringsAreLenient() throws {
    let sample =
      #"[{"id": 1, "price_net": 1.5, "ids": [1, "2"], "x": 1}, {"id": "2", "price_net": "2", "ids": [], "x": "a"}, {"id": null}]"#
    let expected = """
      @JSONCodable
      struct Root: Hashable, Sendable {
        @NumberOrString var id: Int?
        @CodingKey("price_net") @NumberOrString var priceNet: Double?
        let ids: [NumberOrString<Int>]?
        let x: X?
      """
    #expect(try source(sample, style: .macro(.codingKeys)).contains(expected))
  }

  @Test(arguments: [
    (#"{"a": ["2020-01-01T00:00:00Z", null]}"#, "@CodableBy(.iso8601) let a: [Date?]"),
    (#"{"map": {"1": "2020-01-01T00:00:00Z"}}"#, "@CodableBy(.iso8601) let map: [String: Date]"),
    (
      #"{"a": {"1": ["2020-01-01T00:00:00Z"], "2": null}}"#,
      "@CodableBy(.iso8601) let a: [String: [Date]?]"
    ),
  ])
  func collectionsOfDatesHaveAStrategy(sample: String, declaration: String) throws {
    let source = try source(sample, style: .macro(.codingKeys))
    #expect(source.contains(declaration), "\(source)")
    #expect(!source.contains("needs the strategy"))
  }

  @Test(arguments: [
    (SwiftModels.Style.macro(.codingKeys), "JSON.Day"), (.mapping, "JSON.Day"), (.codable(.codingKeys), "String"),
  ])
  func daysHaveATypeWhereAnvilIsImported(style: SwiftModels.Style, type: String) throws {
    let source = try source(
      #"[{"born": "2020-02-29", "left": ["2021-01-01"]}, {"born": null, "left": []}]"#, style: style)
    #expect(source.contains("let born: \(type)?\n"), "\(source)")
    #expect(source.contains("let left: [\(type)]\n"), "\(source)")
  }

  @Test(arguments: ["2021-02-29", "2020-1-1", "20200101", "soon"])
  func textsThatAreNoDaysStayStrings(text: String) throws {
    let source = try source(#"[{"born": "2020-01-01"}, {"born": "\#(text)"}]"#, style: .macro(.codingKeys))
    #expect(source.contains("let born: String\n"), "\(source)")
  }
}

import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

/// The reader accepts what the parser accepts, and nothing else.
@Suite struct DirectReadingVerdictTests {
  /// A value that is skipped.
  private struct Skipped: JSONReadable {
    static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Skipped {
      try reader.skip()
      return Skipped()
    }
  }

  /// A value that is read completely with the reader's own functions.
  private indirect enum Tree: JSONReadable, Equatable {
    case null, bool(Bool), double(Double), string(String), array([Tree]), object([String: Tree])

    static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Tree {
      switch reader.kind {
      case .null?:
        try reader.readNull()
        return .null
      case .bool?: return .bool(try reader.read())
      case .string?: return .string(try reader.read())
      case .array?: return .array(try reader.read())
      case .object?: return .object(try reader.read())
      case .number?, nil:
        // A number may be out of range for both types.
        guard let value = try reader.read(JSON.self).double else { return .double(.infinity) }
        return .double(value)
      }
    }

    init(_ json: JSON) throws {
      switch json.kind {
      case .null: self = .null
      case .bool: self = .bool(json.bool ?? false)
      case .number: self = .double(json.double ?? .infinity)
      case .string: self = .string(json.string ?? "")
      case .array: self = .array(try json.elements.map { try Tree($0) })
      case .object:
        self = .object(
          try Dictionary(json.members.map { ($0.key, try Tree($0.value)) }, uniquingKeysWith: { first, _ in first }))
      }
    }
  }

  private func expectSameVerdict(_ bytes: [UInt8], _ name: @autoclosure () -> String) {
    let parsed = Result { () throws(JSON.SyntaxError) in try JSON(parsing: bytes) }
    let skipped = Result { () throws(JSON.ReadingError) in try JSON.read(Skipped.self, from: bytes) }
    let tree = Result { () throws(JSON.ReadingError) in try JSON.read(Tree.self, from: bytes) }
    let subtree = Result { () throws(JSON.ReadingError) in try JSON.read(JSON.self, from: bytes) }
    switch parsed {
    case .success(let json):
      if case .failure(let error) = skipped { Issue.record("\(name()) was not skipped: \(error)") }
      #expect((try? tree.get()) == (try? Tree(json)), "\(name())")
      #expect((try? subtree.get()) == json, "\(name())")
    case .failure(let expected):
      if case .success = tree { Issue.record("\(name()) was read") }
      if case .success = subtree { Issue.record("\(name()) was read") }
      switch skipped {
      case .success: Issue.record("\(name()) was skipped")
      case .failure(let error):
        #expect(error.code == .syntax(expected.code), "\(name())")
        #expect(error.offset == expected.offset, "\(name())")
        #expect(error.line == expected.line && error.column == expected.column, "\(name())")
      }
    }
  }

  @Test(.enabled(if: !ParsingCorpusTests.files.isEmpty, "the corpora are not here: set ANVIL_CORPORA"))
  func conformanceSuiteIsAcceptedAsByTheParser() throws {
    let folder = try #require(ParsingCorpusTests.folder)
    #expect(ParsingCorpusTests.files.count == 318)
    for name in ParsingCorpusTests.files {
      expectSameVerdict(Array(try Data(contentsOf: folder.appending(path: name))), name)
    }
  }

  @Test func randomTextsAreAcceptedAsByTheParser() {
    var generator = ValueGenerator(seed: 5)
    for _ in 0..<rounds(3000) {
      let text = generator.text()
      expectSameVerdict(Array(text.utf8), text)
    }
  }

  private static let texts = [
    #"{"id":1234567890123,"name":"grüße \ud83d\ude00 \n","tags":["a","b",null,true,false],"score":-1.5e-3,"note":"x"}"#,
    #"[1,2.25,-0,1e400,123456789012345678901234567890,"\\\"\/","日本語日本語日本語日本語",{"a":{"\u0062":[]}}]"#,
    #" { "tags" : [ "a" ] , "n\u0061me" : "b" , "x" : { "y" : [ 1 , { } ] } , "id" : 10e-1 } "#,
  ]

  @Test(arguments: texts)
  func truncatedTextsAreErrors(text: String) {
    let bytes = Array(text.utf8)
    let end = bytes.lastIndex { $0 != 0x20 } ?? 0
    for count in 0...end {
      let part = Array(bytes[..<count])
      expectSameVerdict(part, String(decoding: part, as: UTF8.self))
      #expect(throws: JSON.ReadingError.self) { try JSON.read(DirectReadingMemberTests.Item.self, from: part) }
    }
  }

  /// Reading terminates for any bytes. Assertions of the padded memory check every access.
  @Test func randomDamageNeverTraps() {
    var random = RandomSource(seed: 43)
    for _ in 0..<rounds(20_000) {
      var bytes = Array(random.pick(Self.texts).utf8)
      for _ in 0...random.below(4) { Damage.apply(to: &bytes, &random) }
      expectSameVerdict(bytes, String(decoding: bytes, as: UTF8.self))
      let item = try? JSON.read(DirectReadingMemberTests.Item.self, from: bytes)
      if item != nil { #expect(throws: Never.self) { try JSON(parsing: bytes) } }
    }
  }

  /// The reader predicts indentation from earlier lines. Any other bytes must be detected.
  @Test(arguments: ["\n", "\n ", "\n  ", "\n        ", "\r\n\t", "\n\t", " ", "\n" + String(repeating: " ", count: 14)])
  func damagedIndentationsAreAcceptedAsByTheParser(unit: String) {
    func indented(_ depth: Int) -> String {
      String(repeating: unit, count: unit.hasPrefix("\n ") ? 1 : depth) + pad(depth)
    }
    func pad(_ depth: Int) -> String { String(repeating: " ", count: unit.hasPrefix("\n ") ? depth * 5 : 0) }
    let inner =
      "{\(indented(2))\"a\": [\(indented(3))1,\(indented(3))2\(indented(2))],\(indented(2))\"b\": 3\(indented(1))}"
    let bytes = Array("[\(indented(1))\(inner),\(indented(1))\(inner),\(indented(1)){}\(indented(0))]".utf8)
    expectSameVerdict(bytes, unit)
    for index in bytes.indices where bytes[index] <= 0x20 {
      for byte: UInt8 in [0x00, 0x01, 0x09, 0x0A, 0x0B, 0x0D, 0x1F, 0x20, 0x21, 0xA0] {
        var damaged = bytes
        damaged[index] = byte
        expectSameVerdict(damaged, "\(unit) \(index) \(byte)")
      }
    }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22], [0x22, 0xF0, 0x9F, 0x98, 0x22],
      [0x22, 0xE0, 0x80, 0x80, 0x22], [0x22, 0xC3, 0x5C, 0x6E, 0x22], [0x22, 0x5C, 0x6E, 0xA9, 0x22],
    ] as [[UInt8]])
  func invalidUTF8IsRefusedAtAnyOffset(string: [UInt8]) {
    let key = Array("{\"x\":1,".utf8) + string + Array(":1}".utf8)
    let value = Array("{\"x\":[{\"y\":".utf8) + string + Array("}]}".utf8)
    for bytes in [string, key, value] {
      expectSameVerdict(bytes, "\(bytes)")
      #expect(throws: JSON.ReadingError.self) { try JSON.read(Skipped.self, from: bytes) }
      #expect(throws: JSON.ReadingError.self) { try JSON.read(DirectReadingMemberTests.OddKeys.self, from: bytes) }
    }
  }

  /// Runs of three-byte scalars, which are checked five at a time, with one invalid byte at each place.
  @Test func damagedRunsOfLongScalarsAreRefused() {
    let bytes = Array("\"\(String(repeating: "日", count: 17))\"".utf8)
    for index in 1..<(bytes.count - 1) {
      for byte: UInt8 in [0x41, 0x80, 0xBF, 0xC3, 0xE0, 0xE3, 0xED, 0xF0, 0xFF] {
        var damaged = bytes
        damaged[index] = byte
        let isUTF8 = String(validating: damaged, as: UTF8.self) != nil
        #expect(((try? JSON.read(String.self, from: damaged)) != nil) == isUTF8, "\(index) \(byte)")
      }
    }
  }

  // MARK: Limits

  @Test func nestingHasALimit() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    for depth in [1, 63, 64, 65, 128, 129, 512, 513] { expectSameVerdict(nested(depth), "\(depth)") }
    #expect(throws: JSON.ReadingError.self) { try JSON.read(Skipped.self, from: nested(513)) }
    _ = try JSON.read(Skipped.self, from: nested(100_000), options: .init(depthLimit: 100_000))
    let mixed = String(repeating: "[{\"a\":", count: 100) + "1" + String(repeating: "}]", count: 100)
    expectSameVerdict(Array(mixed.utf8), "mixed")
    // Read and skipped containers both count against the limit.
    #expect(throws: Never.self) { try JSON.read([[Skipped]].self, from: "[[[[1]]]]", options: .init(depthLimit: 4)) }
    #expect(throws: JSON.ReadingError.self) {
      try JSON.read([[Skipped]].self, from: "[[[[1]]]]", options: .init(depthLimit: 3))
    }
    #expect(throws: Never.self) { try JSON.read([[Int]].self, from: "[[1],[2],[3]]", options: .init(depthLimit: 2)) }
    #expect(throws: JSON.ReadingError.self) {
      try JSON.read([[Int]].self, from: "[[1]]", options: .init(depthLimit: 1))
    }
  }

  @Test func sizeAndRootHaveTheirLimits() throws {
    #expect(try JSON.read([Int].self, from: "[1]", options: .init(sizeLimit: 3)) == [1])
    func code(_ text: String, _ options: JSON.ParsingOptions) -> JSON.ReadingError.Code? {
      do throws(JSON.ReadingError) {
        _ = try JSON.read(Skipped.self, from: text, options: options)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code("[1] ", .init(sizeLimit: 3)) == .syntax(.tooLarge(limit: 3)))
    #expect(code("1", .init(root: .container)) == .syntax(.fragment))
    #expect(code(" []", .init(root: .container)) == nil)
  }
}

import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

/// Documents that arrive in pieces.
@Suite struct PartialParserTests {
  /// Appends `pieces`, and returns the output of the value after each of them.
  private func values(of pieces: [String]) throws -> [String?] {
    var parser = JSON.PartialParser()
    return try pieces.map {
      try parser.append($0)
      return (parser.value?.serialized()).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Parses `bytes` in pieces of `size` bytes, and takes a value after each of them.
  private func parse(_ bytes: [UInt8], inPiecesOf size: Int) throws(JSON.SyntaxError) -> JSON {
    var parser = JSON.PartialParser()
    var last: JSON?
    for start in stride(from: 0, to: bytes.count, by: size) {
      try parser.append(Data(bytes[start..<min(start + size, bytes.count)]))
      last = parser.value ?? last
    }
    return try parser.finish()
  }

  private func failure(_ body: () throws(JSON.SyntaxError) -> JSON) -> JSON.SyntaxError? {
    do throws(JSON.SyntaxError) {
      _ = try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func aValueHasWhatHasArrived() throws {
    #expect(
      try values(of: [
        #"{"na"#, #"me": "A"#, #"d\u00"#, #"e4", "#, #""age": 3"#, "7, ", #""tags": [tr"#, "ue, nul", #"l, {"#, "}]}",
      ])
        == [
          "{}", #"{"name":"A"}"#, #"{"name":"Ad"}"#, #"{"name":"Adä"}"#, #"{"name":"Adä"}"#,
          #"{"name":"Adä","age":37}"#,
          #"{"name":"Adä","age":37,"tags":[]}"#, #"{"name":"Adä","age":37,"tags":[true]}"#,
          #"{"name":"Adä","age":37,"tags":[true,null,{}]}"#, #"{"name":"Adä","age":37,"tags":[true,null,{}]}"#,
        ])
    #expect(try values(of: [" ", #"""#, "a", #"""#]) == [nil, #""""#, #""a""#, #""a""#])
    #expect(try values(of: ["12", "3", " "]) == [nil, nil, "123"])
  }

  @Test func openValuesAreMarked() throws {
    var parser = JSON.PartialParser()
    try parser.append(#"{"closed": [1], "open": [{"text": "ab"#)
    let value = try #require(parser.value)
    #expect(value.isOpen && value["closed"]?.isOpen == false)
    #expect(value["open"]?.isOpen == true && value["open"]?[0]?.isOpen == true)
    #expect(value["open"]?[0]?["text"]?.isOpen == true)
    try parser.append(#"c"}"#)
    let next = try #require(parser.value)
    #expect(next["open"]?.isOpen == true && next["open"]?[0]?.isOpen == false)
    #expect(next["open"]?[0]?["text"] == "abc")
    #expect(value["open"]?[0]?["text"] == "ab" && value["open"]?[0]?["text"]?.isOpen == true)
    try parser.append("]}")
    let whole = try parser.finish()
    #expect(!whole.isOpen && whole.root == whole && parser.isComplete)
  }

  @Test func valuesThatAreKeptDoNotChange() throws {
    var parser = JSON.PartialParser()
    try parser.append("[")
    var kept: [JSON] = []
    for number in 0..<300 {
      try parser.append(#"{"n": \#(number), "t": ["x"#)
      kept.append(try #require(parser.value))
      try parser.append(#"y"]},"#)
    }
    for (number, value) in kept.enumerated() {
      #expect(value.count == number + 1)
      #expect(value[number]?["n"] == JSON(number) && value[number]?["t"] == ["x"])
      if number > 0 { #expect(value[number - 1]?["t"] == ["xy"] && value[number - 1]?.isOpen == false) }
    }
  }

  @Test func copiesOfAParserGoDifferentWays() throws {
    var first = JSON.PartialParser()
    try first.append(#"{"a": ["#)
    _ = first.value
    var second = first
    try first.append("1]}")
    try second.append(#""x"]}"#)
    let (one, other) = (try first.finish(), try second.finish())
    #expect(one == ["a": [1]] && other == ["a": ["x"]])
  }

  @Test func modelsAreDecodedFromPartsOfDocuments() throws {
    struct Draft: Decodable, Equatable {
      var title: String?
      var steps: [String]?
    }
    var parser = JSON.PartialParser()
    var drafts: [Draft] = []
    for piece in [#"{"title": "A t"#, #"itle", "st"#, #"eps": ["on"#, #"e", "two"]}"#] {
      try parser.append(piece)
      drafts.append(try JSON.Decoder().decode(Draft.self, from: #require(parser.value)))
    }
    #expect(
      drafts == [
        Draft(title: "A t"), Draft(title: "A title"), Draft(title: "A title", steps: ["on"]),
        Draft(title: "A title", steps: ["one", "two"]),
      ])
  }

  static let documents = [
    #"{"a": "\ud83d\ude00 \u00e4\n\\", "ключ": [1, -0, 0.5, 1e3, 12345678901234567890123, -9223372036854775808], "日本": {"": []}}"#,
    "\u{FEFF} [\r\n true, false,\tnull, \"\" , {} ,[]]\n", "\"😀é\"", "-12.5e+10", "0", "[[[[]]]]", #"{"a":1,"a":2}"#,
  ]

  @Test(arguments: documents)
  func piecesOfAnySizeGiveTheSameDocument(text: String) throws {
    let expected = try JSON(parsing: text)
    for size in 1...text.utf8.count {
      let value = try parse(Array(text.utf8), inPiecesOf: size)
      #expect(value == expected && value.serialized() == expected.serialized(), "pieces of \(size) bytes")
    }
  }

  @Test(arguments: documents)
  func aPrefixIsIncompleteNotInvalid(text: String) throws {
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      let prefix = Array(bytes[..<count])
      let expected = failure { () throws(JSON.SyntaxError) in try JSON(parsing: prefix) }
      var parser = JSON.PartialParser()
      try parser.append(Data(prefix))
      #expect(failure { () throws(JSON.SyntaxError) in try parser.finish() } == expected, "\(count) bytes")
    }
  }

  @Test(arguments: [
    "", " ", "[1,]", "[1 2]", "{1}", #"{"a" 1}"#, #"{"a":1 "b"}"#, #"{"a":1,}"#, "[01]", "[1-2]", "[-]", "[1.]", "[1e]",
    "[1.e3]", "[.5]",
    "[+1]", "[tru]", "[trux]", "nulL", "[nul", "]", "[1]]", "1 2", "\"\n\"", "\"a\u{1}\"", #""\x""#, #""\u12g4""#,
    #""\ud800""#,
    #""\ud800x""#, #""\ud800\u0041""#, #""\udc00""#, "[\n\r\n\r\n  \"ä\", ?]", "[1, \r\n", "\"\\", "\"\\u12",
    "\"\\ud83d\\ude", "{\"a\":", "tu[", "nlll", "[fase]",
    "{\"a\"", "{", "12a", "-x", "[\"a\",\n  tru\n]", "[12345.\n]", "[\0]",
    "[01]", "[-]", "[--1]", "[1-2]", "[1ee5]", "[1e+-5]", "[1e5.5]", "[1.2.3]", "[1.e5]", "[-01]", "[0e]", "01", "1.-",
    "[1e5+]",
  ])
  func errorsAreThoseOfTheParser(text: String) throws {
    let bytes = Array(text.utf8)
    let expected = try #require(failure { () throws(JSON.SyntaxError) in try JSON(parsing: text) })
    for size in 1...max(1, bytes.count) {
      #expect(
        failure { () throws(JSON.SyntaxError) in try parse(bytes, inPiecesOf: size) } == expected,
        "pieces of \(size) bytes")
    }
  }

  @Test(arguments: ["[1e-+", "[01", "[--", "[1ee", "[1.e", "{\"a\":-.", "[1-", "[1.5.", "[1e5e", "-+"])
  func invalidNumbersAreReportedAtOnce(text: String) {
    for size in [1, 2, 100] {
      var parser = JSON.PartialParser()
      #expect(throws: JSON.SyntaxError.self) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          try parser.append(Data(rest.prefix(size)))
          rest = rest.dropFirst(size)
        }
      }
    }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC3], [0x22, 0xE4, 0xBD, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0x41, 0x80, 0x22],
      [0xEF, 0xBB], [0xEF, 0xBB, 0x41], [0x22, 0xF0, 0x9F, 0x98], [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22],
    ] as [[UInt8]])
  func invalidCharactersAreThoseOfTheParser(bytes: [UInt8]) throws {
    let expected = try #require(failure { () throws(JSON.SyntaxError) in try JSON(parsing: bytes) })
    for size in 1...bytes.count {
      #expect(
        failure { () throws(JSON.SyntaxError) in try parse(bytes, inPiecesOf: size) } == expected,
        "pieces of \(size) bytes")
    }
  }

  @Test func anErrorIsThrownAgainAndTheValueStays() throws {
    var parser = JSON.PartialParser()
    try parser.append(#"{"a": 1, "#)
    let error = failure { () throws(JSON.SyntaxError) in
      try parser.append("?")
      return nil
    }
    #expect(error?.offset == 9 && error?.column == 10)
    #expect(failure { () throws(JSON.SyntaxError) in try parser.finish() } == error)
    #expect(parser.value == ["a": 1])
  }

  @Test func limitsHold() {
    var deep = JSON.PartialParser(depthLimit: 3)
    let tooDeep = failure { () throws(JSON.SyntaxError) in
      try deep.append("[[[")
      try deep.append("[")
      return nil
    }
    #expect(tooDeep?.code == .tooDeep(limit: 3) && tooDeep?.offset == 3)
    var large = JSON.PartialParser(sizeLimit: 5)
    let tooLarge = failure { () throws(JSON.SyntaxError) in
      try large.append("[1, ")
      try large.append("2]")
      return nil
    }
    #expect(tooLarge?.code == .tooLarge(limit: 5) && tooLarge?.offset == 5)
  }

  /// A time that grows with the square would not end: a string, a number and an array, each in 100,000 pieces.
  @Test(.timeLimit(.minutes(5)), arguments: ["\"", "1", "["], [1, 3])
  func manyPiecesTakeLinearTime(beginning: String, kept: Int) throws {
    var parser = JSON.PartialParser()
    try parser.append(beginning)
    var last: [JSON?] = []
    for _ in 0..<100_000 {
      if last.count == kept { last.removeFirst() }
      try parser.append(beginning == "[" ? "1," : "12345")
      last.append(parser.value)
    }
    try parser.append(beginning == "\"" ? "\"" : beginning == "[" ? "1]" : " ")
    let value = try parser.finish()
    #expect(last.count == kept && (last[0] != nil || beginning == "1"))
    #expect(value.string?.count == 500_000 || value.count == 100_001 || value.kind == .number)
  }

  @Test(.enabled(if: Corpora.folder != nil, "the corpora are not here: set ANVIL_CORPORA"))
  func theConformanceSuiteHasTheSameVerdicts() throws {
    let folder = try #require(ParsingCorpusTests.folder)
    for name in ParsingCorpusTests.files {
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
      guard bytes.count < 10_000, TextEncoding(of: Data(bytes).bytes) == nil else { continue }
      let expected = Result { () throws(JSON.SyntaxError) in try JSON(parsing: bytes) }
      for size in [1, 7, 4096] {
        #expect(Result { () throws(JSON.SyntaxError) in try parse(bytes, inPiecesOf: size) } == expected, "\(name)")
      }
    }
  }

  @Test(
    .enabled(if: Corpora.folder != nil, "the corpora are not here: set ANVIL_CORPORA"),
    arguments: Corpora.documents)
  func publicDocumentsArriveInPieces(name: String) throws {
    let bytes = [UInt8](try Corpora.document(name))
    let expected = try JSON(parsing: bytes)
    var parser = JSON.PartialParser()
    let size = isThorough && bytes.count < 100_000 ? 1 : bytes.count / 1000
    for (number, start) in stride(from: 0, to: bytes.count, by: size).enumerated() {
      try parser.append(Data(bytes[start..<min(start + size, bytes.count)]))
      guard let value = parser.value else {
        #expect(start == 0)
        continue
      }
      #expect(value.isOpen == !parser.isComplete)
      // Comparing all of each prefix would take quadratic time.
      let isCompared = number.isMultiple(of: bytes.count / size / 20)
      #expect(value.isBeginning(of: expected, comparesAll: isCompared), "\(start + size) bytes")
    }
    #expect(try parser.finish() == expected)
  }
}

extension JSON {
  /// Returns whether the value has the elements and members of `whole` up to a point, and is `whole` if it is not open.
  ///
  /// - Parameter comparesAll: False to compare only the last values, at each level.
  fileprivate func isBeginning(of whole: JSON, comparesAll: Bool) -> Bool {
    guard isOpen else { return self == whole }
    if let string { return whole.string.map { $0.utf8.starts(with: string.utf8) } ?? false }
    guard kind == whole.kind, count <= whole.count else { return false }
    let skipped = comparesAll ? 0 : max(0, count - 2)
    let elements = zip(self.elements.dropFirst(skipped), whole.elements.dropFirst(skipped))
    let members = zip(self.members.dropFirst(skipped), whole.members.dropFirst(skipped))
    return elements.allSatisfy { $0.isBeginning(of: $1, comparesAll: comparesAll) }
      && members.allSatisfy { $0.key == $1.key && $0.value.isBeginning(of: $1.value, comparesAll: comparesAll) }
  }
}

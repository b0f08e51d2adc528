import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

/// Compares the splitter and a parser of its elements with a parser of the whole text.
@Suite struct ElementSplitterTests {
  static let texts = [
    "[]", " [ ] ", "\u{FEFF}[]", "[1]", "[1,2]", "[ -1.5e+3 , 0 ]\n", "[true,false,null]", #"["",""]"#,
    #"["a\"]b","\\"]"#,
    #"["\\\\\"","\u005d"]"#, "[[],[[]],{}]", #"[{"a":"}]"},{"]":[1,{"b":[]}]}]"#, "[\"é😀\",\r\n\t1\r,\n2]",
    "[\(String(repeating: "[", count: 511))\(String(repeating: "]", count: 511))]",
    #"["\#(String(repeating: #"\\"#, count: 70))\"",{"k":"\#(String(repeating: "x", count: 130))"}]"#,
    // Texts that are not arrays or not JSON.
    "", " ", "\u{FEFF}", "{}", "1", "null", "\"[]\"", "<!DOCTYPE html>", "[", "[ ", "[1", "[1,", "[1, ", "[,1]", "[1,]",
    "[1,,2]",
    "[,]", "[1 2]", "[1]]", "[1],", "[] []", "[]x", "[1}", "]", "[\"a", "[\"a\\", "[\"a\\\"", "[\"\\u12", "[\"\\u12\"]",
    "[\"\\x\"]",
    "[\"a\" \"b\"]", "[\"a\"1]", "[tru]", "[tru", "[truex]", "[true1]", "[nul,1]", "[fals e]", "[-]", "[-", "[01]",
    "[1.]", "[1.",
    "[1e]", "[1e+", "[1-2]", "[1+2]", "[1x]", "[+1]", "[.5]", "[NaN]", "[a]", "['a']", "[/**/1]", "[1]//", "[{]", "[{}",
    "[{\"a\":1]",
    "[{\"a\":1],2]", "[[1}]", "[[1}}]", "[{\"a\"}]", "[{\"a\":}]", "[{a:1}]", "[{\"a\":1,}]", "[{\"a\":x", "[[1,2",
    "[[1,2,]",
    "[{\\\"a\":1}]", "[\"\t\"]", "[\"a\n\"]", "[\r\n 1,\r x]", "[\n\"é\" 1]", "[1,\u{0}]",
    "[1,\u{FEFF}2]",
    "[\(String(repeating: "[", count: 512))\(String(repeating: "]", count: 512))]",
    "[x\(String(repeating: "[", count: 512))\(String(repeating: "]", count: 512))]",
    "[[x,\(String(repeating: "[", count: 512))\(String(repeating: "]", count: 512))]]",
    "[{\"a\":tru}]", "[{\"a\":-}]", "[{\"a\":\"\\u00\"}]", "[[nul", "[1 ,", "[1]\u{FEFF}",
  ]

  @Test(arguments: texts)
  func textsCutAnywhereGiveTheParsersElements(text: String) throws {
    let data = Data(text.utf8)
    try check(data, sizes: [data.count])
    try check(data, sizes: [1])
    for position in 0...data.count { try check(data, sizes: [position, data.count]) }
  }

  /// Bytes that are not valid in a Swift string.
  @Test(
    arguments: [
      [0x5B, 0x22, 0xFF, 0x22, 0x5D], [0x5B, 0x22, 0xE2, 0x82, 0x22, 0x5D], [0x5B, 0x22, 0xE2, 0x82],
      [0x5B, 0xFF, 0x5D],
      [0xEF, 0x5B, 0x5D], [0xEF, 0xBB, 0x5B, 0x5D], [0xEF, 0xBB], [0xEF, 0x20, 0x5B, 0x5D],
      [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x5B, 0x5D],
      [0x20, 0xEF, 0xBB, 0xBF, 0x5B, 0x5D], [0x5B, 0x31, 0x2C, 0x80, 0x5D],
    ] as [[UInt8]])
  func resultsAgreeWithTheParserOnInvalidEncodings(bytes: [UInt8]) throws {
    try check(Data(bytes), sizes: [bytes.count])
    try check(Data(bytes), sizes: [1])
  }

  @Test(.enabled(if: !ParsingCorpusTests.files.isEmpty, "the corpora are not here: set ANVIL_CORPORA"))
  func resultsAgreeWithTheParserOnTheConformanceSuite() throws {
    let folder = try #require(ParsingCorpusTests.folder)
    for name in ParsingCorpusTests.files {
      let data = try Data(contentsOf: folder.appending(path: name))
      if TextEncoding(of: data.bytes) != nil { continue }
      for sizes in [[data.count], [1], [7]] { try check(data, sizes: sizes, Comment(rawValue: name)) }
    }
  }

  @Test(
    .enabled(if: Corpora.folder != nil, "the corpora are not here: set ANVIL_CORPORA"),
    arguments: Corpora.documents)
  func resultsAgreeWithTheParserOnTheCorpora(name: String) throws {
    let document = try Corpora.document(name)
    let array = Data("[ ".utf8) + document + Data(",\n".utf8) + document + Data("]".utf8)
    try check(array, sizes: [array.count])
    try check(array, sizes: [65_536, 1, 63, 64, 65, 1_000])
    if case .array = try JSON(parsing: document).kind { try check(document, sizes: [16_384]) }
  }

  @Test func resultsAgreeWithTheParserOnRandomAndDamagedArrays() throws {
    var generator = ValueGenerator(seed: 7)
    for _ in 0..<rounds(3_000) {
      let elements = (0..<generator.int(0..<6)).map { _ in generator.text() }
      var bytes = Array("[\(elements.joined(separator: ","))]".utf8)
      for _ in 0..<generator.int(0..<3) {
        let position = generator.int(0..<bytes.count)
        switch generator.int(0..<4) {
        case 0: bytes.remove(at: position)
        case 1: bytes.removeSubrange(position...)
        case 2: bytes.insert(Array("[]{},:\"\\ 1e-tx".utf8)[generator.int(0..<14)], at: position)
        default: bytes[position] = Array("[]{},:\"\\ 1e-tx".utf8)[generator.int(0..<14)]
        }
        if bytes.isEmpty { break }
      }
      let sizes = (0..<5).map { _ in generator.int(1..<40) }
      try check(Data(bytes), sizes: sizes, Comment(rawValue: String(decoding: bytes, as: UTF8.self)))
    }
  }

  @Test(
    arguments: [
      Array("[1]".utf8).flatMap { [$0, 0] }, Array("[1]".utf8).flatMap { [0, $0] },
      Array(" [1]".utf8).flatMap { [$0, 0] },
      [0xFF, 0xFE, 0x5B, 0, 0x5D, 0], [0xFE, 0xFF, 0, 0x5B, 0, 0x5D], Array("[1]".utf8).flatMap { [$0, 0, 0, 0] },
    ] as [[UInt8]])
  func otherEncodingsAreRefused(bytes: [UInt8]) throws {
    for size in [1, bytes.count] {
      let error = try #require(split(Data(bytes), sizes: [size]).failure)
      #expect(error.syntaxError?.code == .invalidEncoding)
      #expect(error.context?.debugDescription == "The text is not in UTF-8.")
    }
  }

  @Test(arguments: [
    ("[\"abcd\"]", 1, 0), ("[1,\"abcd\"]", 3, 1), ("[123456]", 1, 0), ("[ [1,2,] ]", 2, 0), ("[{\"a\":1}", 1, 0),
    ("[\"abcdef", 1, 0), ("[\n[],[],  123456", 10, 2),
  ])
  func elementsLargerThanTheLimitAreErrors(text: String, offset: Int, index: Int) throws {
    let data = Data(text.utf8)
    for size in 1...data.count {
      let error = try #require(split(data, sizes: [size], sizeLimit: 5).failure)
      #expect(error.syntaxError?.code == .tooLarge(limit: 5))
      #expect(error.syntaxError?.offset == offset)
      #expect(error.context?.codingPath.map(\.intValue) == [index])
    }
  }

  @Test(arguments: [(Int.min, " []", 1), (0, "[]", 0), (1, "[1,[]]", 3), (2, "[[],{},[[1]]]", 8)])
  func depthLimitIncludesTheArrayItself(depthLimit: Int, text: String, offset: Int) throws {
    var splitter = ElementSplitter(sizeLimit: 100, depthLimit: depthLimit)
    splitter.append(Data(text.utf8))
    let error = #expect(throws: DecodingError.self) { while try splitter.next() != nil {} }
    #expect(error?.syntaxError?.code == .tooDeep(limit: max(0, depthLimit)))
    #expect(error?.syntaxError?.offset == offset)
  }

  @Test func whitespaceHasNoLimit() throws {
    let data = Data("[1,\(String(repeating: " ", count: 10_000))2]".utf8)
    for size in [1, 100, data.count] {
      #expect(try split(data, sizes: [size], sizeLimit: 1).get() == ["1", "2"])
    }
  }

  @Test func elementsAreReturnedAsSoonAsTheyEnd() throws {
    var splitter = ElementSplitter(sizeLimit: 100, depthLimit: 512)
    splitter.append(Data("[{},tr".utf8))
    #expect(try splitter.next()?.bytes == Data("{}".utf8))
    #expect(try splitter.next() == nil)
    splitter.append(Data("ue".utf8))
    #expect(try splitter.next() == nil)
    splitter.append(Data(",\"".utf8))
    let element = try splitter.next()
    #expect(element?.bytes == Data("true".utf8) && element?.index == 1)
    #expect(try splitter.next() == nil)
  }

  @Test func dataSlicesAreReadFromTheirStartIndex() throws {
    let data = Data("xx[1,[2]]xx".utf8).dropFirst(2).dropLast(2)
    #expect(try split(data, sizes: [data.count]).get() == ["1", "[2]"])
  }

  @Test func errorsHaveTheirPositionInTheWholeText() throws {
    let text = "[\n {\"a\": 1},\r\n {\"é\": x}\n]"
    for size in [1, 5, 100] {
      let error = try #require(split(Data(text.utf8), sizes: [size]).failure)
      #expect(
        error.context?.debugDescription
          == "The text is not JSON: expected a value, found 'x' at line 3, column 8 (byte 22)")
      #expect(error.context?.codingPath.map(\.stringValue) == ["Index 1"])
    }
    let page = try #require(split(Data("\n<html>".utf8), sizes: [3]).failure)
    #expect(
      page.context?.debugDescription
        == "The text is not a JSON array: expected an array, found '<' at line 2, column 1 (byte 1)")
    let cut = try #require(split(Data("[1,\n{\"a\":[2".utf8), sizes: [3]).failure)
    #expect(
      cut.context?.debugDescription == "The text is not a JSON array: unexpected end at line 2, column 8 (byte 11)")
    #expect(cut.context?.codingPath.map(\.stringValue) == ["Index 1"])
  }

  @Test func decodingErrorsHaveTheIndexOfTheElement() throws {
    struct Named: Decodable { var name: String }
    struct Own: Error {}
    var splitter = ElementSplitter(sizeLimit: 100, depthLimit: 512)
    splitter.append(Data(#"[{"name":"a"},{"name":1},{}]"#.utf8))
    _ = try splitter.next()
    var paths: [[String]] = []
    while let element = try splitter.next() {
      let error = #expect(throws: DecodingError.self) { try JSON.Decoder().decode(Named.self, from: element.bytes) }
      let located = try splitter.locating(#require(error), in: element) as? DecodingError
      paths.append(located?.context?.codingPath.map(\.stringValue) ?? [])
      #expect(splitter.locating(Own(), in: element) is Own)
    }
    #expect(paths == [["Index 1", "name"], ["Index 2"]])
  }
}

extension ElementSplitterTests {
  /// Returns whether splitting `data` gives the same result as parsing it, including errors and their places. The
  /// chunks have these sizes in turn.
  private func check(_ data: Data, sizes: [Int], _ comment: Comment? = nil, line: Int = #line) throws {
    let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
    let found = split(data, sizes: sizes)
    do throws(JSON.SyntaxError) {
      let json = try JSON(parsing: data)
      guard json.kind == .array else {
        if case .unexpectedByte(_, "an array") = found.failure?.syntaxError?.code { return }
        Issue.record("took \(json.kind) for an array", sourceLocation: location)
        return
      }
      let expected = json.elements.map { "\($0)" }
      #expect(found.failure == nil, comment, sourceLocation: location)
      #expect((try? found.get()) == expected, comment, sourceLocation: location)
    } catch {
      // The splitter expects an array, so its message differs if the text begins differently.
      let mark = Data([0xEF, 0xBB, 0xBF])
      let text = data.starts(with: mark) ? data.dropFirst(3) : data
      let isArray = text.first { !" \n\r\t".utf8.contains($0) } == UInt8(ascii: "[")
      #expect(found.failure != nil, comment, sourceLocation: location)
      if isArray { #expect(found.failure?.syntaxError == error, comment, sourceLocation: location) }
    }
  }

  /// Splits `data`, given in chunks of these sizes in turn, and returns each element after parsing and writing it.
  private func split(_ data: Data, sizes: [Int], sizeLimit: Int = .max) -> Result<[String], any Error> {
    Result {
      var splitter = ElementSplitter(sizeLimit: sizeLimit, depthLimit: 512)
      var elements: [String] = []
      var rest = data
      var turn = 0
      repeat {
        let size = sizes[turn % sizes.count]
        turn += 1
        splitter.append(rest.prefix(size))
        rest = rest.dropFirst(size)
        while let element = try splitter.next() {
          // Called millions of times. An `#expect` in each call would take longer than the parser.
          if element.index != elements.count {
            Issue.record("element \(elements.count) has the index \(element.index)")
          }
          do throws(JSON.SyntaxError) {
            let json = try JSON(parsing: element.bytes)
            elements.append("\(json)")
          } catch {
            let context = DecodingError.Context(codingPath: [], debugDescription: "", underlyingError: error)
            throw splitter.locating(DecodingError.dataCorrupted(context), in: element)
          }
        }
      } while !rest.isEmpty
      if try splitter.finish() != nil { Issue.record("an element behind the end") }
      return elements
    }
  }
}

extension Result where Failure == any Error {
  fileprivate var failure: DecodingError? {
    if case .failure(let error) = self { error as? DecodingError } else { nil }
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }

  fileprivate var syntaxError: JSON.SyntaxError? { context?.underlyingError as? JSON.SyntaxError }
}

import AnvilBase
import AnvilBodies
import AnvilHTTP
import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct ElementsTests {
  struct User: Codable, Equatable {
    var id: Int
    var name: String
    var tags: [String]
  }

  /// Decoding the elements one by one gives the same values as decoding the whole document.
  @Test func elementsEqualThoseOfTheWholeDocument() async throws {
    var random = SeededGenerator(seed: 5)
    let users = (0..<200).map { id in
      User(
        id: id, name: ["Ada", "\"\\]", "é😀", "", "a\n}"][id % 5],
        tags: (0..<Int.random(in: 0..<5, using: &random)).map { "[\($0)," })
    }
    for format in [JSONEncoder(), prettyEncoder] {
      let data = try format.encode(users)
      for _ in 0..<20 {
        let sizes = (0..<5).map { _ in Int.random(in: 1..<300, using: &random) }
        let found = await HTTP.Body.cut(data, sizes: sizes).elements(of: User.self).all()
        #expect(found.elements == users)
        #expect(found.error == nil)
      }
      #expect(await HTTP.Body.cut(data, sizes: [1]).elements(of: User.self).all().elements == users)
      #expect(await HTTP.Body(data).elements(of: User.self, with: JSONDecoder()).all().elements == users)
    }
  }

  private var prettyEncoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .prettyPrinted
    return encoder
  }

  @Test(arguments: ["[]", " [ ]\n", "\u{FEFF}[]"])
  func anEmptyArrayHasNoElements(text: String) async {
    for body in HTTP.Body.cuttings(of: text) {
      let found = await body.elements(of: Int.self).all()
      #expect(found.elements.isEmpty && found.error == nil)
    }
  }

  @Test func theBodysFormatIsUsedByDefault() async throws {
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    var body = HTTP.Body("[0, 1.5]")
    body.decodingFormat = decoder
    let dates = await body.elements(of: Date.self).all().elements
    #expect(dates == [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1.5)])
    let others = await body.elements(of: Date.self, with: JSON.Decoder()).all().elements
    #expect(others.first == Date(timeIntervalSinceReferenceDate: 0))
  }

  @Test func errorsContainTheIndexOfTheElement() async throws {
    let body = HTTP.Body(#"[{"id":1,"name":"a","tags":[]},{"id":2,"name":"b","tags":["x",1]}]"#)
    let found = await body.elements(of: User.self).all()
    #expect(found.elements.count == 1)
    guard case .typeMismatch(_, let context) = found.error as? DecodingError else {
      Issue.record("expected a type mismatch, found \(String(describing: found.error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["Index 1", "tags", "Index 1"])
    #expect(context.codingPath.map(\.intValue) == [1, nil, 1])
  }

  @Test(arguments: [
    ("<!DOCTYPE html>\n", "expected an array, found '<' at line 1, column 1 (byte 0)"),
    ("\n {\"error\":1}", "expected an array, found '{' at line 2, column 2 (byte 2)"),
    ("", "unexpected end at line 1, column 1 (byte 0)"),
    ("[1,\n2", "unexpected end at line 2, column 2 (byte 5)"),
    ("[1,\n2,]", "expected a value, found ']' at line 2, column 3 (byte 6)"),
    ("[1,\n2 3]", "expected ',' or ']', found '3' at line 2, column 3 (byte 6)"),
    ("[1,\n2]\n]", "content after the value at line 3, column 1 (byte 7)"),
    ("[1,\r\n2,-]", "invalid number at line 2, column 4 (byte 8)"),
  ])
  func invalidArraysAreReportedWithThePosition(text: String, message: String) async throws {
    for body in HTTP.Body.cuttings(of: text) {
      let found = await body.elements(of: Int.self).all()
      guard case .dataCorrupted(let context) = found.error as? DecodingError else {
        Issue.record("expected corrupted data, found \(String(describing: found.error))")
        return
      }
      let error = try #require(context.underlyingError as? JSON.SyntaxError)
      #expect("\(error)" == message)
      #expect(context.debugDescription.hasSuffix(message))
    }
  }

  @Test func nothingFollowsAnError() async throws {
    var elements = HTTP.Body("[1,\"x\",2]").elements(of: Int.self).makeAsyncIterator()
    #expect(try await elements.next() == 1)
    await #expect(throws: DecodingError.self) { try await elements.next() }
    #expect(try await elements.next() == nil)
  }

  @Test(arguments: [JSON.Decoder() as any DecodingFormat, JSONDecoder()])
  func resultsContinueAfterAnUndecodableElement(format: any DecodingFormat) async {
    for body in HTTP.Body.cuttings(of: "[1,\"x\",{},2,null]") {
      let found = await body.elements(of: Int.self, with: format).results.all()
      #expect(found.error == nil)
      #expect(found.elements.map { try? $0.get() } == [1, nil, nil, 2, nil])
      let indices = found.elements.compactMap { result -> Int? in
        guard case .failure(let error as DecodingError) = result else { return nil }
        return error.path.first
      }
      #expect(indices == [1, 2, 4])
    }
  }

  /// After invalid JSON, the boundaries of elements are unreliable.
  @Test(arguments: [JSON.Decoder() as any DecodingFormat, JSONDecoder()])
  func resultsEndAtInvalidJSON(format: any DecodingFormat) async {
    for body in HTTP.Body.cuttings(of: "[[1],[2}],[3]]") {
      let found = await body.elements(of: [Int].self, with: format).results.all()
      #expect(found.elements.count == 1)
      #expect((found.error as? DecodingError)?.path.first == 1)
    }
  }

  @Test func errorsThrownByTypesAreKept() async throws {
    struct Own: Error {}
    struct Refusing: Decodable {
      init(from decoder: any Decoder) throws { throw Own() }
    }
    #expect(await HTTP.Body("[1]").elements(of: Refusing.self).all().error is Own)
  }

  /// An error in a nested text has its position in the inner text.
  @Test func positionsInNestedTextsAreKept() async throws {
    struct Wrapped: Decodable {
      init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        _ = try JSON.Decoder().decode([Int].self, from: Data(text.utf8))
      }
    }
    let inner = "[\(String(repeating: "1,", count: 100))]"
    let found = await HTTP.Body("[\"[1]\",\"\(inner)\"]").elements(of: Wrapped.self).all()
    #expect(found.elements.count == 1)
    guard case .dataCorrupted(let context) = found.error as? DecodingError else {
      Issue.record("expected corrupted data, found \(String(describing: found.error))")
      return
    }
    #expect((context.underlyingError as? JSON.SyntaxError)?.offset == 201)
    #expect(context.codingPath.map(\.intValue) == [1])
  }

  @Test func elementSizesAreLimited() async throws {
    let source = ChunkSource(["[[0],["] + Array(repeating: "1,1,1,1,1,", count: 100), then: .silence)
    let found = await HTTP.Body.stream(source).elements(of: [Int].self, sizeLimit: 25).all()
    guard case .dataCorrupted(let context) = found.error as? DecodingError else {
      Issue.record("expected corrupted data, found \(String(describing: found.error))")
      return
    }
    #expect(found.elements == [[0]])
    let error = try #require(context.underlyingError as? JSON.SyntaxError)
    #expect(error.code == .tooLarge(limit: 25) && error.offset == 5)
    #expect(source.readCount == 4)
  }

  @Test(arguments: [3, 512])
  func nestingIsLimitedByTheDecoder(limit: Int) async throws {
    let decoder = JSON.Decoder()
    decoder.parsingOptions.depthLimit = limit
    let deepest = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
    var body = HTTP.Body(deepest)
    body.decodingFormat = decoder
    #expect(await body.elements(of: Anything.self).all().error == nil)
    body = HTTP.Body("[\(deepest)]")
    body.decodingFormat = decoder
    guard case .dataCorrupted(let context) = await body.elements(of: Anything.self).all().error as? DecodingError else {
      Issue.record("too deep an array was accepted")
      return
    }
    let error = try #require(context.underlyingError as? JSON.SyntaxError)
    #expect(error.code == .tooDeep(limit: limit) && error.offset == limit)
  }

  private struct Anything: Decodable {
    init(from decoder: any Decoder) {}
  }
}

extension DecodingError {
  fileprivate var path: [Int] {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context.codingPath.map { $0.intValue ?? -1 }
    @unknown default: []
    }
  }
}

import AnvilBase
import Foundation
import Testing

@Suite struct ContainerTests {
  struct Article: Codable, Equatable {
    var title: String
    var subtitle: String
  }

  struct RootKey: CodableContainer {
    let element: Article
    private enum CodingKeys: String, CodingKey { case element = "root_key" }
  }

  struct Many: DecodableContainer {
    let element: [Article]
    private enum CodingKeys: String, CodingKey { case element = "root_key" }
  }

  static let article = Article(title: "Title", subtitle: "Subtitle")

  @Test func decodersUnwrapTheRootKey() throws {
    let json = Data(#"{"root_key": {"title": "Title", "subtitle": "Subtitle"}, "other": 1}"#.utf8)
    #expect(try JSONDecoder().decode(Article.self, from: json, with: RootKey.self) == Self.article)
  }

  @Test func decodersUnwrapAnArray() throws {
    let json = Data(#"{"root_key": [{"title": "Title", "subtitle": "Subtitle"}]}"#.utf8)
    #expect(try JSONDecoder().decode([Article].self, from: json, with: Many.self) == [Self.article])
  }

  @Test func encodersWrapInTheRootKey() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(Self.article, in: RootKey.self)
    #expect(String(decoding: data, as: UTF8.self) == #"{"root_key":{"subtitle":"Subtitle","title":"Title"}}"#)
  }

  @Test func propertyListsRoundTripThroughAContainer() throws {
    let data = try PropertyListEncoder().encode(Self.article, in: RootKey.self)
    #expect(try PropertyListDecoder().decode(Article.self, from: data, with: RootKey.self) == Self.article)
  }

  @Test func missingRootKeyIsNamed() throws {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Article.self, from: Data(#"{"title": "Title"}"#.utf8), with: RootKey.self)
    }
    guard case .keyNotFound(let key, _) = try #require(error) else {
      Issue.record("expected keyNotFound, found \(String(describing: error))")
      return
    }
    #expect(key.stringValue == "root_key")
  }

  @Test func errorsInsideTheContainerHaveTheWholePath() throws {
    let json = Data(#"{"root_key": {"title": "Title", "subtitle": 7}}"#.utf8)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Article.self, from: json, with: RootKey.self)
    }
    guard case .typeMismatch(_, let context) = try #require(error) else {
      Issue.record("expected typeMismatch, found \(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["root_key", "subtitle"])
  }
}

import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

/// URLs in texts that are large enough for the reader to cache parsed URLs.
@Suite struct DirectReadingURLTests {
  @Test func repeatedURLsAreReadCorrectly() throws {
    var random = SeededGenerator(seed: 20)
    let texts = (0..<3_000).map { _ in
      let path = ["", "/", "/a/b", "/grüße", "/a%20b?c=d#e"].randomElement(using: &random) ?? ""
      return "https://images\(Int.random(in: 0..<40, using: &random)).example.com\(path)"
    }
    let document = document(texts)
    for document in [document, document.replacing("/", with: #"\/"#)] {
      #expect(
        try JSON.read([URL].self, from: document).map(\.absoluteString) == texts.map { URL(string: $0)?.absoluteString }
      )
    }
  }

  @Test func invalidURLsAreRefusedWithTheirPosition() throws {
    let texts = Array(repeating: "https://example.com/0123456789", count: 1_000) + ["https://[example.com/0123456"]
    let document = document(texts)
    let error = #expect(throws: JSON.ReadingError.self) { try JSON.read([URL].self, from: document) }
    #expect(error?.offset == document.utf8.count - texts[1_000].utf8.count - 3)
    #expect(error?.path.description == "[1000]")
  }

  /// Resolved escapes are undone before a value is read again. The restored bytes must not match a URL cached in the
  /// first attempt.
  @Test func urlsAreCorrectAfterASecondAttempt() throws {
    let members = (0..<200).flatMap { index in
      let path = "example.com/0123456789/\(index + 1_000)"
      return [
        #"{"url": "http:\/\/\#(path)", "count": "no number"}"#,
        #"{"url": "http:\\/\\/\#(path.dropLast(2))", "count": 1}"#,
      ]
    }
    let found = try JSON.read(Links.self, from: "[\(members.joined(separator: ","))]").urls
    #expect(found == (0..<200).map { URL(string: #"http:\/\/example.com/0123456789/\#(($0 + 1_000) / 100)"#) })
    #expect(!found.contains(nil))
  }

  private func document(_ texts: [String]) -> String {
    "[\(texts.map { #""\#($0)""# }.joined(separator: ","))]"
  }

  private struct Link: JSONReadable, Decodable {
    let url: URL

    static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Link {
      var url: URL?
      var count: Int?
      try reader.beginObject()
      repeat {
        try reader.read("url", into: &url)
        try reader.read("count", into: &count)
      } while try reader.hasMoreMembers()
      return Link(url: try reader.require(url, "url"))
    }

    init(url: URL) { self.url = url }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      url = try container.decode(URL.self, forKey: .url)
      _ = try container.decode(Int.self, forKey: .count)
    }

    private enum CodingKeys: CodingKey { case url, count }
  }

  private struct Links: JSONReadable {
    var urls: [URL?] = []

    static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Links {
      var links = Links()
      guard try reader.beginArray() else { return links }
      repeat {
        if let link = try reader.readIfValid(Link.self) { links.urls.append(link.url) }
      } while try reader.nextElement()
      return links
    }
  }
}

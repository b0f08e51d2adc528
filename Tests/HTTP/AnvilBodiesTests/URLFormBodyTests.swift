import AnvilBodies
import AnvilHTTP
import AnvilJSON
import Foundation
import Testing

@Suite struct URLFormBodyTests {
  struct User: Codable, Equatable {
    var name: String
    var tags: [String]
  }

  private let user = User(name: "ada", tags: ["a", "b"])

  @Test func bodiesEncodeAndDecodeForms() throws {
    var body = HTTP.Body.empty
    try body.encode(user, with: URLForm.Encoder())
    #expect(body.string == "name=ada&tags%5B%5D=a&tags%5B%5D=b")
    #expect(body.contentType == .applicationFormURLEncoded)
    #expect(try body.decode(as: User.self, with: URLForm.Decoder()) == user)
  }

  @Test func daysAreTheSameTextInURLsAndForms() throws {
    struct Search: Codable { var since: JSON.Day }
    let day = try #require(JSON.Day("2026-02-03"))
    let days: [JSON.Day?] = [day, nil]
    #expect((["since": day, "days": days] as HTTP.Query).percentEncoded == "since=2026-02-03&days=2026-02-03")
    #expect(("reports/\(day)" as HTTP.Path).description == "reports/2026-02-03")
    #expect(HTTP.Path(segments: [day, 1]).description == "2026-02-03/1")
    let text = try #require(try day.uriTemplateValue).value
    #expect(try URITemplate("/reports{/day}").expanded(["day": text]) == "/reports/2026-02-03")
    #expect(try URLForm.Encoder().encode(Search(since: day)) == Data("since=2026-02-03".utf8))
  }

  @Test func formsCanBeTheFormatOfABody() throws {
    var body = HTTP.Body.empty
    body.encodingFormat = URLForm.Encoder(arrays: .repeated)
    body.decodingFormat = URLForm.Decoder()
    try body.encode(user)
    #expect(body.string == "name=ada&tags=a&tags=b")
    #expect(try body.decode(as: User.self) == user)
  }

  @Test func modelsCanBeURLFormBodies() throws {
    let body: HTTP.Body = try .urlForm(user)
    #expect(body.string == "name=ada&tags%5B%5D=a&tags%5B%5D=b" && body.contentType == .applicationFormURLEncoded)
    #expect(
      try HTTP.Body.urlForm(user, encoder: URLForm.Encoder(arrays: .indices)).string?.hasSuffix("%5B1%5D=b") == true)
    let dictionary = ["q": "x y"]
    #expect(try HTTP.Body.urlForm(dictionary).string == "q=x+y")
    #expect(throws: EncodingError.self) { try HTTP.Body.urlForm([1]) }
  }

  /// A literal is a list of pairs, without `try`. The order and duplicates are kept.
  @Test func literalsKeepTheirPairs() {
    let body: HTTP.Body = .urlForm(["b": "1", "a": "2", "b": "3", "u[n]": "4"])
    #expect(body.string == "b=1&a=2&b=3&u%5Bn%5D=4")
    #expect(HTTP.Body.urlForm([:]).string == "")
    let pairs = ["b", "a"].map { ($0, "1") }
    #expect(HTTP.Body.urlForm(pairs).string == "b=1&a=1")
  }

  private struct Filter: Encodable {
    enum State: String, Encodable { case open }
    struct Range: Encodable { var from: Int }
    var state: State? = .open
    var text = "a b&c"
    var labels = ["a", "b"]
    var none: [Int] = []
    var page: Int?
    var isOpen = true
    var ratio = 0.5
    var since: Date
    var range = Range(from: 1)
  }

  @Test func anEncodableValueIsAQuery() throws {
    let filter = Filter(since: Date(timeIntervalSinceReferenceDate: 791_784_306))
    let start = "state=open&text=a%20b%26c&"
    let end = "&isOpen=true&ratio=0.5&since=2026-02-03T04%3A05%3A06Z&range%5Bfrom%5D=1"
    #expect(try HTTP.Query(encoding: filter).percentEncoded == start + "labels=a&labels=b" + end)
    #expect(
      try HTTP.Query(encoding: filter, encoder: URLForm.Encoder(arrays: .brackets)).percentEncoded
        == start + "labels%5B%5D=a&labels%5B%5D=b" + end)
    #expect(try HTTP.Query(encoding: ["q": "x"]) == ["q": "x"])
    #expect(throws: EncodingError.self) { try HTTP.Query(encoding: [1]) }
    #expect(throws: EncodingError.self) { try HTTP.Query(encoding: ["at": Date(timeIntervalSince1970: 1e12)]) }
  }

  /// Also the fractions that a `Date` can only approximate.
  @Test(arguments: [
    0, 0.5, 0.25, 0.001, 0.1, 1e-6, 123_456_789.123456, -978_307_200.5, 791_784_306.999_999_9, -62_000_000_000,
  ])
  func datesAreTheSameInQueriesFormsAndJSON(seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let query: HTTP.Query = ["at": date]
    #expect(try HTTP.Query(encoding: ["at": date]) == query)
    #expect(try HTTP.Body.urlForm(["at": date]).string == query.percentEncoded)
    #expect(JSON(try #require(query["at"])) == (try JSON(encoding: date)))
  }
}

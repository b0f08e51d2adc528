import AnvilHTTP
import Foundation
import Testing

@Suite struct PathTests {
  @Test(arguments: [
    ("users/1/repos" as HTTP.Path, "users/1/repos"), ("/users", "/users"), ("", ""),
    ("search?q=a%20b&page=2", "search?q=a%20b&page=2"), ("a b/ü", "a%20b/%C3%BC"), ("50%", "50%25"),
  ])
  func aLiteralIsPathSyntax(path: HTTP.Path, expected: String) {
    #expect(path.percentEncoded == expected)
  }

  @Test(arguments: [
    ("7", "7"), ("a/b", "a%2Fb"), ("a?b#c", "a%3Fb%23c"), ("50%", "50%25"), ("%2F", "%252F"),
    ("a&b=c+d", "a%26b%3Dc%2Bd"),
    ("ü", "%C3%BC"), ("a\r\nb", "a%0D%0Ab"), ("https://evil.example", "https%3A%2F%2Fevil.example"),
  ])
  func anInterpolatedValueStaysInOneSegment(value: String, expected: String) {
    #expect(("users/\(value)/repos" as HTTP.Path).percentEncoded == "users/\(expected)/repos")
    #expect(("search?q=\(value)" as HTTP.Path).percentEncoded == "search?q=\(expected)")
    #expect(HTTP.Path(segments: ["users", value]).percentEncoded == "users/\(expected)")
  }

  @Test func numbersAndPathsCanBeInterpolated() {
    let path: HTTP.Path = "users/\(7)"
    #expect(path.percentEncoded == "users/7")
    #expect(("\(path)/repos" as HTTP.Path).percentEncoded == "users/7/repos")
    #expect(HTTP.Path(syntax: "a/b c").percentEncoded == "a/b%20c")
  }

  private enum Sort: String { case stars }
  private struct UserID: RawRepresentable { var rawValue: Int }
  private enum Size: Int, CustomStringConvertible {
    case large = 1
    var description: String { "large" }
  }

  private struct Slug: HTTP.PathValue {
    var words: [String]
    var pathText: String { words.joined(separator: "-") }
  }
  private enum Kind: String, HTTP.PathValue { case pullRequest = "pull request" }
  private struct Version: LosslessStringConvertible, HTTP.PathValue {
    let description: String
    init(_ text: String) { description = text }
  }

  @Test func rawValuesAreInterpolatedAlsoIfThereIsADescription() {
    let path: HTTP.Path = "users/\(UserID(rawValue: 7))?sort=\(Sort.stars)&size=\(Size.large)"
    #expect(path.percentEncoded == "users/7?sort=stars&size=1")
    #expect(path.problem == nil)
  }

  @Test func valuesWithOneTextAreInterpolatedAndAreSegments() throws {
    let id = UUID()
    let url = try #require(URL(string: "https://a.example/b"))
    let values: [(HTTP.Path, any HTTP.PathValue, String)] = [
      ("\(true)", true, "true"), ("\(-7 as Int16)", -7 as Int16, "-7"), ("\(0.5)", 0.5, "0.5"), ("\(id)", id, "\(id)"),
      ("\(url)", url, "https%3A%2F%2Fa.example%2Fb"), ("\(Decimal(7))", Decimal(7), "7"),
      ("\("abc".prefix(2))", "abc".prefix(2), "ab"), ("\(Slug(words: ["a", "b"]))", Slug(words: ["a", "b"]), "a-b"),
      ("\(Kind.pullRequest)", Kind.pullRequest, "pull%20request"), ("\(Version("1.2"))", Version("1.2"), "1.2"),
    ]
    for (path, value, text) in values {
      #expect(path.percentEncoded == text && path.problem == nil)
      #expect(HTTP.Path(segments: [value, 1]).percentEncoded == "\(text)/1")
    }
  }

  @Test func numbersThatAreNotFiniteAreAProblem() {
    #expect(
      ("a/\(Double.nan)" as HTTP.Path).problem == "a value was interpolated in the path: the number is not finite")
    #expect(HTTP.Path(segments: ["a", Float.infinity]).problem == "the number is not finite")
  }

  @Test(arguments: [
    "users/\("")" as HTTP.Path, "\("")", "/\("")", "users/\("")/repos", "users/\("")?a=b", "users/\("")\("")#top",
    "\("users" as HTTP.Path)/\("")", "\("users/\("")" as HTTP.Path)/repos",
  ])
  func aSegmentOfEmptyValuesIsAProblem(path: HTTP.Path) {
    #expect(path.problem == "an empty value was interpolated as a segment of the path")
  }

  @Test(arguments: [
    "users/a\("")" as HTTP.Path, "users/\("")a", "users/\("")\("a")", "users?name=\("")", "users?path=/\("")/x",
    "users//repos/", "", "\("" as HTTP.Path)", "#\("")", "users/\("a" as HTTP.Path)",
  ])
  func anEmptyValueBesideOtherTextIsAllowed(path: HTTP.Path) {
    #expect(path.problem == nil)
  }

  @Test func queryItemsWithNilAreOmitted() {
    let page: Int? = nil
    let query: HTTP.Query = ["team": "a b", "page": page, "size": Optional(20), "sort": nil]
    #expect(query.percentEncoded == "team=a%20b&size=20")
  }
}

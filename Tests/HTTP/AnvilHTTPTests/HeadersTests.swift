import AnvilHTTP
import Testing

@Suite struct HeadersTests {
  @Test func literalKeepsOrderAndDuplicates() {
    let headers: HTTP.Headers = [.accept: .applicationJSON, "X-A": "1", .accept: .textPlain]
    #expect(headers.map(\.key.rawValue) == ["Accept", "X-A", "Accept"])
    #expect(headers.values(for: .accept) == [.applicationJSON, .textPlain])
  }

  @Test func namesCompareWithoutCaseAndKeepTheirSpelling() {
    let headers: HTTP.Headers = ["content-TYPE": "a/b"]
    #expect(headers[.contentType] == "a/b")
    #expect(headers.first?.key.rawValue == "content-TYPE")
    #expect(HTTP.HeaderKey(rawValue: "ETAG") == .eTag)
    #expect(HTTP.HeaderKey(rawValue: "ETAG").hashValue == HTTP.HeaderKey.eTag.hashValue)
    // Only ASCII letters fold: [ and { differ by the same bit as A and a.
    #expect(HTTP.HeaderKey(rawValue: "a[") != HTTP.HeaderKey(rawValue: "a{"))
  }

  @Test func addAppendsALine() {
    var headers: HTTP.Headers = [.accept: .applicationJSON]
    headers.add(.contentType, "application/json")
    headers.add(.accept, .textPlain)
    #expect(headers.count == 3)
    #expect(headers[.accept] == "application/json, text/plain")
  }

  @Test func subscriptJoinsLinesButNotCookies() {
    let headers: HTTP.Headers = [.setCookie: "a=1, x", .setCookie: "b=2", .vary: "Accept", .vary: "Origin"]
    #expect(headers[.setCookie] == "a=1, x")
    #expect(headers.values(for: .setCookie) == ["a=1, x", "b=2"])
    #expect(headers[.vary] == "Accept, Origin")
    #expect(headers[.etagMissing] == nil)
  }

  @Test func settingReplacesAllLinesAtTheFirstPosition() {
    var headers: HTTP.Headers = ["A": "1", "B": "2", "a": "3", "C": "4"]
    headers["A"] = "5"
    #expect(headers.map { "\($0.key)=\($0.value)" } == ["A=5", "B=2", "C=4"])
    headers["B"] = nil
    #expect(headers.map(\.key) == ["A", "C"])
    headers["D"] = "6"
    #expect(headers.last?.value == "6")
  }

  @Test func mergingReplacesByName() {
    let merged = (["A": "1", "B": "2", "B": "3"] as HTTP.Headers).merging(["b": "4", "C": "5", "C": "6"])
    #expect(merged.map { "\($0.key)=\($0.value)" } == ["A=1", "b=4", "C=5", "C=6"])
  }

  @Test func orderOfDifferentNamesDoesNotCountForEquality() {
    let left: HTTP.Headers = ["A": "1", "B": "2", "A": "3"]
    #expect(left == ["b": "2", "a": "1", "a": "3"])
    #expect(left.hashValue == (["b": "2", "a": "1", "a": "3"] as HTTP.Headers).hashValue)
    #expect(left != ["A": "3", "B": "2", "A": "1"])
    #expect(left != ["A": "1", "B": "2"])
  }

  @Test func descriptionShowsNoValue() {
    let headers: HTTP.Headers = [.authorization: .authorizationBearer(token: "s3cret"), .accept: "a/b"]
    #expect(headers.description == "Authorization: <redacted>\nAccept: <redacted>")
    #expect(headers.detailedDescription == "Authorization: Bearer s3cret\nAccept: a/b")
  }

  @Test func credentialsAreFormattedAsTheirSchemesRequire() {
    #expect(HTTP.HeaderValue.authorizationBearer(token: "1234567890") == "Bearer 1234567890")
    #expect(
      HTTP.HeaderValue.authorizationBasic(username: "john@example.com", password: "abc123")
        == "Basic am9obkBleGFtcGxlLmNvbTphYmMxMjM=")
    #expect(
      HTTP.HeaderValue.authorizationBasic(username: "Aladdin", password: "grüße:x") == "Basic QWxhZGRpbjpncsO8w59lOng=")
    #expect(HTTP.HeaderValue.authorizationBasic(username: "a:b", password: "c") == nil)
    #expect(HTTP.HeaderValue.authorizationBasic(username: "a:\u{301}b", password: "c") == nil)
  }

  @Test(arguments: ["a\r\nX: y", "a\nb", "a\rb", "a\0b", "\u{7F}", "\u{1}"])
  func valuesThatSplitAMessageAreInvalid(value: String) {
    #expect(!HTTP.HeaderValue(rawValue: value).isValid)
  }

  @Test(arguments: ["", " ", "a\tb", "grüße", "日本", #"W/"x""#])
  func valuesWithoutControlCharactersAreValid(value: String) {
    #expect(HTTP.HeaderValue(rawValue: value).isValid)
  }

  @Test(arguments: ["", "a b", "a:", "a\r\nb", "ä", "a(b)", "\"a\"", "a,b", "a/b", "{a}", "a@b"])
  func namesThatAreNotTokensAreInvalid(name: String) {
    #expect(!HTTP.HeaderKey(rawValue: name).isValid)
  }

  @Test(arguments: ["a", "X-1", "!#$%&'*+-.^_`|~"])
  func tokensAreValidNames(name: String) {
    #expect(HTTP.HeaderKey(rawValue: name).isValid)
  }

  @Test(
    arguments: [
      ([], .none), (["5"], .bytes(5)), (["5", "5"], .bytes(5)), (["5, 5"], .bytes(5)), ([" 5\t"], .bytes(5)),
      (["5", "6"], .contradictory(["5", "6"])), (["5, 6"], .contradictory(["5", "6"])), (["+5"], .malformed("+5")),
      (["-5"], .malformed("-5")), (["1 2"], .malformed("1 2")), ([""], .malformed("")), (["٥"], .malformed("٥")),
      (["99999999999999999999"], .malformed("99999999999999999999")),
    ] as [([String], HTTP.Headers.ContentLength)])
  func contentLengthMustBeConsistentDigits(values: [String], length: HTTP.Headers.ContentLength) {
    let headers = HTTP.Headers(values.map { .init(.contentLength, HTTP.HeaderValue(rawValue: $0)) })
    #expect(headers.contentLength == length)
  }

  @Test func identityIsNotAContentCoding() {
    let headers: HTTP.Headers = [.contentEncoding: "GZIP, identity", .contentEncoding: " br "]
    #expect(headers.contentCodings == ["gzip", "br"])
  }
}

extension HTTP.HeaderKey {
  fileprivate static let etagMissing: Self = "ETag-Missing"
}

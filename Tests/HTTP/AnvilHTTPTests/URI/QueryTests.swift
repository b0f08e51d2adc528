import AnvilHTTP
import Foundation
import Testing

@Suite struct QueryTests {
  @Test func itemsOfADictionaryAreSortedByName() {
    let names = ["b": "x y", "a": "1", "c": ""]
    #expect(HTTP.Query(names).percentEncoded == "a=1&b=x%20y&c=")
    #expect(HTTP.Query(["n": 2, "m": 1]).percentEncoded == "m=1&n=2")
    #expect(HTTP.Query([String: String]()).isEmpty)
  }

  @Test func keepsOrderAndDuplicates() {
    var query: HTTP.Query = ["b": 1, "a": "x", "b": true]
    query.add("flag")
    #expect(query.percentEncoded == "b=1&a=x&b=true&flag")
    #expect(query.values(for: "b") == ["1", "true"])
  }

  @Test func settingReplacesAllItemsAtTheFirstPosition() {
    var query: HTTP.Query = ["b": 1, "a": "x", "b": 2]
    query["b"] = "3"
    #expect(query.percentEncoded == "b=3&a=x")
    query["c"] = "4"
    #expect(query.percentEncoded == "b=3&a=x&c=4")
    query["b"] = nil
    #expect(query.percentEncoded == "a=x&c=4" && query["b"] == nil)
  }

  @Test func namesInDifferentUnicodeFormsAreDifferent() {
    var query: HTTP.Query = ["\u{E9}": 1, "e\u{301}": 2, "\u{1E69}": 3, "s\u{307}\u{323}": 4]
    #expect(query["\u{E9}"] == "1" && query["e\u{301}"] == "2" && query["s\u{323}\u{307}"] == nil)
    query["e\u{301}"] = "5"
    query["\u{1E69}"] = nil
    #expect(query.percentEncoded == "%C3%A9=1&e%CC%81=5&s%CC%87%CC%A3=4")
  }

  @Test func theSubscriptReturnsTheFirstValue() {
    var query = HTTP.Query()
    query.add("a")
    #expect(query["a"] == nil)
    query.add("a", "x")
    #expect(query["a"] == "x")
  }

  @Test func anEmptyQueryIsEmptyText() {
    #expect(HTTP.Query().percentEncoded.isEmpty)
    #expect((["": ""] as HTTP.Query).percentEncoded == "=")
  }

  private enum State: String, HTTP.QueryValue { case open, closed }
  private enum Level: Int, HTTP.PathValue, CustomStringConvertible {
    case high = 3
    var description: String { "high" }
  }
  private struct Day: HTTP.QueryValue {
    var date: Date
    var queryItems: [String] { get throws { try date.queryItems.map { String($0.prefix(10)) } } }
  }
  private struct Failing: HTTP.QueryValue {
    struct Reason: Error, CustomStringConvertible { let description = "it is empty" }
    var queryItems: [String] { get throws { throw Reason() } }
  }

  private static let date = Date(timeIntervalSinceReferenceDate: 791_784_306)

  @Test func eachTypeOfValueHasOneText() throws {
    let url = try #require(URL(string: "https://a.example/b?c=d"))
    let id = UUID()
    let texts: [(any HTTP.QueryValue, String)] = [
      ("a b", "a b"), ("ab".dropFirst(), "b"), (7, "7"), (Int8(-7), "-7"), (UInt64.max, "18446744073709551615"),
      (Int128.min, "-170141183460469231731687303715884105728"), (true, "true"), (false, "false"), (0.5, "0.5"),
      (1.0, "1.0"), (Float(0.25), "0.25"), (try #require(Decimal(string: "12.50")), "12.5"), (id, id.uuidString),
      (url, "https://a.example/b?c=d"), (State.open, "open"), (Level.high, "3"), (Self.date, "2026-02-03T04:05:06Z"),
      (Self.date + 0.25, "2026-02-03T04:05:06.250Z"), (Day(date: Self.date), "2026-02-03"),
      (Date(timeIntervalSince1970: -62_167_219_200), "0000-01-01T00:00:00Z"),
    ]
    for (value, text) in texts { #expect(try value.queryItems == [text]) }
  }

  @Test func arraysAreRepeatedItemsAndNilIsLeftOut() {
    let (state, none, page): (State?, [Int], Int?) = (.closed, [], nil)
    let query: HTTP.Query = [
      "state": state, "labels": ["a", "b"], "none": none, "page": page, "ids": [1, nil, 3] as [Int?], "size": nil,
      "dates": [Self.date], "states": [State.open, .closed],
    ]
    #expect(
      query.percentEncoded
        == "state=closed&labels=a&labels=b&ids=1&ids=3&dates=2026-02-03T04%3A05%3A06Z&states=open&states=closed")
    #expect(HTTP.Query(["b": ["x", "y"], "a": []]).percentEncoded == "b=x&b=y")
    #expect(HTTP.Query(["b": nil, "a": 1]).percentEncoded == "a=1")
    var added = HTTP.Query()
    added.add("tag", ["x", "y"])
    added.add("page", page)
    added.add("since", Self.date)
    #expect(added.percentEncoded == "tag=x&tag=y&since=2026-02-03T04%3A05%3A06Z")
  }

  /// Not parameterised: printing a date that is not finite ends the process.
  @Test func aValueWithoutTextIsAProblem() {
    let late = "the date is not in the years 0 to 9999"
    let infinite = "the number is not finite"
    check(Date(timeIntervalSince1970: 253_402_300_800), late)
    check(Date(timeIntervalSince1970: -62_167_219_201), late)
    check(Date(timeIntervalSince1970: .nan), late)
    check([Date(timeIntervalSince1970: -.infinity)], late)
    check(Double.infinity, infinite)
    check(Optional(Float.nan), infinite)
    check(Decimal.nan, infinite)
    check(Failing(), "it is empty")
  }

  private func check(_ value: some HTTP.QueryValue, _ reason: String) {
    var query: HTTP.Query = ["a": 1, "x": value]
    #expect(query.problem == "the query item \"x\" cannot be sent: \(reason)")
    #expect(query != ["a": 1])
    query["x"] = "2"
    #expect(query.problem == nil && query == ["a": 1, "x": 2])
    query.add("x", value)
    #expect(query.problem != nil)
    query["x"] = nil
    #expect(query.problem == nil && query == ["a": 1])
  }
}

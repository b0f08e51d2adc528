import AnvilHTTP
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
}

import AnvilJSON
import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Testing

/// The column types for JSON values, and the conversion of stored values to another type.
@Suite struct DynamicTypeTests {
  /// The type of a column after the values of one response, and the stored values.
  @Test(
    arguments: [
      ("[1, -2]", "integer", [StoreValue.integer(1), .integer(-2)]),
      ("[9223372036854775807, -9223372036854775808]", "integer", [.integer(.max), .integer(.min)]),
      ("[1, 2.5]", "real", [.real(1), .real(2.5)]),
      ("[1.0, 2]", "real", [.real(1), .real(2)]),
      ("[6.02e23, 0.1]", "real", [.real(6.02e23), .real(0.1)]),
      ("[1e18, 0.5]", "real", [.real(1e18), .real(0.5)]),
      ("[9007199254740992, 0.5]", "real", [.real(9_007_199_254_740_992), .real(0.5)]),
      ("[9007199254740993, 0.5]", "text", [.text("9007199254740993"), .text("0.5")]),
      ("[9007199254740993, 1.0]", "integer", [.integer(9_007_199_254_740_993), .integer(1)]),
      ("[9223372036854775808, 1]", "text", [.text("9223372036854775808"), .text("1")]),
      ("[1e400, 1]", "text", [.text("1e400"), .text("1")]),
      ("[3.14159265358979323846, 1]", "text", [.text("3.14159265358979323846"), .text("1")]),
      (
        "[0.1000000000000000055511151231257827021181583404541015625]", "text",
        [.text("0.1000000000000000055511151231257827021181583404541015625")]
      ),
      (#"["007", 7]"#, "text", [.text("007"), .text("7")]),
      (#"[1.50, "x"]"#, "text", [.text("1.50"), .text("x")]),
      ("[true, false]", "boolean", [.integer(1), .integer(0)]),
      ("[true, 1]", "text", [.text("true"), .text("1")]),
      (#"[false, "no"]"#, "text", [.text("false"), .text("no")]),
      ("[null, 1]", "integer", [.null, .integer(1)]),
      (
        #"[{"b": 1, "a": [ ]}, 1, "x", true, null]"#, "json",
        [.text(#"{"a":[],"b":1}"#), .text("1"), .text(#""x""#), .text("true"), .null]
      ),
      (#"["a\u0000b", "\u2028😀"]"#, "text", [.text("a\0b"), .text("\u{2028}😀")]),
    ] as [(String, String, [StoreValue])])
  func theColumnTypeFitsAllValuesOfAResponse(values: String, type: String, stored: [StoreValue]) async throws {
    let store = try await DynamicStore()
    let objects = try JSON(parsing: values).elements.map { #"{"v": \#($0.serializedText())}"# }
    try await store.store("[\(objects.joined(separator: ","))]")
    #expect(try store.columns() == ["v \(type)"])
    #expect(try store.rows("SELECT v FROM T ORDER BY anvil_id") == stored.map { [$0] })
  }

  /// The type of a column after a second value, and the converted first value.
  @Test(
    arguments: [
      ("1", "2.5", "real", StoreValue.real(1)),
      ("9007199254740993", "2.5", "text", .text("9007199254740993")),
      ("-9007199254740992", "2.5", "real", .real(-9_007_199_254_740_992)),
      ("7", #""007""#, "text", .text("7")),
      ("7", "1.0", "integer", .integer(7)),
      ("7", "10000000000000000000", "text", .text("7")),
      ("0.1", "1", "real", .real(0.1)),
      ("0.1", "9007199254740993", "text", .text("0.1")),
      ("5.0", #""x""#, "text", .text("5")),
      ("1e300", #""x""#, "text", .text("1e+300")),
      ("true", "1", "text", .text("true")),
      ("false", #""x""#, "text", .text("false")),
      ("7", "[]", "json", .text("7")),
      ("2.5", "[]", "json", .text("2.5")),
      ("true", "{}", "json", .text("true")),
      (#""a\"b\u0000""#, "{}", "json", .text(#""a\"b\u0000""#)),
      ("[1]", #""x""#, "json", .text("[1]")),
      (#""x""#, "1", "text", .text("x")),
      ("null", "true", "boolean", .null),
    ] as [(String, String, String, StoreValue)])
  func laterValueWidensTheColumn(first: String, second: String, type: String, stored: StoreValue) async throws {
    let store = try await DynamicStore()
    try await store.store(#"{"id": 1, "v": \#(first)}"#, keys: "id")
    try await store.store(#"{"id": 2, "v": \#(second)}"#, keys: "id")
    #expect(try store.columns() == ["id integer", "v \(type)"])
    #expect(try store.rows("SELECT v FROM T WHERE id = 1") == [[stored]])
    // Storing the same value again is not a change, except for a real that became text, which may have different
    // digits.
    let counts = try await store.store(#"[{"id": 1, "v": \#(first)}, {"id": 2, "v": \#(second)}]"#, keys: "id").counts
    let isWrittenAnew = ["5.0", "1e300"].contains(first)
    #expect(counts == StoreChanges.Counts(updated: isWrittenAnew ? 1 : 0, unchanged: isWrittenAnew ? 1 : 2))
  }

  @Test(
    arguments: [
      (StoredType.date, #""2001-01-01T00:00:01Z""#, StoreValue.real(1)),
      (.uuid, #""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#, .text("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
      (.url, #""https://example.org/a?b""#, .text("https://example.org/a?b")),
      (.decimal, "1.5", .text("1.5")),
      (.decimal, #""123456789012345678901234567890.5""#, .text("123456789012345678901234567890.5")),
      (.data, #""AP8=""#, .blob(.init([0, 255]))),
      (.integer, "1.0", .integer(1)), (.real, "1", .real(1)), (.text, "1.50", .text("1.50")),
      (.text, "true", .text("true")),
    ] as [(StoredType, String, StoreValue)])
  func valuesAreConvertedToTheTypeOfTheColumn(type: StoredType, json: String, value: StoreValue) throws {
    #expect(try type.value(of: JSON(parsing: json), .nanoseconds) == value)
  }

  @Test(
    arguments: [
      (StoredType.date, "1"), (.date, #""yesterday""#), (.uuid, #""1""#), (.uuid, "1"), (.url, "true"), (.url, #""""#),
      (.decimal, #""x""#), (.decimal, "[1]"), (.decimal, "0.1234567890123456789012345678901234567890123"),
      (.decimal, "1e400"),
      (.data, #""*""#), (.data, "1"), (.integer, "1.5"), (.real, "1e400"), (.boolean, "1"), (.text, "[]"),
    ] as [(StoredType, String)])
  func valuesThatTheTypeCannotStoreAreNotConverted(type: StoredType, json: String) throws {
    #expect(try type.value(of: JSON(parsing: json), .nanoseconds) == nil)
  }
}

import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// A failure to decode a model from a text.
struct CatalogFailure: CustomTestStringConvertible, Sendable {
  var name: String
  var text: [UInt8]
  var decode: @Sendable (Data) throws -> Void
  /// Creates the diagnosis of an error that is not one itself; `nil` for other errors.
  var diagnose: (@Sendable (any Error, Data) -> JSON.Diagnosis)?

  var testDescription: String { name }

  /// Returns the diagnosis of the error that decoding throws.
  func diagnosis() throws -> JSON.Diagnosis {
    let data = Data(text)
    let error = #expect(throws: (any Error).self, "\(name) decodes") { try decode(data) }
    let thrown = try #require(error)
    return diagnose?(thrown, data) ?? JSON.Diagnosis(thrown, in: data)
  }

  static func decoding<T: Decodable & SendableMetatype>(
    _ name: String, _ type: T.Type, from text: String, _ setUp: (JSON.Decoder) -> Void = { _ in }
  ) -> CatalogFailure {
    let decoder = JSON.Decoder()
    setUp(decoder)
    return CatalogFailure(
      name: name, text: Array(text.utf8), decode: { _ = try decoder.decode(T.self, from: $0) },
      diagnose: { decoder.diagnosis(of: $0, decoding: T.self, from: $1) })
  }

  /// Returns the diagnosis of the error alone.
  static func error<T: Decodable & SendableMetatype>(
    _ name: String, _ type: T.Type, from text: String
  ) -> CatalogFailure {
    CatalogFailure(name: name, text: Array(text.utf8), decode: { _ = try JSON.Decoder().decode(T.self, from: $0) })
  }

  static func mapping<T: JSONDecodable & SendableMetatype>(
    _ name: String, _ type: T.Type, from text: String
  ) -> CatalogFailure {
    CatalogFailure(name: name, text: Array(text.utf8), decode: { _ = try T.decode(JSON(parsing: $0)) })
  }

  static func foundation<T: Decodable & SendableMetatype>(
    _ name: String, _ type: T.Type, from text: String
  ) -> CatalogFailure {
    CatalogFailure(name: name, text: Array(text.utf8), decode: { _ = try JSONDecoder().decode(T.self, from: $0) })
  }
}

extension CatalogFailure {
  /// Returns the text of a user with one member replaced or omitted.
  private static func user(_ replaced: String, _ value: String?) -> String {
    let members = [
      ("id", "7"), ("name", "\"Ann\""),
      ("address", "{\n    \"street\": \"Main Street 1\",\n    \"city\": \"Springfield\",\n    \"zip\": \"62704\"\n  }"),
      ("created_at", "790000000"), ("status", "\"active\""), ("admin", "false"), ("score", "0.5"), ("tags", "[\"a\"]"),
    ]
    let lines = members.compactMap { key, text in
      key != replaced ? "  \"\(key)\": \(text)" : value.map { "  \"\(key)\": \($0)" }
    }
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  private static let minified =
    "[" + (0..<40).map { "{\"id\":\($0),\"title\":\"Item number \($0)\"}" }.joined(separator: ",")
    + ",{\"id\":\"forty\",\"title\":\"The one\"},"
    + (41..<60).map { "{\"id\":\($0),\"title\":\"Item \($0)\"}" }
    .joined(separator: ",") + "]"

  static let all: [CatalogFailure] = models + kinds + forms + texts + syntax + many + mappings

  private static let models: [CatalogFailure] = [
    .decoding("missing-key", User.self, from: user("score", nil)),
    .decoding("missing-key-case", Item.self, from: #"{"id": 1, "Title": "a"}"#),
    .decoding(
      "missing-key-converted", User.self,
      from: user("created_at", nil).replacingOccurrences(of: "\"status\"", with: "\"createdAt\": 1,\n  \"status\"")),
    .decoding("missing-key-typo", Item.self, from: #"{"id": 1, "titel": "a"}"#),
    .decoding("missing-key-in-container", Item.self, from: #"{"item": {"id": 1, "title": "a"}, "version": 2}"#),
    .decoding(
      "missing-key-above", User.self,
      from:
        "{\"id\": 1, \"name\": \"Ann\", \"city\": \"Springfield\",\n \"address\": {\"street\": \"Main Street 1\", \"zip\": \"62704\"}}"
    ),
    .decoding("missing-key-snake-case", Post.self, from: #"{"post_title": "a", "words": 3}"#) {
      $0.keyDecodingStrategy = .convertFromSnakeCase
    },
    .decoding("missing-key-in-empty-object", Item.self, from: "{}"),
    .decoding(
      "missing-key-many-keys", Item.self,
      from: "{" + (0..<40).map { "\"key\($0)\": \($0)" }.joined(separator: ", ") + "}"),
    .decoding("missing-element", [Point].self, from: "[[0, 1], [2]]"),
    .decoding("null", User.self, from: user("name", "null")),
    .decoding("null-root", Item.self, from: "null"),
    .decoding("null-for-enum", User.self, from: user("status", "null")),
    .decoding("wrapped-model", User.self, from: "{\"ok\": true, \"data\": \(user("homepage", nil))}"),
    .decoding(
      "wrapped-model-with-missing-key", User.self, from: "{\"data\": \(user("score", nil)), \"meta\": {\"id\": 1}}"),
    .decoding(
      "wrapped-models", [Item].self, from: #"[{"item": {"id": 1, "title": "a"}}, {"item": {"id": 2, "title": "b"}}]"#),
    .decoding("error-object", User.self, from: #"{"error": {"code": 401, "message": "The token has expired"}}"#),
    .decoding(
      "error-object-message", Item.self, from: #"{"message": "Not Found", "documentation_url": "https://example.com/"}"#
    ),
    .error("error-alone-error-object", Item.self, from: #"{"errors": ["no such item"]}"#),
  ]

  private static let kinds: [CatalogFailure] = [
    .decoding(
      "number-for-string", User.self,
      from: user(
        "address", "{\n    \"street\": \"Main Street 1\",\n    \"city\": \"Springfield\",\n    \"zip\": 62704\n  }")),
    .decoding("string-for-number", User.self, from: user("id", "\"7\"")),
    .decoding("word-for-number", User.self, from: user("id", "\"seven\"")),
    .decoding("bool-for-number", User.self, from: user("score", "true")),
    .decoding("number-for-enum", User.self, from: user("status", "1")),
    .decoding("string-for-number-enum", Level.self, from: "\"2\""),
    .decoding("number-for-bool", User.self, from: user("admin", "1")),
    .decoding("string-for-bool", User.self, from: user("admin", "\"true\"")),
    .decoding("object-for-array", [Item].self, from: #"{"items": [{"id": 1, "title": "a"}], "total": 1}"#),
    .decoding("array-for-object", Item.self, from: #"[{"id": 1, "title": "a"}]"#),
    .decoding("string-for-array", User.self, from: user("tags", "\"a, b\"")),
    .decoding("encoded-twice", User.self, from: user("address", #""{\"street\": \"Main Street 1\"}""#)),
    .decoding("object-for-string", User.self, from: user("name", #"{"first": "Ann", "last": "Lee"}"#)),
  ]

  private static let forms: [CatalogFailure] = [
    .decoding("too-large-for-int8", Sizes.self, from: #"{"tiny": 300}"#),
    .decoding("negative-for-uint", Sizes.self, from: #"{"count": -1}"#),
    .decoding("too-large-for-int", User.self, from: user("id", "12345678901234567890")),
    .decoding("too-large-for-uint64", [UInt64].self, from: "[18446744073709551616]"),
    .decoding("decimal-comma-in-string", User.self, from: user("score", "\"0,5\"")),
    .decoding("fraction-for-int", User.self, from: user("id", "7.5")),
    .decoding("too-large-for-float", Sizes.self, from: #"{"ratio": 1e300}"#),
    .decoding("unknown-case", User.self, from: user("status", "\"Active\"")),
    .decoding("unknown-case-of-many", [Element].self, from: #"["nitrogene"]"#),
    .decoding("date-deferred", User.self, from: user("created_at", "\"2026-11-21T08:00:00Z\"")) {
      $0.dateDecodingStrategy = .deferredToDate
    },
    .decoding("date-iso8601-number", User.self, from: user("created_at", "1795248000")) {
      $0.dateDecodingStrategy = .iso8601
    },
    .decoding("date-iso8601-without-offset", User.self, from: user("created_at", "\"2026-11-21T08:00:00\"")) {
      $0.dateDecodingStrategy = .iso8601
    },
    .decoding("date-iso8601-day", User.self, from: user("created_at", "\"2026-11-21\"")) {
      $0.dateDecodingStrategy = .iso8601
    },
    .decoding("base64", Picture.self, from: #"{"data": "not base64!"}"#),
    .decoding("refused", Contact.self, from: #"{"name": "Ann", "email": "ann.example.com"}"#),
    .error("error-alone-missing-key", User.self, from: user("created_at", nil)),
    .error("error-alone-mismatch", User.self, from: user("admin", "\"yes\"")),
    .error("error-alone-unknown-case", User.self, from: user("status", "\"Active\"")),
    .foundation("error-alone-date", User.self, from: user("created_at", "\"2026-11-21T08:00:00Z\"")),
    .foundation("foundation-mismatch", User.self, from: user("admin", "\"yes\"")),
    .foundation("foundation-json5", Item.self, from: "{\n  id: 1,\n  title: 'a'\n}"),
    .foundation("foundation-number", Sizes.self, from: #"{"tiny": 300}"#),
  ]

  private static let texts: [CatalogFailure] = [
    .decoding("minified", [Item].self, from: minified),
    .decoding("tabs", User.self, from: user("name", "\t\t7").replacingOccurrences(of: "  \"", with: "\t\"")),
    .decoding("wide-characters", [String: Int].self, from: "{\"名前\": 1, \"住所\": \"東京都千代田区\", \"絵\": 2}"),
    .decoding("emoji-before", [String: Int].self, from: "{\"👩‍👩‍👧 a\": \"x\"}"),
    .decoding("carriage-returns", Item.self, from: "{\r\n  \"id\": 1,\r\n  \"title\": 2\r\n}"),
    .decoding("control-characters", Item.self, from: "{\"id\": 1, \"\\u001b[31mred\": 1}"),
    .decoding(
      "long-string", Item.self, from: "{\"id\": \"\(String(repeating: "abcdefghij", count: 60))\", \"title\": \"a\"}"),
    .decoding("odd-keys", [String: [String: Int]].self, from: #"{"a.b c": {"d/e~f": "x"}}"#),
    .decoding(
      "long-path", [String: [String: Int]].self,
      from: #"{"a long key of the document": {"below": "x"}}"#),
    .decoding("deep", [[[[Int]]]].self, from: "[[[[1, 2], [3]],\n  [[4, \"five\"]]]]"),
  ]

  private static let syntax: [CatalogFailure] = [
    .decoding("empty", Item.self, from: ""),
    .decoding("blank", Item.self, from: " \n "),
    .decoding(
      "html", Item.self,
      from: "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Welcome, Ann</body></html>\n"),
    .decoding("cut-off", [Item].self, from: "[\n  {\"id\": 1, \"title\": \"a\"},\n  {\"id\": 2, \"tit"),
    .decoding("trailing-comma", Item.self, from: "{\n  \"id\": 1,\n  \"title\": \"a\",\n}"),
    .decoding("missing-comma", Item.self, from: "{\n  \"id\": 1\n  \"title\": \"a\"\n}"),
    .decoding("single-quotes", Item.self, from: "{'id': 1}"),
    .decoding("comment", Item.self, from: "{\n  // the key\n  \"id\": 1\n}"),
    .decoding("python", Item.self, from: "{\"id\": 1, \"title\": None}"),
    .decoding("python-true", [Bool].self, from: "[True, False]"),
    .decoding("python-dictionary", Item.self, from: "{'id': 1, 'title': None}"),
    .decoding("jsonp", Item.self, from: "callback({\"id\": 1, \"title\": \"a\"});"),
    .decoding("jsonp-comment", Item.self, from: "/**/ jQuery.fn_1({\"id\": 1});"),
    .decoding("decimal-comma", Sizes.self, from: "{\"ratio\": 1,5, \"count\": 2}"),
    .decoding("escape-upper-case-u", Item.self, from: #"{"id": 1, "title": "\U0001F600"}"#),
    .decoding("escape-hexadecimal", Item.self, from: #"{"id": 1, "title": "caf\xE9"}"#),
    .decoding("escape-short", Item.self, from: #"{"id": 1, "title": "\u12"}"#),
    .decoding("escape-apostrophe", Item.self, from: #"{"id": 1, "title": "it\'s"}"#),
    .decoding("escape-path", Item.self, from: #"{"id": 1, "title": "C:\Program Files"}"#),
    .decoding("concatenated", Item.self, from: "{\"id\": 1, \"title\": \"a\"}{\"id\": 2, \"title\": \"b\"}"),
    .decoding("concatenated-over-lines", Item.self, from: "{\n  \"id\": 1\n}\n{\n  \"id\": 2\n}\n"),
    .decoding("nan", [Double].self, from: "[1, NaN]"),
    .decoding("bare-key", Item.self, from: "{id: 1}"),
    .decoding("json-lines", Item.self, from: "{\"id\": 1, \"title\": \"a\"}\n{\"id\": 2, \"title\": \"b\"}\n"),
    .decoding("typographic-quotes", Item.self, from: "{“id”: 1}"),
    .decoding("string-over-lines", Item.self, from: "{\"id\": 1, \"title\": \"a\nb\"}"),
    .decoding("two-byte-order-marks", Item.self, from: "\u{FEFF}\u{FEFF}{\"id\": 1}"),
    .decoding("leading-zero", Item.self, from: "{\"id\": 007}"),
    .decoding("script-guard", Item.self, from: ")]}',\n{\"id\": 1}"),
    CatalogFailure(
      name: "not-utf8", text: Array("{\"id\": 1, \"title\": \"".utf8) + [0xFF, 0xC3, 0x22, 0x7D],
      decode: { _ = try JSON.Decoder().decode(Item.self, from: $0) }),
    CatalogFailure(
      name: "latin1", text: Array("{\"id\": 1, \"title\": \"caf".utf8) + [0xE9, 0x22, 0x7D],
      decode: { _ = try JSON.Decoder().decode(Item.self, from: $0) }),
    CatalogFailure(
      name: "windows1252", text: Array("{\"id\": 1, \"title\": \"".utf8) + [0x93, 0x61, 0x94, 0x22, 0x7D],
      decode: { _ = try JSON.Decoder().decode(Item.self, from: $0) }),
    CatalogFailure(
      name: "utf16",
      text: [0xFF, 0xFE] + "{\"id\": \"é\"}".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
      decode: { _ = try JSON.Decoder().decode(Item.self, from: $0) }),
  ]

  private static let many: [CatalogFailure] = [
    .decoding(
      "many-problems", [User].self,
      from: "[\n"
        + [user("id", "\"7\""), user("created_at", nil), user("tags", "[\"a\", 1, null]")].joined(separator: ",") + "]"),
    .decoding(
      "many-in-one", User.self, from: #"{"id": null, "name": 1, "address": {"zip": 1}, "status": "gone", "tags": {}}"#),
    .decoding(
      "hundred", [Item].self,
      from: "[" + (0..<130).map { "{\"id\": \"\($0)\", \"title\": \"a\"}" }.joined(separator: ",\n") + "]"),
  ]

  private static let mappings: [CatalogFailure] = [
    .mapping(
      "mapping-missing-key", Repository.self, from: #"{"id": 1, "owner": {"name": "Ann"}, "visibility": "public"}"#),
    .mapping(
      "mapping-mismatch", Repository.self, from: #"{"id": "1", "owner": {"login": "ann"}, "visibility": "public"}"#),
    .mapping(
      "mapping-unknown-case", Repository.self, from: #"{"id": 1, "owner": {"login": "ann"}, "visibility": "internal"}"#),
    .mapping(
      "mapping-number-for-enum", Repository.self, from: #"{"id": 1, "owner": {"login": "ann"}, "visibility": 3}"#),
    .mapping("mapping-not-an-object", Repository.self, from: #"{"id": 1, "owner": "ann", "visibility": "public"}"#),
  ]
}

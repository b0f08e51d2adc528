import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

/// Texts that parsers read differently, with our decisions, which the files of the public suite follow.
@Suite struct TransformCorpusTests {
  /// The result of parsing a text.
  enum Decision: Sendable {
    /// The text is rejected at this offset.
    case refused(JSON.SyntaxError.Code, offset: Int)
    /// The text is accepted, and its value satisfies this condition.
    case read(@Sendable (JSON) throws -> Bool)
  }

  /// A file of the suite, and a similar text for when the suite is not available.
  struct Case: CustomTestStringConvertible, Sendable {
    var file: String
    var text: [UInt8]
    var decision: Decision

    init(_ file: String, like text: String, _ decision: Decision) {
      self.init(file, like: Array(text.utf8), decision)
    }

    init(_ file: String, like text: [UInt8], _ decision: Decision) {
      self.file = file
      self.text = text
      self.decision = decision
    }

    var testDescription: String { file }
  }

  static let cases: [Case] = [
    // Numbers keep their text. They are integers if their value is exactly whole. As doubles, they are the nearest
    // ones.
    Case("number_-9223372036854775808", like: "[-9223372036854775808]", .read { $0[0]?.int == .min }),
    Case(
      "number_-9223372036854775809", like: "[-9223372036854775810]",
      .read { $0[0]?.int == nil && $0[0]?.double == -0x1p63 && $0[0]?.integer(as: Int128.self) != nil }),
    Case("number_1.0", like: "[2.0]", .read { $0[0]?.int != nil && $0[0]?.numberText?.hasSuffix(".0") == true }),
    Case(
      "number_1.000000000000000005", like: "[1.000000000000000006]",
      .read { $0[0]?.int == nil && $0[0]?.double == 1 && $0[0] != 1 }),
    Case(
      "number_1000000000000000", like: "[2000000000000000]", .read { ($0[0]?.int ?? 0) % 1_000_000_000_000_000 == 0 }),
    Case(
      "number_10000000000000000999", like: "[20000000000000000999]",
      .read { $0[0]?.int == nil && ($0[0]?.integer(as: Int128.self) ?? 0) % 1000 == 999 }),
    Case(
      "number_1e-999", like: "[1E-998]",
      .read { $0[0]?.double == 0 && $0[0]?.int == nil && $0[0] != 0 && $0[0]?.numberText?.hasPrefix("1E-99") == true }),
    Case(
      "number_1e6", like: "[1E7]",
      .read { ($0[0]?.int ?? 0) % 1_000_000 == 0 && $0[0]?.numberText?.hasPrefix("1E") == true }),
    Case("number_9223372036854775807", like: "[9223372036854775807]", .read { $0[0]?.int == .max }),
    Case(
      "number_9223372036854775808", like: "[9223372036854775808]",
      .read { $0[0]?.int == nil && $0[0]?.integer(as: UInt64.self) == 1 << 63 }),
    // Keys are compared by scalars, so two spellings of é are two keys. A Swift dictionary keeps the first.
    Case(
      "object_key_nfc_nfd", like: "{\"\u{E9}\": \"NFC\", \"e\u{301}\": \"NFD\"}",
      .read {
        let dictionary: [String: String] = try $0 => JSON.Path()
        return $0["\u{E9}"] == "NFC" && $0["e\u{301}"] == "NFD" && $0.count == 2 && dictionary == ["é": "NFC"]
      }),
    Case(
      "object_key_nfd_nfc", like: "{\"e\u{301}\": \"NFD\", \"\u{E9}\": \"NFC\"}",
      .read { $0["\u{E9}"] == "NFC" && $0["e\u{301}"] == "NFD" && $0.count == 2 }),
    // All members are kept. Lookups and comparisons use the first.
    Case(
      "object_same_key_different_values", like: #"{"a": 1, "a": 2}"#,
      .read { $0["a"] == 1 && $0.members.map(\.value) == [1, 2] && $0 == ["a": 1] }),
    Case("object_same_key_same_value", like: #"{"a": 1, "a": 1}"#, .read { $0.count == 2 && $0 == ["a": 1] }),
    Case(
      "object_same_key_unclear_values", like: #"{"a": 0, "a": -0}"#,
      .read { $0["a"]?.double?.sign == .plus && $0.members.map { $0.value.double?.sign } == [.plus, .minus] }),
    // Unpaired surrogates are rejected, as escapes and as bytes.
    Case("string_1_escaped_invalid_codepoint", like: #"["\uD801"]"#, .refused(.loneSurrogate, offset: 2)),
    Case(
      "string_1_invalid_codepoint", like: Array("[\"".utf8) + [0xED, 0xA0, 0x81, 0x22, 0x5D],
      .refused(.invalidEncoding, offset: 2)),
    Case("string_2_escaped_invalid_codepoints", like: #"["\uD801\uD801"]"#, .refused(.loneSurrogate, offset: 2)),
    Case(
      "string_2_invalid_codepoints", like: Array("[\"".utf8) + [0xED, 0xA0, 0x81, 0xED, 0xA0, 0x81, 0x22, 0x5D],
      .refused(.invalidEncoding, offset: 2)),
    Case("string_3_escaped_invalid_codepoints", like: #"["\uD801\uD801\uD801"]"#, .refused(.loneSurrogate, offset: 2)),
    Case(
      "string_3_invalid_codepoints",
      like: Array("[\"".utf8) + [0xED, 0xA0, 0x81, 0xED, 0xA0, 0x81, 0xED, 0xA0, 0x81, 0x22, 0x5D],
      .refused(.invalidEncoding, offset: 2)),
    // A NUL is a character like any other.
    Case(
      "string_with_escaped_NULL", like: #"["C\u0000D"]"#, .read { $0[0]?.string?.unicodeScalars.map(\.value)[1] == 0 }),
  ]

  private func expect(_ decision: Decision, of bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    switch decision {
    case .refused(let code, let offset):
      let error = #expect(throws: JSON.SyntaxError.self, sourceLocation: sourceLocation) { try JSON(parsing: bytes) }
      #expect(error?.code == code, sourceLocation: sourceLocation)
      #expect(error?.offset == offset, sourceLocation: sourceLocation)
      #expect(throws: DecodingError.self, sourceLocation: sourceLocation) {
        try JSON.Decoder().decode(ParsingCorpusTests.Accepted.self, from: Data(bytes))
      }
      #expect(throws: JSON.ReadingError.self, sourceLocation: sourceLocation) { try JSON.read(JSON.self, from: bytes) }
    case .read(let holds):
      for json in try [
        JSON(parsing: bytes), JSON.read(JSON.self, from: bytes),
        JSON(parsing: JSON(parsing: bytes).serialized()),
      ] {
        #expect(try holds(json), "\(json)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: cases)
  func ambiguousTextsHaveTheExpectedResult(example: Case) throws {
    try expect(example.decision, of: example.text)
  }

  static let folder = Corpora.folder?.appending(path: "JSONTestSuite/test_transform")

  @Test(.enabled(if: folder != nil, "the corpora are not here: set ANVIL_CORPORA"), arguments: cases)
  func ambiguousFilesHaveTheExpectedResult(example: Case) throws {
    let folder = try #require(Self.folder)
    try expect(example.decision, of: Array(Data(contentsOf: folder.appending(path: "\(example.file).json"))))
  }

  /// There is a decision for each of the suite's files.
  @Test(.enabled(if: folder != nil, "the corpora are not here: set ANVIL_CORPORA"))
  func everyFileOfTheSuiteHasAnExpectedResult() throws {
    let folder = try #require(Self.folder)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".json") }
    #expect(Set(files) == Set(Self.cases.map { "\($0.file).json" }))
  }
}

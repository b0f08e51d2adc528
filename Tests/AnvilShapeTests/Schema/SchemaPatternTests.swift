import AnvilJSON
import Testing

@testable import AnvilShape

@Suite struct SchemaPatternTests {
  private static let expressions: [(pattern: String, matching: [String], others: [String])] = [
    ("^a$", ["a"], ["a\n", "ba"]),
    ("^.$", ["é", "😀"], ["\n", "\u{2028}", "e\u{301}", ""]),
    (#"^\d$"#, ["7"], ["٣"]),
    (#"^\w+$"#, ["a_1"], ["é"]),
    (#"^\s$"#, [" ", "\u{A0}", "\u{FEFF}", "\u{2003}"], ["a", "\u{85}"]),
    (#"\bab\b"#, ["x ab."], ["abc", "xab"]),
    ("^[a&&b]+$", ["&ab"], ["c"]),
    ("^[[a]$", ["[", "a"], ["]"]),
    (#"^[\]\-x]+$"#, ["]-x"], ["\\"]),
    ("^[a-c-]+$", ["a-c"], ["d"]),
    (#"^[^\d\s]$"#, ["a"], ["1", " "]),
    ("^[]|b$", ["b"], ["", "a"]),
    ("^[^]$", ["\n"], [""]),
    (#"^\u0041\x42\u{43}\cJ$"#, ["ABC\n"], ["ABC"]),
    (#"^\uD83D\uDE00$"#, ["😀"], ["😁"]),
    (#"^(?<q>['"]).\k<q>$"#, ["'a'"], [#"'a""#]),
    (#"^(a|b)\1$"#, ["aa"], ["ab"]),
    (#"^\p{Lu}$"#, ["É"], ["é"]),
    ("^a{2,3}?$", ["aa", "aaa"], ["a", "aaaa"]),
    ("^(?!x).+$", ["y"], ["xy"]),
    (#"^\$#\/ x$"#, ["$#/ x"], ["$#/x"]),
  ]

  @Test(arguments: expressions)
  func readsExpressionsAsECMAScriptDoes(pattern: String, matching: [String], others: [String]) throws {
    let regex = try SchemaPattern.regex(pattern)
    for text in matching { #expect(text.firstMatch(of: regex) != nil, "\(text.debugDescription)") }
    for text in others { #expect(text.firstMatch(of: regex) == nil, "\(text.debugDescription)") }
  }

  private static let refused: [String] = [
    "a++", "*a", "(?i)a", "(?#c)a", "a)", "[a", "[b-a]", #"\a"#, #"\uD800"#, "a{", "a{2,1}", "]", #"\"#, "(?>a)", "a**",
    #"\8"#,
    String(repeating: "(", count: 5000) + String(repeating: ")", count: 5000), String(repeating: "(a", count: 65),
  ]

  @Test(arguments: refused)
  func refusesWhatECMAScriptRefuses(pattern: String) {
    #expect(throws: SchemaPattern.Failure.self) { try SchemaPattern.regex(pattern) }
  }

  private static let formats: [(format: StringFormat, matching: [String], others: [String])] = [
    (
      StringFormat.dateTime, ["2026-02-03T04:05:06Z", "2026-02-28t23:59:60.5+00:00"],
      ["2026-02-29T00:00:00Z", "2026-02-03"]
    ),
    (.date, ["2024-02-29"], ["2023-02-29", "2024-13-01", "2024-2-1"]),
    (.time, ["04:05:06Z", "04:05:06.123+01:30"], ["04:05:06", "24:00:00Z", "04:05:60Z"]),
    (.email, ["a.b+c@example.com", #""a b"@example.com"#, "a@[127.0.0.1]"], ["a", "a..b@c", "@c", "a@-c"]),
    (
      .uri, ["https://example.com/a?b=c#d", "urn:a:b", "http://[::1]:80/"], ["/a", "http://a b", "http://[1", "a:%zz"]
    ),
    (.ipv4, ["127.0.0.1"], ["127.0.0.01", "256.0.0.1", "1.2.3"]),
    (
      .ipv6, ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"],
      ["1::2::3", ":1", "1:2:3:4:5:6:7:8:9", "12345::"]
    ),
    (.hostname, ["example.com", "a-b"], ["-a", "a..b", "a_b", String(repeating: "a", count: 64)]),
  ]

  @Test(arguments: formats)
  func knowsFormats(format: StringFormat, matching: [String], others: [String]) {
    for text in matching { #expect(format.matches(text), "\(text)") }
    for text in others + ["", "é"] { #expect(!format.matches(text), "\(text)") }
  }
}

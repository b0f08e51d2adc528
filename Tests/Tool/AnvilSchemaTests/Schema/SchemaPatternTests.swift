import AnvilJSON
import Testing

@testable import AnvilSchema

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
    (#"^\D$"#, ["a", "\0", "\u{10FFFF}"], ["0", "9"]),
    ("^[]|b$", ["b"], ["", "a"]),
    ("^[^]$", ["\n"], [""]),
    (#"^\u0041\x42\u{43}\cJ$"#, ["ABC\n"], ["ABC"]),
    (#"^\uD83D\uDE00$"#, ["😀"], ["😁"]), (#"^\uD800\uDC00$"#, ["\u{10000}"], ["\u{10001}"]),
    (#"^\uDBFF\uDFFF$"#, ["\u{10FFFF}"], ["\u{10FFFE}"]),
    ("^(?:(?<first>a)|b)*?(?<last>c)$", ["abc", "c"], ["ab"]),
    (#"^\p{Lu}$"#, ["É"], ["é"]),
    ("^a{2,3}?$", ["aa", "aaa"], ["a", "aaaa"]),
    ("^a{2,3}b{0}c{1,}$", ["aac", "aaacc"], ["aabc", "aa"]),
    ("^(?!x).+$", ["y"], ["xy"]),
    ("^(?=.*[a-z])(?=.*[0-9]).{3,}$", ["ab1", "1a "], ["abc", "12 ", "a1"]),
    ("a(?=b(?!c))", ["ab", "xabd"], ["abc", "a"]),
    ("^(?:a|ab)(?:c|bcd)$", ["ac", "abc", "abcd"], ["abbc"]),
    ("^(?:(?:a?)*)*$", ["", "aaa"], ["b"]),
    (#"^a\Bb\B.$"#, ["abc"], ["ab "]),
    ("^[a-a]$", ["a"], ["b", "-"]),
    (#"^[\w.-]+$"#, ["a.b-c_1"], ["a b"]),
    (#"^[^\W]\D\S$"#, ["ab."], [".b.", "a1.", "ab "]),
    (#"^[\p{Lu}\d]\P{Lu}$"#, ["Éé", "1a"], ["ée", "aa", "AA"]),
    ("", ["", "a"], []),
    ("b|^$", ["", "ab"], ["a"]),
    ("^e\u{301}$", ["e\u{301}"], ["\u{E9}"]),
    (#"^\$#\/ x$"#, ["$#/ x"], ["$#/x"]),
  ]

  @Test(arguments: expressions)
  func expressionsMatchAsInECMAScript(pattern: String, matching: [String], others: [String]) throws {
    let matcher = PatternMatcher(try SchemaPattern(pattern))
    for text in matching { #expect(try matcher.finds(in: text), "\(text.debugDescription)") }
    for text in others { #expect(try !matcher.finds(in: text), "\(text.debugDescription)") }
  }

  private static let refused: [String] = [
    "a++", "*a", "(?i)a", "(?#c)a", "a)", "[a", "[b-a]", #"\a"#, #"\uD800"#, "a{", "a{2,1}", "]", #"\"#, "(?>a)", "a**",
    "(?<a>b)(?<a>c)", "(?<1>b)", "(?<=a)b", #"[a-\d]"#,
    #"\p{Nothing}"#, #"\p"#,
    String(repeating: "(", count: 5000) + String(repeating: ")", count: 5000), String(repeating: "(a", count: 65),
  ]

  @Test(arguments: refused)
  func invalidExpressionsAreRefused(pattern: String) {
    #expect(throws: SchemaPattern.Failure.self) { try SchemaPattern(pattern) }
  }

  /// A backtracking matcher needs exponential or quadratic time for each of these patterns.
  @Test(arguments: [
    ("^(a+)+$", "a"), ("^(a|a)*$", "a"), ("^(a|aa)+$", "a"), ("(.*)*b$", "a"), ("(x+x+)+y", "x"), ("^(?=(a+)+$)a", "a"),
    ("^(?!(a|a)*$)b", "a"), ("a{0,50}a{0,50}$", "a"), (".*.*=.*$", "a"),
  ])
  func workIsLinearInTheText(pattern: String, character: String) throws {
    let matcher = PatternMatcher(try SchemaPattern(pattern))
    func work(_ count: Int) throws -> Int {
      var work = PatternWork(.max)
      _ = try matcher.matches(String(repeating: character, count: count) + "!", &work)
      return .max - work.remaining
    }
    let (short, long) = (try work(1000), try work(2000))
    #expect(short > 1000)
    #expect(long * 10 < short * 21)
  }

  @Test(arguments: [
    ("^a{1,100000}$", "aaa", true), ("^a{1,100000}$", "aab", false), ("^(?:a?){50000}$", "a", true),
    ("^a{100000}$", "a", false), ("a{1,100000}", "ba", true),
    ("^(?:ab){120000}$", "abab", false),
  ])
  func countedRepetitionsMatchWithinTheWorkLimit(pattern: String, text: String, isMatch: Bool) throws {
    let matcher = PatternMatcher(try SchemaPattern(pattern))
    var work = PatternWork(1_000_000)
    #expect(try matcher.matches(text, &work) == isMatch)
    #expect(matcher.size <= SchemaPattern.mostInstructions)
  }

  @Test(arguments: [#"(a)\1"#, #"\8"#, #"^(?<q>['"]).\k<q>$"#, #"\k"#, #"(?=(a+))a*b\1"#])
  func backreferencesAreNotSupported(pattern: String) throws {
    let error = #expect(throws: SchemaPattern.Failure.self) { try SchemaPattern(pattern) }
    let reason = try #require(error?.reason)
    #expect(reason.hasPrefix("a regular expression with the backreference \\"))
    #expect(reason.hasSuffix(", which is not supported"))
    #expect(throws: JSONSchema.Malformed.self) { try JSONSchema(compiling: ["pattern": JSON(pattern)]) }
  }

  @Test func nestedRepetitionsWithoutBoundsStaySmall() throws {
    let nested = String(repeating: "(?:", count: 60) + "a" + String(repeating: ")*", count: 60)
    let matcher = PatternMatcher(try SchemaPattern("^\(nested)$"))
    #expect(matcher.size < 200)
    #expect(try matcher.finds(in: "aaaa"))
    #expect(try !matcher.finds(in: "ab"))
  }

  @Test(arguments: [
    "a{1000000}", "(a{1,1000}){1,1000}", "((a{100}){100}){100}", "a{99999999999999999999}",
    "(?=((a{9999999}){9999999}){9999999})", "(?:a{0,9223372036854775807}){2}", "(?:){999999999999}",
    "(?:(?:a{0}){1000}){1000}",
  ])
  func repetitionsThatExpandToTooManyStepsAreRefused(pattern: String) {
    let error = #expect(throws: SchemaPattern.Failure.self) { try SchemaPattern(pattern) }
    #expect(
      error?.reason == "a regular expression whose repetitions expand to more than 262144 steps")
  }

  @Test func matchingCountsTowardsTheWorkLimit() throws {
    let schema = try JSONSchema(compiling: ["items": ["pattern": "^(a|b|[ab])*$"]])
    let text = JSON(String(repeating: "a", count: 3200))
    #expect(schema.check([text], limits: CheckLimits(work: 3000)).isMatch)
    let many = schema.check(JSON((0..<10).map { _ in text }), limits: CheckLimits(work: 3000))
    #expect(many.interruption == .work(limit: 3000))
  }

  @Test func patternsAreComparedByScalars() throws {
    let schema = try JSONSchema(
      compiling: ["properties": ["a": ["pattern": "^\u{E9}$"], "b": ["pattern": "^e\u{301}$"]]])
    #expect(schema.check(["a": "\u{E9}", "b": "e\u{301}"]).isMatch)
  }

  private static let formats: [(format: StringFormat, matching: [String], others: [String])] = [
    (
      StringFormat.dateTime, ["2026-02-03T04:05:06Z", "2026-02-28t23:59:60.5+00:00"],
      ["2026-02-29T00:00:00Z", "2026-02-03"]
    ),
    (.date, ["2024-02-29"], ["2023-02-29", "2024-13-01", "2024-2-1"]),
    (
      .time, ["04:05:06Z", "04:05:06.123+01:30", "23:59:60Z", "01:29:60+01:30", "22:29:60-01:30"],
      ["04:05:06", "24:00:00Z", "04:05:60Z", "23:58:60Z", "23:59:60+01:30"]
    ),
    (
      .uuid, ["ffffffff-FFFF-aaaa-AAAA-099999999990"],
      [
        "gfffffff-ffff-ffff-ffff-ffffffffffff", "Gfffffff-ffff-ffff-ffff-ffffffffffff",
        "ffffffffffffffffffffffffffffffff",
      ]
    ),
    (
      .email,
      ["a.b+c@example.com", #""a b"@example.com"#, #""a\"b"@example.com"#, #""a\\"@example.com"#, "a@[127.0.0.1]"],
      [
        "a", "a..b@c", "@c", "a@-c", #""a"b"@example.com"#, "\"\"a\"@example.com", #""a\"@example.com"#,
        "\"a\tb\"@example.com",
        "\"\u{7F}\"@example.com", #"""@example.com"#,
      ]
    ),
    (
      .uri, ["https://example.com/a?b=c#d", "urn:a:b", "http://[::1]:80/"],
      ["/a", "http://a b", "http://[1", "a:%zz", "a:b?c d", "a:b?c#d e"]
    ),
    (.ipv4, ["127.0.0.1"], ["127.0.0.01", "256.0.0.1", "1.2.3"]),
    (
      .ipv6, ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"],
      ["1::2::3", ":1", "1:2:3:4:5:6:7:8:9", "12345::"]
    ),
    (.hostname, ["example.com", "a-b"], ["-a", "a..b", "a_b", String(repeating: "a", count: 64)]),
  ]

  @Test(arguments: formats)
  func formatsMatchTheExamples(format: StringFormat, matching: [String], others: [String]) {
    for text in matching { #expect(format.matches(text), "\(text)") }
    for text in others + ["", "é"] { #expect(!format.matches(text), "\(text)") }
  }
}

extension PatternMatcher {
  /// Returns whether the pattern matches anywhere in `text`, without a limit of steps.
  fileprivate func finds(in text: String) throws -> Bool {
    var work = PatternWork(.max)
    return try matches(text, &work)
  }
}

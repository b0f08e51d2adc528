import Anvil
import AnvilJSON
import AnvilServer
import AnvilTestSupport
import Foundation
import Testing

/// The page of `anvil har` in a browser.
@Suite(
  .serialized, .timeLimit(.minutes(15)), .enabled(if: Chromium.executable != nil, Comment(rawValue: Chromium.missing)))
struct InspectorTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Creates the page of an archive with these entries, and opens it.
  private func withPage(
    _ entries: String, width: Int = 1300, scheme: String = "light", _ arguments: String...,
    body: (Chromium) async throws -> Void
  ) async throws {
    let archive = folder.path("a.har")
    try Data(#"{"log": {"version": "1.2", "entries": [\#(entries)]}}"#.utf8).write(to: URL(filePath: archive))
    let page = folder.path("page.html")
    let outcome = await anvil(arguments: ["har", archive, "--html", page] + arguments)
    #expect(outcome == Outcome(status: 0, output: "", error: ""))
    try await Chromium.withPage(width: width, scheme: scheme) { (browser: Chromium) async throws in
      try await browser.open(URL(filePath: page))
      try await body(browser)
      #expect(browser.problems == [])
    }
  }

  private static func entry(
    _ path: String, status: Int = 200, method: String = "GET", body: String = "{}", second: Int = 0, more: String = ""
  ) -> String {
    let text = JSON(body).description
    return """
      {"startedDateTime": "2026-03-01T10:00:0\(second).000Z", "time": 50,
       "request": {"method": "\(method)", "url": "https://api.example.com\(path)",
                   "headers": [{"name": "Accept", "value": "application/json"}]},
       "response": {"status": \(status), "statusText": "", "headers": [],
                    "content": {"size": \(body.utf8.count), "mimeType": "application/json", "text": \(text)}},
       "timings": {"send": 1, "wait": 40, "receive": 9}\(more)}
      """
  }

  private static let rows =
    "[...document.querySelectorAll('.exchange')].map((row) => row.querySelector('.path').textContent)"

  @Test func recordedExchangesAreShown() async throws {
    let server = try server(json: #"{"name": "ada", "big": 12345678901234567890}"#)
    let archive = folder.path("get.har")
    #expect(await anvil("get", server.argument(), "--har", archive).status == 0)
    let page = folder.path("page.html")
    #expect(await anvil("har", archive, "--html", page).status == 0)
    try await Chromium.withPage { (browser: Chromium) async throws in
      try await browser.open(URL(filePath: page))
      #expect(try await browser.evaluate("document.title") == "get.har – Anvil")
      #expect(try await browser.evaluate(Self.rows) == ["/"])
      try await browser.evaluate("document.querySelector('.exchange').click()")
      #expect(try await browser.evaluate("byID('panel').textContent").string?.contains("127.0.0.1") == true)
      #expect(try await browser.evaluate("byID('panel').textContent").string?.contains("Connectionnew") == true)
      try await browser.evaluate("byID('tab-Response-body').click()")
      #expect(
        try await browser.evaluate("[...document.querySelectorAll('.tree .row')].map((row) => row.textContent)")
          == ["{name, big}", #""name": "ada""#, #""big": 12345678901234567890"#])
      #expect(browser.problems == [])
    }
  }

  @Test func codeInAnArchiveIsNotRun() async throws {
    let attack = #"</script><script>pwned = 1</script><!--<script><img src=x onerror='pwned = 1'>\#u{2028}"#
    let text = JSON(attack).description
    let entry = """
      {"startedDateTime": \(text), "time": 1, "comment": \(text), "_resourceType": \(text), "serverIPAddress": \(text),
       "request": {"method": \(text), "url": \(text), "headers": [{"name": \(text), "value": \(text)}],
                   "postData": {"mimeType": \(text), "text": \(text)}},
       "response": {"status": 200, "statusText": \(text), "headers": [{"name": \(text), "value": \(text)}], "_error": \(text),
                    "content": {"mimeType": "text/html", "text": \(text), "comment": \(text)}},
       "timings": {}, "_anvil": {"decisions": [{"kind": \(text), "text": \(text)}],
       "outcome": {"level": "error", "text": \(text), "problems": [{"pointer": "", "text": \(text), "hints": [\(text)]}]}}}
      """
    let svg = #"<svg xmlns='http://www.w3.org/2000/svg' onload='pwned = 1'><script>pwned = 1</script></svg>"#
    let picture = """
      {"request": {"method": "GET", "url": "javascript:pwned=1"}, "response": {"status": 200,
       "content": {"mimeType": "image/svg+xml", "encoding": "base64", "text": "\(Data(svg.utf8).base64EncodedString())"}}}
      """
    try await withPage("\(entry), \(picture)") { (browser: Chromium) async throws in
      for place in 0...1 {
        try await browser.evaluate("document.querySelectorAll('.exchange')[\(place)].click()")
        for tab in try await browser.evaluate("detail.tabs()").elements {
          try await browser.evaluate("detail.open(\(tab))")
          if place == 0, tab == "Response body" {
            #expect(
              try await browser.evaluate("document.querySelector('.line').textContent").string?.contains(attack) == true
            )
          }
        }
      }
      #expect(try await browser.evaluate("document.querySelectorAll('script').length") == 2)
      #expect(try await browser.evaluate("typeof pwned") == "undefined")
    }
  }

  /// If text were interpreted as markup, the policy would still prevent it from running.
  @Test func contentSecurityPolicyBlocksOtherScripts() async throws {
    try await withPage("") { _ in }
    try await Chromium.withPage { (browser: Chromium) async throws in
      try await browser.open(URL(filePath: folder.path("page.html")))
      try await browser.evaluate(
        """
        document.body.innerHTML += "<img src=x onerror='pwned = 1'>";
        document.head.append(Object.assign(document.createElement('script'), { textContent: 'pwned = 1' }));
        fetch('https://127.0.0.1:1/').catch(() => document.title)
        """)
      #expect(try await browser.evaluate("typeof pwned") == "undefined")
      #expect(browser.problems.contains { $0.contains("Content Security Policy") })
    }
  }

  @Test func problemsAreShownAtTheirValues() async throws {
    let problems = #"[{"pointer": "/1/zip", "line": 1, "column": 30, "text": "expected String", "hints": ["a hint"]}]"#
    let details = #", "_anvil": {"attempt": 2, "outcome": {"level": "error", "text": "no", "problems": \#(problems)}}"#
    let body = #"[{"zip": "1"}, {"zip": 2, "a~/b": {"c": []}}]"#
    try await withPage(
      Self.entry("/a", body: body, more: details) + "," + Self.entry("/b", body: "{\n  \"a\": 1,,\n}", second: 1)
    ) { (browser: Chromium) async throws in
      #expect(
        try await browser.evaluate("[...document.querySelectorAll('.mark')].map((mark) => mark.textContent)")
          == ["1 problem", "attempt 2", "1 problem"])
      try await browser.evaluate("document.querySelectorAll('.exchange')[0].click()")
      // The link leads to the value.
      try await browser.evaluate("document.querySelector('.problems button').click()")
      #expect(try await browser.evaluate("document.activeElement.pointer") == "/1/zip")
      #expect(
        try await browser.evaluate("document.activeElement.querySelector('.problem').textContent")
          == "expected String (line 1, column 30)a hint")
      // If a body is not JSON, its problem follows the line.
      try await browser.evaluate("document.querySelectorAll('.exchange')[1].click()")
      try await browser.evaluate("detail.open('Response body')")
      let line = try await browser.evaluate("document.querySelector('.problem').previousSibling.textContent")
      #expect(line == #"  "a": 1,,"#)
    }
  }

  @Test func bodiesAreCheckedAgainstASample() async throws {
    let sample = folder.path("sample.json")
    try Data(#"{"id": 1}"#.utf8).write(to: URL(filePath: sample))
    let entries = [
      Self.entry("/users/1", body: #"{"id": "x"}"#), Self.entry("/users/2", body: #"{"id": 2}"#, second: 1),
      Self.entry("/other", body: #"{"id": "x"}"#, second: 2),
      Self.entry("/users/3", status: 404, body: "{}", second: 3),
    ]
    try await withPage(entries.joined(separator: ","), "--against", sample, "--url", "/users/") {
      (browser: Chromium) async throws in
      #expect(
        try await browser.evaluate("archive.entries.map((entry) => entry.problems.map((problem) => problem.pointer))")
          == [["/id"], [], [], []])
    }
  }

  @Test func pageCanBeUsedWithTheKeyboard() async throws {
    let entries = (0..<5).map { Self.entry("/\($0)", body: #"{"a": {"b": [1, 2]}}"#, second: $0) }
    try await withPage(entries.joined(separator: ",")) { (browser: Chromium) async throws in
      let active = "document.activeElement.id || document.activeElement.pointer"
      try await browser.press("/")
      #expect(try await browser.evaluate(active) == "search")
      try await browser.press("ArrowDown", "ArrowDown", "End", "ArrowUp")
      #expect(try await browser.evaluate(active) == "grid")
      #expect(try await browser.evaluate("byID('selected').querySelector('.path').textContent") == "/3")
      #expect(try await browser.evaluate("byID('grid').getAttribute('aria-activedescendant')") == "selected")
      try await browser.press("Enter")
      #expect(try await browser.evaluate(active) == "heading")
      try await browser.evaluate("byID('tab-Overview').focus()")
      try await browser.press("ArrowRight", "ArrowRight")
      #expect(try await browser.evaluate(active) == "tab-Response-body")
      try await browser.press("Tab")
      #expect(try await browser.evaluate(active) == "panel")
      try await browser.evaluate("document.querySelector('.item').focus()")
      try await browser.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "End")
      #expect(try await browser.evaluate(active) == "/a/b/1")
      try await browser.press("ArrowRight", "End", "ArrowLeft", "ArrowLeft", "ArrowLeft")
      #expect(try await browser.evaluate(active) == "/a")
      try await browser.press("Escape")
      #expect(try await browser.evaluate(active) == "grid")
      #expect(try await browser.evaluate("byID('detail').hidden") == true)
    }
  }

  @Test func filtersSelectExchanges() async throws {
    let entries = [
      Self.entry("/users"), Self.entry("/users", status: 404, method: "DELETE", second: 1),
      Self.entry("/items", body: #"{"needle": 1}"#, second: 2), Self.entry("/lost", status: 0, second: 3),
    ]
    try await withPage(entries.joined(separator: ",")) { (browser: Chromium) async throws in
      func shown(_ id: String, _ value: String) async throws -> JSON {
        try await browser.evaluate("byID('filters').reset(); byID('\(id)').value = '\(value)'; applyFilter()")
        return try await browser.evaluate(Self.rows)
      }
      #expect(try await shown("search", "NEEDLE") == ["/items"])
      #expect(try await shown("search", "users 404") == ["/users"])
      #expect(try await shown("status", "4") == ["/users"])
      #expect(try await shown("status", "0") == ["/lost"])
      #expect(try await shown("method", "DELETE") == ["/users"])
      #expect(try await shown("search", "nothing") == [])
      #expect(try await browser.evaluate("byID('empty').textContent") == "No exchange matches the filter.")
      #expect(try await browser.evaluate("byID('totals').textContent").string?.hasPrefix("0 of 4 exchanges") == true)
    }
  }

  @Test(arguments: ["light", "dark"])
  func narrowWindowShowsTheListOrTheDetails(scheme: String) async throws {
    let entries = (0..<3).map { Self.entry("/a/rather/long/path/that/does/not/fit/\($0)", second: $0) }
    try await withPage(entries.joined(separator: ","), width: 400, scheme: scheme) { (browser: Chromium) async throws in
      let isDark = "getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0] < 100"
      #expect(try await browser.evaluate(isDark).bool == (scheme == "dark"))
      let fits = "document.documentElement.scrollWidth <= 400 && byID('grid').scrollWidth <= byID('grid').clientWidth"
      #expect(try await browser.evaluate(fits) == true)
      try await browser.evaluate("document.querySelector('.exchange').click()")
      #expect(try await browser.evaluate("byID('list').offsetWidth") == 0)
      #expect(try await browser.evaluate("byID('detail').offsetWidth") == 400)
      #expect(try await browser.evaluate("byID('panel').scrollWidth <= byID('panel').clientWidth") == true)
      try await browser.evaluate("byID('close').click()")
      #expect(try await browser.evaluate("byID('list').offsetWidth") == 400)
    }
  }

  @Test func archivesOfOtherProgramsAreShown() async throws {
    let entries = #"""
      {}, {"request": null, "response": [], "timings": "x", "startedDateTime": 5}, "x", null,
      {"request": {"url": "data:,x", "headers": {"a": 1}}, "response": {"status": "200", "content": {"text": 5}}, "time": "long"},
      {"_fromCache": "disk", "startedDateTime": "2026-03-01T10:00:00.000+01:00", "request": {"method": "GET", "url": "/relative",
       "headers": [{"name": ":authority", "value": "a"}, {"name": "Cookie", "value": "it's"}]},
       "response": {"status": 304, "content": {"encoding": "base64", "text": "!!!"}}, "timings": {"blocked": -1, "connect": 5, "ssl": 9}}
      """#
    try await withPage(entries) { (browser: Chromium) async throws in
      #expect(try await browser.evaluate("document.querySelectorAll('.exchange').length") == 4)
      #expect(try await browser.evaluate("byID('remark').textContent") == "2 entries are not objects and are left out.")
      for place in 0..<4 {
        try await browser.evaluate("document.querySelectorAll('.exchange')[\(place)].click()")
        try await browser.evaluate("detail.tabs().forEach((tab) => detail.open(tab))")
      }
      #expect(
        try await browser.evaluate("curlCommand(archive.entries.find((entry) => entry.url === '/relative'))")
          == #"curl --header 'Cookie: it'\''s' -- /relative"#)
    }
  }

  @Test func deepLongAndUnusualBodiesAreShown() async throws {
    let depth = 20_000
    let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let long = "[" + String(repeating: "1,", count: 100_000) + "1]"
    let decision = #", "_anvil": {"decisions": [{"kind": "constructor", "text": "x"}]}"#
    let entries = [
      Self.entry("/deep", body: deep, more: decision), Self.entry("/long", body: long, second: 1),
      Self.entry("/keys", body: #"{"__proto__": {"a": 1}, "toString": 2, "": {"/~": [3]}}"#, second: 2),
    ]
    try await withPage(entries.joined(separator: ",")) { (browser: Chromium) async throws in
      try await browser.evaluate("document.querySelectorAll('.exchange')[0].click()")
      #expect(try await browser.evaluate("byID('panel').textContent").string?.contains("constructorx") == true)
      try await browser.evaluate("detail.open('Response body')")
      #expect(try await browser.evaluate("byID('panel').textContent").string?.contains("[[[") == true)
      try await browser.evaluate("document.querySelectorAll('.exchange')[1].click()")
      #expect(try await browser.evaluate("document.querySelectorAll('.tree .item').length") == 201)
      try await browser.evaluate("document.querySelector('.tree .more').click()")
      #expect(try await browser.evaluate("document.querySelectorAll('.tree .item').length") == 401)
      try await browser.evaluate("document.querySelectorAll('.exchange')[2].click()")
      try await browser.evaluate("byID('panel').tree.show('//~1~0/0')")
      #expect(
        try await browser.evaluate("[...document.querySelectorAll('.tree .row')].map((row) => row.textContent)")
          == [
            "{__proto__, toString, }", #""__proto__": {a}"#, #""toString": 2"#, #""": {/~}"#, #""/~": [1]"#, "0: 3",
          ])
    }
  }

  private static let words = [
    "a", "", "a b", "it's", "a\tb\nc", "\u{1b}[201~\rid\n", "\u{202e}a", "\\n'\u{1}7", "\u{7f}7", "\u{9b}x", "\u{ad}1",
    "=ls", "!x", "é\u{7}é",
    "\u{2028}", "\u{1F469}\u{200D}\u{1F4BB}\u{fe0f}", "~", "$(id)", "`id`", "\u{e000}",
  ]

  @Test func copiedCommandsAreQuotedAsByTheTool() async throws {
    try await withPage(Self.entry("/")) { (browser: Chromium) async throws in
      for word in Self.words {
        let entry = """
          { url: \(JSON(word).description), method: "GET", requestFields: [], requestBody: null }
          """
        #expect(
          try await browser.evaluate("curlCommand(\(entry))").string?.hasSuffix(" -- \(word.quotedForShell)") == true,
          "\(word.debugDescription)")
      }
    }
  }

  /// A control character that is pasted into a terminal is a key that is pressed: a carriage return runs the line, and `ESC [201~` ends the
  /// protection of pasted text.
  @Test func copiedTextsHaveNoControlCharacters() async throws {
    let attack = "\u{1b}[201~\rid\u{9b}\u{202e}"
    let text = JSON(attack).description
    func entry(_ body: String, _ second: Int) -> String {
      """
      {"startedDateTime": "2026-03-01T10:00:0\(second)Z", "request": {"method": "POST", "url": "https://a.example/\(text.dropFirst().dropLast())",
       "headers": [{"name": "X-A", "value": \(text)}, {"name": "X\\r\\nid", "value": "1"}], "postData": {"mimeType": "text/plain", "text": \(text)}},
       "response": {"status": 200, "content": {"mimeType": "text/plain", "text": \(JSON(body).description)}}}
      """
    }
    let bodies = ["x\(attack)\r\ny\n", "{\"a\": \"\u{9b}\u{202e}\"}\r\n"]
    try await withPage(bodies.enumerated().map { entry($1, $0) }.joined(separator: ",")) {
      (browser: Chromium) async throws in
      func copied(_ button: String) async throws -> String? {
        try await browser.evaluate(
          "copied = undefined; copy = (words) => { copied = words; }; \(button).click(); copied"
        ).string
      }
      try await browser.evaluate("globalThis.copied = undefined; document.querySelectorAll('.exchange')[0].click()")
      let escaped = #"\033[201~\015id\302\233\342\200\256"#
      #expect(
        try await copied("byID('curl')")
          == "curl --globoff --header $'X-A: \(escaped)' --header 'Content-Type: text/plain' --data-raw $'\(escaped)' -- $'https://a.example/\(escaped)'"
      )
      #expect(try await copied("byID('copy-url')") == "https://a.example/%1B[201~%0Did%C2%9B%E2%80%AE")
      for (place, body) in [#"x\u{1b}[201~\u{d}id\u{9b}\u{202e}"# + "\ny\n", #"{"a": "\u009b\u202e"}"# + "\n"]
        .enumerated()
      {
        try await browser.evaluate(
          "document.querySelectorAll('.exchange')[\(place)].click(); detail.open('Response body')")
        #expect(
          try await copied(
            "[...document.querySelectorAll('.tools button')].find((button) => button.textContent.startsWith('Copy'))")
            == body)
      }
    }
  }

  @Test func bodyThatCannotBeAnArgumentIsDescribed() async throws {
    try await withPage(Self.entry("/")) { (browser: Chromium) async throws in
      let entry = #"{ url: "/", method: "POST", requestFields: [], requestBody: { text: "a\u0000b", type: "" } }"#
      #expect(
        try await browser.evaluate("curlCommand(\(entry))")
          == "curl --request POST -- /  # and a body that is not text, 3 B")
    }
  }

  /// An archive can name any problem. None of them may prevent that the body is shown.
  @Test(arguments: [
    #"{"pointer": "", "column": {"toString": 1}, "line": 1, "text": "x"}"#,
    #"{"pointer": {"toString": 1}, "line": {"valueOf": 1}, "text": {"toString": 1}, "hints": {"map": 1}}"#,
    #"{"pointer": "", "line": 1, "text": "x", "hints": [{"toString": 1}, null, ["a"]]}"#,
    #"{"pointer": "\#(String(repeating: "/0", count: 5_000))", "line": 1, "text": "deep"}"#,
    (0..<5_000).map { _ in #"{"pointer": "", "line": 1, "text": "many"}"# }.joined(separator: ","),
    #"{"pointer": "", "line": 1, "text": "\#(String(repeating: "long ", count: 50_000))"}"#,
    #"{"pointer": "/a/-1", "line": 1e300, "text": "x"}, {"pointer": "/__proto__", "line": -1, "text": "x"}"#,
  ])
  func craftedProblemsDoNotHideBodies(problems: String) async throws {
    let details = #", "_anvil": {"outcome": {"level": "error", "text": "no", "problems": [\#(problems)]}}"#
    let deep = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
    let bodies = [#"{"needle": [1, 2]}"#, "needle {", #"{"needle": \#(deep)}"#, deep]
    let entries = bodies.enumerated().map { Self.entry("/\($0)", body: $1, second: $0, more: details) }
    try await withPage(entries.joined(separator: ",")) { (browser: Chromium) async throws in
      for place in bodies.indices {
        try await browser.evaluate("document.querySelectorAll('.exchange')[\(place)].click(); detail.open('Overview')")
        #expect(try await browser.evaluate("byID('panel').querySelectorAll('section').length >= 2") == true)
        try await browser.evaluate("detail.open('Response body')")
        // The text of the body begins within the first screens of the panel.
        let text = "(byID('panel').querySelector('.tree .item .item .row, .tree .row, .line'))"
        #expect(try await browser.evaluate("\(text).textContent.length > 0") == true)
        let distance = "\(text).getBoundingClientRect().top - byID('panel').getBoundingClientRect().top"
        #expect(try await browser.evaluate("\(distance) < 3000") == true)
        #expect(try await browser.evaluate("\(text).getBoundingClientRect().width > 0") == true)
        try await browser.evaluate("detail.open('Overview'); document.querySelector('.problems button').click()")
      }
    }
  }

  @Test func messagesOfWebSocketsAreShown() async throws {
    let messages = #"""
      {"type": "send", "time": 1772359200.5, "opcode": 1, "data": "{\"hello\": \"<b>needle</b>\"}"},
      {"type": "receive", "time": 1772359201.25, "opcode": 2, "data": "AAH/"}, {"type": "receive", "opcode": 8, "data": ""},
      7, {"type": {}, "time": "x", "opcode": {}, "data": 5}
      """#
    let entry = #"""
      {"startedDateTime": "2026-03-01T10:00:00.000Z", "time": 50, "_resourceType": "websocket",
       "request": {"method": "GET", "url": "wss://a.example/socket"}, "response": {"status": 101, "content": {}},
       "_webSocketMessages": [\#(messages)]}
      """#
    try await withPage("\(entry), \(Self.entry("/other"))") { (browser: Chromium) async throws in
      try await browser.evaluate("byID('search').value = 'needle'; applyFilter()")
      #expect(try await browser.evaluate(Self.rows) == ["/socket"])
      try await browser.evaluate("document.querySelector('.exchange').click()")
      #expect(try await browser.evaluate("detail.tabs()") == ["Overview", "Headers", "Response body", "Messages"])
      try await browser.evaluate("detail.open('Messages')")
      let cells =
        "[...document.querySelectorAll('.messages tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
      #expect(
        try await browser.evaluate(cells) == [
          ["↑ sent", "500 ms", "26 B", #"{"hello": "<b>needle</b>"}"#],
          ["↓ received binary", "1.25 s", "3 B", "0000  00 01 ff\(String(repeating: " ", count: 41))..."],
          ["↓ received close", "", "0 B", ""], ["↓ received", "", "1 B", "5"],
        ])
      #expect(try await browser.evaluate("byID('panel').scrollWidth <= byID('panel').clientWidth") == true)
    }
  }

  @Test func manyAndLongMessagesAreShownInParts() async throws {
    let messages = (0..<1200).map {
      #"{"type": "receive", "opcode": 1, "data": "\#($0)\#(String(repeating: "x", count: $0 == 0 ? 5_000 : 0))"}"#
    }
    let entry = #"""
      {"request": {"method": "GET", "url": "wss://a.example/socket"}, "response": {"status": 101},
       "_webSocketMessages": [\#(messages.joined(separator: ","))]}
      """#
    try await withPage(entry) { (browser: Chromium) async throws in
      try await browser.evaluate("document.querySelector('.exchange').click(); detail.open('Messages')")
      let count = "document.querySelectorAll('.messages tbody tr').length"
      #expect(try await browser.evaluate(count) == 500)
      #expect(try await browser.evaluate("document.querySelector('.content span').textContent.length") == 2000)
      try await browser.evaluate("document.querySelector('.content button').click()")
      #expect(try await browser.evaluate("document.querySelector('.content').textContent.length") == 5001)
      for shown in [1000, 1200] {
        try await browser.evaluate("[...document.querySelectorAll('#panel > .more')].pop().click()")
        #expect(try await browser.evaluate(count).int == shown)
      }
      #expect(
        try await browser.evaluate("[...document.querySelectorAll('#panel > .more')].every((button) => button.hidden)")
          == true)
    }
  }

  @Test func rowsAreCreatedWhenTheyBecomeVisible() async throws {
    let entries = (0..<3000).map { Self.entry("/\($0)", body: "[]") }
    try await withPage(entries.joined(separator: ",")) { (browser: Chromium) async throws in
      #expect(try await browser.evaluate("document.querySelectorAll('.exchange').length < 100") == true)
      try await browser.evaluate("byID('grid').focus()")
      try await browser.press("End")
      #expect(try await browser.evaluate("byID('selected').querySelector('.path').textContent") == "/2999")
      #expect(try await browser.evaluate("byID('selected').getAttribute('aria-rowindex')") == "3001")
    }
  }

  @Test func newExchangesAppearWhileFollowing() async throws {
    let archive = URL(filePath: folder.path("live.har"))
    func write(_ entries: String...) throws {
      try Data(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#.utf8).write(to: archive, options: .atomic)
    }
    try await withListening(arguments: ["har", archive.path(), "--follow", "--no-open"]) { (url: URL) async throws in
      try await Chromium.withPage { (browser: Chromium) async throws in
        try await browser.open(url)
        #expect(try await browser.evaluate("byID('empty').textContent") == "The archive has no exchanges.")
        try write(Self.entry("/1"))
        try await browser.wait(until: "archive.entries.length === 1")
        try await browser.evaluate("document.querySelector('.exchange').click()")
        try write(Self.entry("/1"), Self.entry("/2", second: 1))
        try await browser.wait(until: "archive.entries.length === 2")
        // The selected exchange stays open.
        #expect(try await browser.evaluate("byID('heading').textContent").string?.hasSuffix("/1") == true)
        try Data("{".utf8).write(to: archive, options: .atomic)
        try await browser.wait(until: "byID('remark').textContent.includes('is not JSON')")
        #expect(try await browser.evaluate("archive.entries.length") == 2)
      }
    }
  }
}

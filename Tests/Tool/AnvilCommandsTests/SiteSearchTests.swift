import AnvilHTTP
import AnvilJSON
import AnvilServer
import AnvilTestSupport
import Foundation
import Testing

/// The search of the documentation site's front page in a browser.
@Suite(
  .serialized, .timeLimit(.minutes(15)), .enabled(if: Chromium.executable != nil, Comment(rawValue: Chromium.missing)))
struct SiteSearchTests {
  private static let builtIndex = Checkout.root.appending(path: ".build/documentation/index/index.json")

  /// An index of the form that docc writes.
  private static let index = """
    {"interfaceLanguages": {"swift": [
      {"type": "module", "title": "Anvil", "path": "/documentation/anvil", "children": [
        {"type": "groupMarker", "title": "Guides"},
        {"type": "article", "title": "Errors <b>and codes</b>", "path": "/documentation/anvil/errors"},
        {"type": "struct", "title": "Gateway", "path": "/documentation/anvil/gateway", "children": [
          {"type": "groupMarker", "title": "Instance Methods"},
          {"type": "method", "title": "func get<T>(String, as: T.Type) async throws -> T", "path": "/documentation/anvil/gateway/get(_:as:)"},
          {"type": "symbol", "title": "Gateway Implementations", "path": "/documentation/anvil/gateway/implementations"}]},
        {"type": "enum", "title": "TransportError.Code", "path": "/documentation/anvil/transporterror/code-swift.enum", "children": [
          {"type": "case", "title": "case missingKey", "path": "/documentation/anvil/transporterror/code-swift.enum/missingkey"}]}]},
      {"type": "module", "title": "AnvilStore", "path": "/documentation/anvilstore", "children": [
        {"type": "struct", "title": "Gateway.Row", "path": "/documentation/anvilstore/row"},
        {"type": "struct", "title": "Gateway.Row", "path": "/documentation/anvilstore/row"}]}]}}
    """

  /// Opens the front page with an index from a server of the test.
  private func withSite(
    index: Data? = Data(index.utf8), query: String = "", width: Int = 1300, scheme: String = "light",
    body: (Chromium) async throws -> Void
  ) async throws {
    let server = try LoopbackServer()
    let folder = Checkout.root.appending(path: "scripts/support/documentation")
    let page = try Data(contentsOf: folder.appending(path: "index.html"))
    let script = try Data(contentsOf: folder.appending(path: "search.js"))
    server.on(.get, "/site/") { _ in .status(.success(.ok), headers: [.contentType: "text/html"], body: page) }
    server.on(.get, "/site/search.js") { _ in
      .status(.success(.ok), headers: [.contentType: "text/javascript"], body: script)
    }
    server.on(.get, "/site/favicon.ico") { _ in .status(.success(.noContent)) }
    server.on(.get, "/site/documentation/anvil/gateway/") { _ in .text("a page") }
    if let index {
      server.on(.get, "/site/index/index.json") { _ in
        .status(.success(.ok), headers: [.contentType: .applicationJSON], body: index)
      }
    }
    try await Chromium.withPage(width: width, scheme: scheme) { (browser: Chromium) async throws in
      try await browser.open(server.url("/site/\(query)"))
      try await body(browser)
    }
  }

  private static let names = "[...document.querySelectorAll('#results a')].map((link) => link.textContent)"
  private static let count = "document.getElementById('count').textContent"

  private func type(_ text: String, in browser: Chromium) async throws {
    for character in text { try await browser.press(String(character)) }
  }

  @Test func symbolsAndGuidesOfAllModulesAreFound() async throws {
    try await withSite { (browser: Chromium) async throws in
      try await browser.press("/")
      #expect(try await browser.evaluate("document.activeElement.id") == "q")
      try await type("gateway", in: browser)
      try await browser.wait(until: "\(Self.count) === '3 results'")
      #expect(try await browser.evaluate(Self.names) == ["Gateway", "Gateway.Row", "Gateway.get"])
      #expect(
        try await browser.evaluate("document.querySelector('#results li:nth-child(2) .kind').textContent")
          == "struct · AnvilStore")
      #expect(
        try await browser.evaluate("document.querySelectorAll('#results a')[2].href").string?
          .hasSuffix("/site/documentation/anvil/gateway/get(_%3Aas%3A)/") == true)
      // The links are reached with the arrow keys, and Escape leads back to an empty field.
      try await browser.press("ArrowDown", "ArrowDown")
      #expect(try await browser.evaluate("document.activeElement.textContent") == "Gateway.Row")
      try await browser.press("Escape", "Escape")
      try await browser.wait(until: "\(Self.names).length === 0")
      #expect(try await browser.evaluate("document.activeElement.id + \(Self.count)") == "q")
      #expect(browser.problems == [])
    }
  }

  @Test func codesAreFoundAsTheyArePrinted() async throws {
    try await withSite(query: "?q=missing-key") { (browser: Chromium) async throws in
      try await browser.wait(until: "\(Self.count) === '1 result'")
      #expect(try await browser.evaluate(Self.names) == ["TransportError.Code.missingKey"])
      try await browser.evaluate("field.value = 'zzz', update()")
      try await browser.wait(until: "\(Self.count).startsWith('no results')")
      try await browser.evaluate("field.value = 'codes error', update()")
      try await browser.wait(until: "\(Self.names).length === 1")
      #expect(try await browser.evaluate(Self.names) == ["Errors <b>and codes</b>"])
    }
  }

  @Test func returnOpensTheFirstResult() async throws {
    try await withSite(query: "?q=gatewa") { (browser: Chromium) async throws in
      try await browser.wait(until: "\(Self.names).length === 3")
      try await browser.press("/", "Enter")
      try await browser.wait(until: "location.pathname === '/site/documentation/anvil/gateway/'")
    }
  }

  @Test func missingIndexIsReported() async throws {
    try await withSite(index: nil, query: "?q=gateway") { (browser: Chromium) async throws in
      try await browser.wait(until: "\(Self.count).startsWith('The index could not be loaded')")
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: builtIndex.path()), "scripts/docs writes the index"))
  func everyModuleOfTheBuiltSiteIsFound() async throws {
    let index = try Data(contentsOf: Self.builtIndex)
    try await withSite(index: index) { (browser: Chromium) async throws in
      let expected = [
        ("Gateway", "/anvil/gateway/"), ("noConnection", "/noconnection/"), ("Recipes", "/anvil/recipes/"),
        ("StoreCondition", "/anvilstore/storecondition/"), ("StoreCoordinator", "/anvilsync/storecoordinator/"),
        ("SQLiteCacheStorage", "/anvilsqlitecache/sqlitecachestorage/"), ("StubSession", "/anviltesting/stubsession/"),
        ("LoopbackServer", "/anvilserver/loopbackserver/"), ("ContractError", "/anviltesting/contracterror/"),
        ("AnvilSQLite", "/anvilsqlite/"), ("AnvilPostgres", "/anvilpostgres/"),
      ]
      for (query, path) in expected {
        try await browser.evaluate("field.value = '\(query)', update()")
        let first = try await browser.evaluate("document.querySelector('#results a').href")
        #expect(first.string?.hasSuffix(path) == true, "\(query)")
      }
    }
  }

  /// A Boolean value that indicates whether the site was built, by the present version of `scripts/docs`.
  private static var hasSite: Bool {
    let page = Checkout.root.appending(path: ".build/documentation/documentation/anvil/gateway/index.html")
    return (try? String(contentsOf: page, encoding: .utf8).contains("anvil-header")) == true
  }

  @Test(.enabled(if: hasSite, "scripts/docs writes the site")) func everyPageLeadsToTheSearch() async throws {
    let site = Checkout.root.appending(path: ".build/documentation")
    let types: [String: HTTP.HeaderValue] = ["html": "text/html", "js": "text/javascript", "css": "text/css"]
    let server = try LoopbackServer()
    server.on(.get, "/*") { request in
      var file = site.appending(path: request.path.dropFirst())
      if request.path.hasSuffix("/") { file.append(path: "index.html") }
      guard let data = try? Data(contentsOf: file) else { return .status(.clientError(.notFound)) }
      let type = types[file.pathExtension] ?? "application/octet-stream"
      return .status(.success(.ok), headers: [.contentType: type], body: data)
    }
    try await Chromium.withPage { (browser: Chromium) async throws in
      try await browser.open(server.url("/documentation/anvil/gateway/"))
      // The header is in a shadow tree.
      try await browser.wait(
        until: """
          (header = document.querySelector('custom-header'), input = header?.shadowRoot?.querySelector('input')
            ?? document.querySelector('.anvil-header input')) !== null
          """)
      try await browser.evaluate("input.focus()")
      try await type("sse/x", in: browser)
      #expect(try await browser.evaluate("input.value") == "sse/x")
      try await browser.press("Enter")
      try await browser.wait(until: "location.pathname === '/' && document.readyState === 'complete'")
      #expect(try await browser.evaluate("field.value") == "sse/x")
    }
  }

  @Test(arguments: [400, 1300]) func pageFitsTheWindow(width: Int) async throws {
    try await withSite(query: "?q=gateway", width: width, scheme: "dark") { (browser: Chromium) async throws in
      try await browser.wait(until: "\(Self.names).length === 3")
      #expect(try await browser.evaluate("document.documentElement.scrollWidth <= innerWidth").bool == true)
    }
  }
}

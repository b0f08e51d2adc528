import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Paginated lists, from a server with 25 items in pages of ten.
@Suite(.timeLimit(.minutes(15))) struct PaginationTests {
  struct Cursored: Codable, Sendable {
    var items: [Int]
    var after: String?
  }

  private let server: LoopbackServer
  private let session = StubSession { Issue.record($0) }
  private let gateway: Gateway

  init() throws {
    server = try LoopbackServer()
    gateway = Gateway(
      baseURL: server.url, backend: BackendService(transportService: TransportService(session: session)))
    session.answer(as: server)
    server.on(.get, "/linked") { request in
      let page = Int(request.value("page") ?? "1") ?? 0
      var reply = Self.json(Self.items(from: (page - 1) * 10))
      let next = #"</linked?page=\#(page + 1)&per_page=10>; rel="next", </linked?page=3>; rel="last""#
      if page < 3 {
        reply = .status(200, headers: [.contentType: .applicationJSON, .link: "\(next)"], body: Self.data(page))
      }
      return reply
    }
    server.on(.get, "/cursored") { request in
      let start = Int(request.value("after") ?? "0") ?? 0
      return Self.json(Cursored(items: Self.items(from: start), after: start < 20 ? "\(start + 10)" : nil))
    }
    server.on(.get, "/numbered") { request in
      Self.json(Self.items(from: ((Int(request.value("page") ?? "") ?? 1) - 1) * 10))
    }
    server.on(.get, "/offset") { request in Self.json(Self.items(from: Int(request.value("skip") ?? "") ?? 0)) }
  }

  private static func items(from start: Int) -> [Int] {
    Array(start..<max(start, min(start + 10, 25)))
  }

  private static func data(_ page: Int) -> Data {
    Data("[\(items(from: (page - 1) * 10).map(String.init).joined(separator: ","))]".utf8)
  }

  private static func json(_ value: some Encodable) -> LoopbackServer.Reply {
    (try? .status(200, headers: [.contentType: .applicationJSON], body: JSONEncoder().encode(value))) ?? .status(500)
  }

  private var targets: [String] { server.requests.map(\.target) }

  private var linked: Pages<[Int], AnyError> {
    gateway.request("linked", query: ["per_page": 10]).pages(of: [Int].self, by: .linkHeader)
  }

  // MARK: Links to the next page

  @Test func linksAreFollowedUnchanged() async throws {
    #expect(try await linked.items().collected() == Array(0..<25))
    #expect(targets == ["/linked?per_page=10", "/linked?page=2&per_page=10", "/linked?page=3&per_page=10"])
  }

  @Test func cursorsAreSentInTheQuery() async throws {
    let pages = gateway.request("cursored", query: ["size": 10]).pages(of: Cursored.self, by: .cursor("after", \.after))
    #expect(try await pages.items(\.items).collected() == Array(0..<25))
    #expect(targets == ["/cursored?size=10", "/cursored?size=10&after=10", "/cursored?size=10&after=20"])
  }

  @Test func pageNumbersIncreaseUntilTheLastPage() async throws {
    let pages = gateway.request("numbered").pages(of: [Int].self, by: .pageNumber("page") { $0.count < 10 })
    #expect(try await pages.items().collected() == Array(0..<25))
    #expect(targets == ["/numbered?page=1", "/numbered?page=2", "/numbered?page=3"])
  }

  /// A server that reads the first of two items would return the same page again and again.
  @Test(arguments: ["numbered?page=2&size=10", "numbered?size=10&p%61ge=7&page=8"])
  func anItemOfThePathIsReplaced(path: String) async throws {
    let pages = gateway.request(HTTP.Path(syntax: path)).pages(
      of: [Int].self, by: .pageNumber("page") { $0.count < 10 })
    #expect(try await pages.items().collected() == Array(0..<25))
    #expect(targets == (1...3).map { "/numbered?size=10&page=\($0)" })
  }

  @Test func anItemOfATemplateOrTheBaseURLIsReplaced() async throws {
    let numbered = try gateway.request(template: "numbered{?page}", ["page": 2])
      .pages(of: [Int].self, by: .pageNumber("page") { $0.count < 10 })
    #expect(try await numbered.items().collected() == Array(0..<25))
    let url = try #require(URL(string: server.url.absoluteString + "/?after=&size=10"))
    let other = Gateway(
      baseURL: url, backend: BackendService(transportService: TransportService(session: session)))
    let cursored = other.request("cursored").pages(of: Cursored.self, by: .cursor("after", \.after))
    #expect(try await cursored.items(\.items).collected() == Array(0..<25))
    #expect(
      targets == [
        "/numbered?page=1", "/numbered?page=2", "/numbered?page=3", "/cursored?after=&size=10",
        "/cursored?size=10&after=10", "/cursored?size=10&after=20",
      ])
  }

  @Test func offsetsIncreaseByTheNumberOfItems() async throws {
    let pages = gateway.request("offset").pages(of: [Int].self, by: .offset("skip") { $0.count })
    #expect(try await pages.items().collected() == Array(0..<25))
    #expect(targets == ["/offset?skip=0", "/offset?skip=10", "/offset?skip=20", "/offset?skip=25"])
  }

  @Test func pagesCanContainTheNextURL() async throws {
    struct Page: Codable, Sendable {
      var next: String?
      var value: Int
    }
    server.on(.get, "/named/:n") { request in
      let number = Int(request.parameters["n"] ?? "") ?? 0
      return Self.json(Page(next: number < 3 ? "\(number + 1)" : "", value: number))
    }
    let pages = gateway.request("named", 1).pages(of: Page.self, by: .nextURL(\.next))
    #expect(try await pages.collected().map(\.value.value) == [1, 2, 3])
  }

  @Test func absoluteLinksKeepTheCredentialsOfTheURL() async throws {
    let session = StubSession { Issue.record($0) }
    session.on("all", where: { _ in true }) { request in
      request.url.query() == nil
        ? .status(200, headers: [.link: "<https://a.example/list?page=2>; rel=next"], body: Data("[1]".utf8))
        : .json("[2]")
    }
    let gateway = Gateway(
      baseURL: try #require(URL(string: "https://u:p@a.example/list")), session: session, configuration: .bare)
    #expect(try await gateway.request().pages(of: [Int].self, by: .linkHeader).items().collected() == [1, 2])
    #expect(session.requests.map { $0.url.user() } == ["u", "u"])
  }

  // MARK: Reading

  @Test func pagesAreRequestedLazily() async throws {
    var pages = linked.makeAsyncIterator()
    #expect(server.requests.isEmpty)
    #expect(try await pages.next()?.value == Array(0..<10))
    #expect(server.requests.count == 1)
    #expect(try await linked.items().prefix(10).collected().count == 10)
    #expect(server.requests.count == 2)
  }

  @Test func aLimitEndsTheList() async throws {
    let pages = gateway.request("linked").pages(of: [Int].self, by: .linkHeader, pageLimit: 2)
    let all = try await pages.collected()
    #expect(all.map(\.value.count) == [10, 10])
    #expect(all.last?.next?.page == .url(server.url("/linked?page=3&per_page=10").absoluteString))
    #expect(server.requests.count == 2)
  }

  @Test func readingResumesAtAStoredPosition() async throws {
    var items = linked.items().makeAsyncIterator()
    for _ in 0..<13 { _ = try await items.next() }
    let stored = try JSONEncoder().encode(try #require(items.position))
    let position = try JSONDecoder().decode(PagePosition.self, from: stored)
    let rest = gateway.request("linked", query: ["per_page": 10]).pages(of: [Int].self, by: .linkHeader, from: position)
    #expect(try await rest.items().collected() == Array(13..<25))
    #expect(targets.last == "/linked?page=3&per_page=10")
    #expect(server.requests.count == 4)
  }

  @Test func aPositionsDescriptionRevealsNoSecrets() {
    for position in [PagePosition(.url("https://e.com/?cursor=t0p")), PagePosition(.cursor("t0p"), itemsTaken: 3)] {
      var dumped = ""
      dump(position, to: &dumped)
      #expect(!"\(position) \(String(reflecting: position)) \(dumped)".contains("t0p"))
    }
    #expect("\(PagePosition(.number(7), itemsTaken: 3))" == "number 7, after 3 items")
  }

  @Test func aFailedPageCanBeRequestedAgain() async throws {
    server.on(.get, "/failing") { request in
      request.value("page") == "2" ? .status(503) : Self.json([1])
    }
    let pages = gateway.request("failing").pages(of: [Int].self, by: .pageNumber("page") { $0.isEmpty })
    var iterator = pages.makeAsyncIterator()
    _ = try await iterator.next()
    let failure = await #expect(throws: AnyError.self) { try await iterator.next() }
    #expect(failure?.transportError?.code == .serverError(.serviceUnavailable))
    #expect(iterator.position == PagePosition(.number(2)))
    #expect(try await iterator.next() == nil)
    #expect(server.requests.count == 2)
  }

  @Test func aPageThatDoesNotDecodeIsADecodingFailure() async throws {
    server.on(.get, "/odd") { _ in Self.json(["a"]) }
    let pages = gateway.request("odd").pages(of: [Int].self, by: .linkHeader)
    let failure = await #expect(throws: AnyError.self) { try await pages.collected() }
    #expect(failure?.underlyingDecodingFailure != nil)
  }

  // MARK: Invalid links

  /// Reads `pages`, and returns the reason of the malformed response that ended them.
  private func failure(of pages: Pages<[Int], AnyError>) async -> PaginationError? {
    let error = await #expect(throws: AnyError.self) { try await pages.collected() }
    #expect(error?.transportError?.code == .malformedResponse)
    return error?.transportError?.underlyingError as? PaginationError
  }

  @Test func anEmptyLinkIsAnError() async throws {
    server.on(.get, "/self") { _ in .status(200, headers: [.link: "<>; rel=next"], body: Data("[1]".utf8)) }
    let pages = gateway.request("self").pages(of: [Int].self, by: .linkHeader)
    #expect(await failure(of: pages) == PaginationError(description: "the link to the next page is not a valid URL"))
  }

  @Test(arguments: ["http://127.0.0.1:1/steal", "https://evil.example.com/", "ftp://x/"])
  func linksToAnotherServerAreRejected(target: String) async throws {
    server.on(.get, "/astray") { _ in
      .status(200, headers: [.link: "<\(target)>; rel=next"], body: Data("[1]".utf8))
    }
    let pages = gateway.request("astray").pages(of: [Int].self, by: .linkHeader)
    #expect(
      await failure(of: pages) == PaginationError(description: "the link to the next page leads to another origin"))
  }

  @Test func pagesBehindARedirectToAnotherServerNameIt() async throws {
    let other = try LoopbackServer()
    other.on(.get, "/list") { _ in .status(200, headers: [.link: "<?page=2>; rel=next"], body: Data("[1]".utf8)) }
    let target = HTTP.HeaderValue(rawValue: other.url("/list").absoluteString)
    server.on(.get, "/moved") { _ in .status(301, headers: [.location: target]) }
    session.answer(as: other)
    let pages = Gateway(baseURL: server.url, session: session).request("moved").pages(of: [Int].self, by: .linkHeader)
    let reason = "the list was redirected to another origin: request it from \(other.url), with that as the base URL"
    #expect(await failure(of: pages) == PaginationError(description: reason))
  }

  /// As from http to https, or to the host with `www.`.
  @Test func pagesOfAServerThatHasMovedAreRedirectedInTurn() async throws {
    let other = try LoopbackServer()
    session.answer(as: other)
    other.on(.get, "/list") { request in
      let page = Int(request.value("page") ?? "1") ?? 0
      let next = page == 1 ? "?page=2" : "\(other.url)/list?page=\(page == 4 ? 4 : page + 1)"
      return .status(200, headers: [.link: "<\(next)>; rel=next"], body: Data((page == 4 ? "[]" : "[\(page)]").utf8))
    }
    server.on(.get, "/list") { request in
      .status(307, headers: [.location: HTTP.HeaderValue(rawValue: "\(other.url)\(request.target)")])
    }
    var configuration = ClientConfiguration.standard
    configuration.authentication = [.credential(try .bearer("t0p"))]
    let gateway = Gateway(baseURL: server.url, session: session, configuration: configuration)
    let pages = try await gateway.request("list").pages(of: [Int].self, by: .linkHeader).collected()
    #expect(pages.map(\.value) == [[1], [2], [3], []])
    #expect(server.requests.count == 4 && server.requests.allSatisfy { $0.headers.contains(.authorization) })
    #expect(other.requests.count == 4 && !other.requests.contains { $0.headers.contains(.authorization) })
  }

  /// The items of the page are delivered before the error, as are those of a cycle.
  @Test(arguments: ["https://evil.example.com/", "ftp://x/", "", "//"])
  func thePageWithARefusedLinkIsDelivered(target: String) async throws {
    server.on(.get, "/half") { request in
      let isSecond = request.value("page") == "2"
      return .status(
        200, headers: [.link: "<\(isSecond ? target : "?page=2")>; rel=next"],
        body: Data((isSecond ? "[2]" : "[1]").utf8))
    }
    let pages = gateway.request("half").pages(of: [Int].self, by: .linkHeader)
    var found: [Int] = []
    let error = await #expect(throws: AnyError.self) {
      for try await item in pages.items() { found.append(item) }
    }
    #expect(found == [1, 2])
    #expect(error?.transportError?.code == .malformedResponse)
    // A limit that ends before the link needs no link.
    let limited = gateway.request("half").pages(of: [Int].self, by: .linkHeader, pageLimit: 2)
    #expect(try await limited.collected().count == 2)
  }

  @Test func thePositionOfAPageWithARefusedLinkIsThePageItself() async throws {
    server.on(.get, "/astray") { _ in
      .status(200, headers: [.link: "<https://evil.example.com/>; rel=next"], body: Data("[1]".utf8))
    }
    var pages = gateway.request("astray").pages(of: [Int].self, by: .linkHeader).makeAsyncIterator()
    #expect(try await pages.next()?.value == [1])
    #expect(pages.position == .start)
    await #expect(throws: AnyError.self) { try await pages.next() }
    #expect(try await pages.next() == nil)
  }

  @Test func aStoredPositionOfAnotherServerIsRejected() async throws {
    let position = PagePosition(.url("http://127.0.0.1:1/steal"))
    let pages = gateway.request("linked").pages(of: [Int].self, by: .linkHeader, from: position)
    let error = await #expect(throws: AnyError.self) { try await pages.collected() }
    #expect(error?.transportError?.code == .invalidRequest)
    #expect(session.requests.isEmpty)
  }

  @Test(arguments: [1, 2, 3, 7])
  func cyclesAreDetected(length: Int) async throws {
    server.on(.get, "/circle") { request in
      let page = Int(request.value("p") ?? "") ?? -5
      let next = page < 0 ? page + 1 : (page + 1) % length
      return .status(200, headers: [.link: "<?p=\(next)>; rel=next"], body: Data("[\(page)]".utf8))
    }
    let pages = gateway.request("circle").pages(of: [Int].self, by: .linkHeader)
    #expect(await failure(of: pages) == PaginationError(description: "the pages form a cycle"))
    #expect(server.requests.count <= 40)
    // Elements that were already loaded are delivered, too.
    let items = pages.items().makeAsyncIterator()
    var count = 0
    await #expect(throws: AnyError.self) {
      var items = items
      while try await items.next() != nil { count += 1 }
    }
    #expect(count * 2 == server.requests.count)
  }

  @Test func cancellingEndsTheRequestInProgress() async throws {
    server.on(.get, "/never") { _ in .fault(.neverAnswers) }
    let pages = gateway.request("never").pages(of: [Int].self, by: .linkHeader)
    let task = Task { try await pages.collected() }
    await waitUntil { !server.requests.isEmpty }
    task.cancel()
    let error = await #expect(throws: AnyError.self) { try await task.value }
    #expect(error?.transportError?.code == .cancelled)
  }
}

extension LoopbackServer.Request {
  fileprivate func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

extension AsyncSequence {
  fileprivate func collected() async throws -> [Element] {
    var all: [Element] = []
    for try await element in self { all.append(element) }
    return all
  }
}

import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Uses of a typed request other than single calls, with the caller's type of error.
@Suite(.timeLimit(.minutes(15))) struct TypedRequestTests {
  private let server: LoopbackServer
  private let api: TypedGateway<APIError>
  private let folder: TemporaryFolder

  init() throws {
    server = try LoopbackServer()
    folder = try TemporaryFolder()
    let session = StubSession { Issue.record($0) }
    session.answer(as: server)
    api = Gateway(baseURL: server.url("/v1"), session: session, configuration: .bare).failing(as: APIError.self)
    server.on(.get, "/v1/list") { request in
      let page = request.target.split(separator: "page=").dropFirst().first.flatMap { Int($0) } ?? 1
      let link = #"<\#(page == 3 ? "/v1/missing" : "/v1/list?page=\(page + 1)")>; rel="next""#
      return .status(
        200, headers: [.contentType: .applicationJSON, .link: "\(link)"], body: Data("[\(page), \(-page)]".utf8))
    }
    server.on(.get, "/v1/file") { _ in .status(200, body: Data("content".utf8)) }
    server.on(.get, "/v1/missing") { _ in .json(#"{"message": "gone"}"#, status: 404) }
    server.on(.get, "/v1/away") { _ in
      .status(
        200, headers: [.contentType: .applicationJSON, .link: "<https://other.example>; rel=next"],
        body: Data("[]".utf8))
    }
    server.on(.get, "/v1/text") { _ in .json(#"{"no": "list"}"#) }
    server.on(.get, "/v1/events") { _ in
      .status(200, headers: [.contentType: "text/event-stream"], body: Data("data: a\n\n".utf8))
    }
  }

  /// Reads the elements of all pages at `path`, and the failure that ended them, without a cast.
  private func read(_ path: HTTP.Path) async -> (elements: [Int], failure: APIError?) {
    var elements: [Int] = []
    do throws(APIError) {
      for try await page in api.request(path).pages(of: [Int].self, by: .linkHeader) { elements += page.value }
      return (elements, nil)
    } catch {
      return (elements, error)
    }
  }

  @Test func pagesFailWithTheCallersError() async throws {
    let (elements, failure) = await read("list")
    #expect(elements == [1, -1, 2, -2, 3, -3])
    #expect(failure == .notFound(message: "gone"))
    #expect(await read("text").failure == .undecodable(path: [], body: #"{"no": "list"}"#))
    let away = await read("away").failure
    #expect(away?.transportError?.code == .malformedResponse)
    #expect(away?.transportError?.underlyingError is PaginationError)
  }

  @Test func itemsFailWithTheCallersErrorAndKeepTheirPosition() async throws {
    let pages = api.request("list").pages(of: [Int].self, by: .linkHeader, pageLimit: 2)
    var iterator = pages.items().makeAsyncIterator()
    for expected in [1, -1, 2] { #expect(try await iterator.next() == expected) }
    let position = try #require(iterator.position)
    let rest = api.request("list").pages(of: [Int].self, by: .linkHeader, from: position)
    var items: [Int] = []
    do throws(APIError) {
      for try await item in rest.items({ $0.map { 2 * $0 } }) { items.append(item) }
    } catch {
      #expect(error == .notFound(message: "gone"))
    }
    #expect(items == [-4, 6, -6])
  }

  @Test func downloadsFailWithTheCallersError() async throws {
    try await api.request("file").download(to: folder.target)
    #expect(try Data(contentsOf: folder.target) == Data("content".utf8))
    await #expect(throws: APIError.notFound(message: "gone")) {
      try await api.request("missing").download(to: folder.target)
    }
    let failure = await #expect(throws: APIError.self) {
      try await api.request("..").download(to: folder.target)
    }
    #expect(failure?.transportError?.code == .invalidRequest)
  }

  @Test func cancelledDownloadIsCancelled() async throws {
    let (body, _) = TransportBody.makeStream()
    let url = try #require(URL(string: "https://api.example.com"))
    let session = HeldSession(body: body, headers: [:])
    let held = Gateway(baseURL: url, session: session, configuration: .bare).failing(as: APIError.self)
    let target = folder.target
    let task = Task { try await held.request("file").download(to: target).code }
    try await session.requests.wait()
    task.cancel()
    #expect(await task.result.failure is CancellationError)
  }

  @Test func streamsFailWithTheCallersError() async throws {
    var content = Data()
    for try await chunk in try await api.request("file").stream().body { content += chunk }
    #expect(content == Data("content".utf8))
    await #expect(throws: APIError.notFound(message: "gone")) { try await api.request("missing").stream() }
  }

  @Test func eventsAreReadFromTheRequest() async throws {
    var events = api.request("events").events().makeAsyncIterator()
    #expect(try await events.next()?.data == "a")
  }

  @Test func templatesAreExpandedOrFailWithTheCallersError() async throws {
    let request = try api.request(template: "list{?page}", ["page": 2])
    #expect(try await request.execute(as: [Int].self) == [2, -2])
    for template in ["list{", "{a:3}"] {
      do throws(APIError) {
        _ = try api.request(template: template, ["a": ["x", "y"]])
        Issue.record("\(template) was expanded")
      } catch {
        #expect(error.transportError?.code == .invalidRequest)
      }
    }
  }
}

import Anvil
import AnvilStore
import AnvilSync
import AnvilTesting
import Foundation
import Synchronization

/// A member of the listing.
struct Member: Codable, Sendable, Equatable, ManagedDecodable {
  struct Badge: Codable, Sendable, Equatable {
    var color: String
  }

  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  static let keepsNote = ConflictRule.keep(CodingKeys.note)
  var id: Int
  var name: String
  var note: String?
  var badges: [Badge]?

  init(_ id: Int, _ name: String? = nil, note: String? = nil) {
    self.id = id
    self.name = name ?? "m\(id)"
    self.note = note
  }
}

/// A server with the listing `/members`, which is also at two other paths, and whatever else a test adds.
final class ListingServer: Sendable {
  struct Row: Sendable {
    var json: String
    var updated: Int
  }

  struct State: Sendable {
    var rows: [Row] = []
    var pageSize = 10
    /// The statuses with which pages are answered, by the number of the page.
    var failures: [Int: Int] = [:]
    var entityTag: String?
  }

  let server: LoopbackServer
  let gateway: Gateway
  private let state = Mutex(State())

  init() throws {
    server = try LoopbackServer()
    gateway = Gateway(baseURL: server.url, configuration: .bare)
    for path in ["/members", "/people", "/v2/members"] {
      server.on(.get, path) { [weak self] in self?.page($0) ?? .status(500) }
    }
  }

  /// Serves these members, as updated at the time of their position.
  func serve(_ members: [Member]) {
    let rows = members.enumerated().map { Row(json: Self.json($1, updated: $0), updated: $0) }
    change { $0.rows = rows }
  }

  /// Serves these texts as rows.
  func serve(texts: [String]) {
    change { $0.rows = texts.enumerated().map { Row(json: $1, updated: $0) } }
  }

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  static func json(_ member: Member, updated: Int) -> String {
    let note = member.note.map { #", "note": "\#($0)""# } ?? ""
    return #"{"id": \#(member.id), "name": "\#(member.name)"\#(note), "updated": \#(updated)}"#
  }

  private func page(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
    func value(_ name: String) -> Int? { request.query[name].flatMap { Int($0) } }
    return state.withLock { state in
      let number = value("page") ?? 1
      if let status = state.failures[number] { return .status(HTTP.Status(code: status)) }
      if let tag = state.entityTag, request.headers[.ifNoneMatch]?.rawValue == tag { return .status(304) }
      let since = value("since")
      let rows = state.rows.filter { $0.updated >= since ?? .min }
      let first = min((number - 1) * state.pageSize, rows.count)
      let page = rows[first..<min(first + state.pageSize, rows.count)]
      var headers: HTTP.Headers = [.contentType: .applicationJSON]
      if let tag = state.entityTag { headers[.eTag] = HTTP.HeaderValue(rawValue: tag) }
      if first + state.pageSize < rows.count {
        let query = since.map { "&since=\($0)" } ?? ""
        headers[.link] = "</members?page=\(number + 1)\(query)>; rel=\"next\""
      }
      return .status(200, headers: headers, body: Data("[\(page.map(\.json).joined(separator: ","))]".utf8))
    }
  }

  /// The targets of all requests so far.
  var targets: [String] { server.requests.map(\.target) }

  func pull(
    cursor: PullCursor? = nil, missing: MissingRows = .kept, tombstone: PullTombstone? = nil,
    rules: [ConflictRule] = []
  ) -> Pull<Member> {
    Pull(
      "members", gateway.request("members"), of: Member.self, by: .linkHeader, cursor: cursor, missing: missing,
      tombstone: tombstone, rules: rules)
  }
}

extension Store {
  var members: [Member] { get async throws { try await context.fetch(Member.self) } }
}

import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// A server of one file, without a connection. It serves ranges as in RFC 9110, and cuts bodies short on request.
final class Origin: Sendable {
  struct State: Sendable {
    var content: Data
    /// The fields of every response, in addition to its range.
    var headers: HTTP.Headers = [.eTag: "\"v1\""]
    /// The numbers of bytes after which the next bodies end with a lost connection.
    var cuts: [Int] = []
    /// A Boolean value that indicates whether responses state the length of the whole file.
    var statesLength = true
    /// The next responses, in order. `nil` selects the file's response.
    var answers: [(@Sendable (HTTP.Request) -> StubSession.Reply?)] = []
    /// A Boolean value that indicates whether the server evaluates `If-Range`.
    var knowsIfRange = true
  }

  let session = StubSession { Issue.record($0) }
  let url: URL
  let state: Mutex<State>

  init(_ content: Data) throws {
    url = try #require(URL(string: "https://files.example.com/big.iso"))
    state = Mutex(State(content: content))
    session.on("the file", where: { _ in true }) { [weak self] in self?.reply(to: $0) ?? .status(404) }
  }

  var service: TransportService { TransportService(session: session) }
  var request: HTTP.Request { HTTP.Request(url: url) }

  func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
  }

  /// The `Range` of each request so far, or `-` if there was none.
  var ranges: [String] { session.requests.map { $0.headers[.range]?.rawValue ?? "-" } }
  /// The `If-Range` of each request so far, or `-` if there was none.
  var validators: [String] { session.requests.map { $0.headers[.ifRange]?.rawValue ?? "-" } }

  private func reply(to request: HTTP.Request) -> StubSession.Reply {
    state.withLock { state in
      if !state.answers.isEmpty, let answer = state.answers.removeFirst()(request) { return answer }
      let content = state.content
      let current = state.headers[.eTag] ?? state.headers[.lastModified]
      let asked = request.headers[.range]?.rawValue
      guard let asked, !state.knowsIfRange || request.headers[.ifRange] == current,
        let first = Int(asked.dropFirst("bytes=".count).dropLast())
      else { return state.body(content, status: 200, [:]) }
      guard first < content.count else {
        return .status(416, headers: state.headers.merging([.contentRange: "bytes */\(content.count)"]))
      }
      return state.body(
        content.dropFirst(first), status: 206,
        [.contentRange: "bytes \(first)-\(content.count - 1)/\(content.count)"])
    }
  }
}

extension Origin.State {
  /// Returns a response, which ends early if a cut is left.
  fileprivate mutating func body(
    _ content: Data, status: HTTP.Status, _ fields: HTTP.Headers
  ) -> StubSession.Reply {
    var headers = headers.merging(fields)
    if statesLength { headers[.contentLength] = "\(content.count)" }
    guard !cuts.isEmpty else { return .chunks(content.pieces, status: status, headers: headers) }
    let error = TransportError(code: .truncatedResponse, phase: .body)
    return .chunks(
      content.prefix(cuts.removeFirst()).pieces, error: error, status: status, headers: headers)
  }
}

extension Data {
  /// The bytes in chunks of different sizes.
  fileprivate var pieces: [Data] {
    var rest = self[...]
    var pieces: [Data] = []
    while !rest.isEmpty {
      pieces.append(Data(rest.prefix(pieces.count % 2 == 0 ? 1_000 : 7_777)))
      rest = rest.dropFirst(pieces.last?.count ?? 0)
    }
    return pieces
  }
}

extension TemporaryFolder {
  /// The destination of the download.
  var target: URL { url.appending(path: "big.iso") }
  var part: URL { url.appending(path: "big.iso.anvilpart") }
  var record: URL { url.appending(path: "big.iso.anvilpart.json") }

  /// The names of the files in the folder.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path()).sorted() }
  }
}

extension DownloadOptions {
  /// Options without delays.
  static var impatient: DownloadOptions {
    var options = DownloadOptions()
    options.backoff = ExponentialBackoff(base: .zero)
    return options
  }
}

/// A session that answers with one body.
struct HeldSession: TransportSession {
  let body: TransportBody
  let headers: HTTP.Headers
  /// The requests so far.
  let requests = Log<HTTP.Request>()

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    requests.note(request)
    return TransportResponse(head: HTTP.Response(request: request, status: 200, headers: headers), body: body)
  }
}

internal import AnvilBase
internal import AnvilBodies
internal import AnvilHTTP
internal import AnvilServer
internal import Foundation
internal import Synchronization

final class RecordingPlayer: Sendable {
  enum Mode: Sendable {
    /// Each exchange is used once. Requests are equal if their method, path, query and body are equal. Equal requests receive
    /// their exchanges in the order of the recording.
    case strict
    /// Exchanges can be used repeatedly. Equal requests receive them in order, and then the last one again. The order
    /// of the query's items is ignored, and so is the body if it was not recorded.
    case lenient
  }

  private struct State {
    var useCounts: [Int]
    var unmatchedCount = 0
  }

  private let exchanges: [RecordedExchange]
  private let mode: Mode
  private let state: Mutex<State>

  init(_ exchanges: [RecordedExchange], mode: Mode) {
    self.exchanges = exchanges
    self.mode = mode
    state = Mutex(State(useCounts: Array(repeating: 0, count: exchanges.count)))
  }

  /// Returns the exchange that answers a request with `key`. Without one, counts the request and returns `nil`.
  func take(_ key: RequestKey) -> RecordedExchange? {
    state.withLock { state in
      guard let place = place(of: key, state.useCounts) else {
        state.unmatchedCount += 1
        return nil
      }
      state.useCounts[place] += 1
      return exchanges[place]
    }
  }

  /// Returns the exchange that ``take(_:)`` would return, without using it.
  func peek(_ key: RequestKey) -> RecordedExchange? {
    state.withLock { place(of: key, $0.useCounts) }.map { exchanges[$0] }
  }

  var unused: [RecordedExchange] {
    let counts = state.withLock { $0.useCounts }
    return exchanges.indices.filter { counts[$0] == 0 }.map { exchanges[$0] }
  }

  var unmatchedCount: Int { state.withLock { $0.unmatchedCount } }

  /// Returns the differences between `key`, which has no match, and the recorded requests with the same path, or else a similar one.
  func hint(for key: RequestKey) -> String {
    let near = self.near(key)
    if !near.isEmpty { return "; for this path the recording has \(near.joined(separator: ", "))" }
    var paths: [String] = []
    for other in exchanges.map(\.key.url) where other.hasSimilarPath(to: key.url) && paths.count < 20 {
      if !paths.contains(other.path.written) { paths.append(other.path.written) }
    }
    return paths.isEmpty ? "" : "; the recording has the path \(paths.joined(separator: ", "))"
  }

  private func near(_ key: RequestKey) -> [String] {
    let samePath = exchanges.filter { $0.key.hasPath(of: key) }.map(\.key)
    var lines: [String] = []
    for other in samePath.prefix(20) {
      let difference =
        if other.method != key.method {
          other.method
        } else if !other.hasQuery(of: key, isOrdered: mode == .strict) {
          "the query \(other.shownQuery.isEmpty ? "\"\"" : other.shownQuery)"
        } else if other.agreement(withBodyOf: key) == .none {
          "another body"
        } else {
          "an exchange that was already used"
        }
      if !lines.contains(difference) { lines.append(difference) }
    }
    return lines
  }

  private func place(of key: RequestKey, _ counts: [Int]) -> Int? {
    switch mode {
    case .strict: strictPlace(of: key, counts)
    case .lenient: lenientPlace(of: key, counts)
    }
  }

  private func strictPlace(of key: RequestKey, _ counts: [Int]) -> Int? {
    let places = places(of: key, method: key.method).filter { place in
      counts[place] == 0 && exchanges[place].key.agreement(withBodyOf: key) != .none
    }
    return places.first { exchanges[$0].key.isSame(as: key) } ?? places.first
  }

  private func lenientPlace(of key: RequestKey, _ counts: [Int]) -> Int? {
    var places = places(of: key, method: key.method)
    if places.isEmpty, key.method == "HEAD" { places = self.places(of: key, method: "GET") }
    let agreements = places.map { exchanges[$0].key.agreement(withBodyOf: key) }
    if let best = agreements.max() { places = zip(places, agreements).filter { $1 == best }.map(\.0) }
    return places.first { counts[$0] == 0 } ?? places.last
  }

  private func places(of key: RequestKey, method: String) -> [Int] {
    exchanges.indices.filter { place in
      let other = exchanges[place].key
      return other.method == method && other.hasPath(of: key) && other.hasQuery(of: key, isOrdered: mode == .strict)
    }
  }
}

/// The parts of a request that are compared with a recorded one. The origin is not compared.
struct RequestKey: Sendable {
  /// An item of the query, and the same item without secrets.
  private struct Item: Sendable {
    let whole: NormalizedURL.Component
    let shown: NormalizedURL.Component

    /// True if the item contains no secrets, for example because a recorder has left them out.
    var isShown: Bool { whole == shown }
  }

  let method: String
  let url: NormalizedURL
  private let query: [Item]
  /// `nil` if it was not recorded.
  private let body: Data?
  private let shownBody: Data

  /// Creates the key of a request for a path with an optional query, or for a URL.
  init(method: String, target: String, body: Data?, contentType: HTTP.HeaderValue?) {
    let redaction = HTTP.Redaction(queryValues: .shownUnlessSecret)
    self.method = method
    url = NormalizedURL(String(target.withoutOrigin))
    let shown = NormalizedURL(redaction.shown(reference: target)).items
    let isParallel = url.items.count == shown.count
    query = url.items.enumerated().map { Item(whole: $1, shown: isParallel ? shown[$0] : $1) }
    func comparable(_ body: Data) -> Data { contentType?.comparable(body) ?? body }
    self.body = body.map(comparable)
    let body = body ?? Data()
    let shownBody = redaction.shown(body: body, contentType: contentType)
    self.shownBody = comparable(Cassette.recorded(body, shown: shownBody))
  }

  var shownQuery: String { query.map(\.shown.written).joined(separator: "&") }

  /// Returns true if this recorded request and `request` have the same path. Secrets that were not recorded are not compared.
  func hasPath(of request: RequestKey) -> Bool {
    if url.path == request.url.path { return true }
    let segments = [url, request.url].map { $0.path.normalized.split(separator: "/", omittingEmptySubsequences: false) }
    return segments[0].count == segments[1].count && zip(segments[0], segments[1]).allSatisfy(Self.matches)
  }

  private static func matches(_ recorded: Substring, _ segment: Substring) -> Bool {
    guard let mark = recorded.firstRange(of: hiddenText) else { return recorded == segment }
    let (start, end) = (recorded[..<mark.lowerBound], recorded[mark.upperBound...])
    return segment.utf8.count > start.utf8.count + end.utf8.count && segment.hasPrefix(start) && segment.hasSuffix(end)
  }

  private static let hiddenText = NormalizedURL("/\(HTTP.Redaction.mark)").path.normalized.dropFirst()

  enum BodyAgreement: Int, Comparable {
    /// The bodies differ.
    case none
    /// The body was not recorded, or only that it was hidden, as in archives.
    case unknown
    /// The bodies are the same without secrets.
    case shown
    case whole

    static func < (left: BodyAgreement, right: BodyAgreement) -> Bool { left.rawValue < right.rawValue }
  }

  /// Compares the body of this recorded request with that of `request`.
  func agreement(withBodyOf request: RequestKey) -> BodyAgreement {
    if body == request.body { return .whole }
    if body == request.shownBody { return .shown }
    let isHidden = body == Self.hiddenBody && request.shownBody.starts(with: Self.hiddenBody)
    return body == nil || isHidden ? .unknown : .none
  }

  private static let hiddenBody = Data(HTTP.Redaction.mark.utf8)

  /// Returns true if this recorded request and `request` have the same query, except for secrets that were not recorded.
  func hasQuery(of request: RequestKey, isOrdered: Bool) -> Bool {
    guard query.count == request.query.count else { return false }
    if isOrdered {
      return zip(query, request.query).allSatisfy { $0.whole == $1.whole || ($0.isShown && $0.shown == $1.shown) }
    }
    guard Self.counts(of: query.map(\.shown)) == Self.counts(of: request.query.map(\.shown)) else { return false }
    // With equal counts of each item without secrets, only the recorded secrets are left to compare.
    var counts = Self.counts(of: request.query.map(\.whole))
    for item in query where !item.isShown {
      guard let count = counts[item.whole], count > 0 else { return false }
      counts[item.whole] = count - 1
    }
    return true
  }

  func isSame(as request: RequestKey) -> Bool {
    method == request.method && url == request.url && body == request.body
  }

  private static func counts(of items: [NormalizedURL.Component]) -> [NormalizedURL.Component: Int] {
    items.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

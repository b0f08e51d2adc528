internal import AnvilHTTP
internal import Synchronization

/// Chooses the recorded exchange that answers a request.
final class RecordingPlayer: Sendable {
  /// The rules by which exchanges are chosen.
  enum Mode: Sendable {
    /// Each exchange answers once, in the order of equal requests. Method, path, query and body must be equal.
    case strict
    /// Exchanges answer again and again: equal requests in their order, and then with the last one. The order of the query's items does not
    /// matter, nor does a body that was not recorded.
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

  /// Returns the exchange that answers a request with `key`; `nil` if the request was not recorded, which is counted.
  func take(_ key: RecordedExchange.Key) -> RecordedExchange? {
    state.withLock { state in
      let place =
        switch mode {
        case .strict: exchanges.indices.first { state.useCounts[$0] == 0 && exchanges[$0].key == key }
        case .lenient: lenientPlace(of: key, state.useCounts)
        }
      guard let place else {
        state.unmatchedCount += 1
        return nil
      }
      state.useCounts[place] += 1
      return exchanges[place]
    }
  }

  /// The exchanges that have not answered yet.
  var unused: [RecordedExchange] {
    let counts = state.withLock { $0.useCounts }
    return exchanges.indices.filter { counts[$0] == 0 }.map { exchanges[$0] }
  }

  /// The number of requests without an answer.
  var unmatchedCount: Int { state.withLock { $0.unmatchedCount } }

  /// Returns the recorded requests that resemble one without an answer, for its message.
  func near(_ key: RecordedExchange.Key) -> [String] {
    let samePath = exchanges.filter { $0.key.path == key.path }.map(\.key)
    var lines: [String] = []
    for other in samePath.prefix(20) {
      let difference =
        if other.method != key.method {
          other.method
        } else if other.query != key.query {
          "the query \(other.query.isEmpty ? "\"\"" : other.query.joined(separator: "&"))"
        } else if other.body != key.body {
          "another body"
        } else {
          "an answer that was used"
        }
      if !lines.contains(difference) { lines.append(difference) }
    }
    return lines
  }

  private func lenientPlace(of key: RecordedExchange.Key, _ counts: [Int]) -> Int? {
    var places = places(of: key, method: key.method)
    if places.isEmpty, key.method == "HEAD" { places = self.places(of: key, method: "GET") }
    let exact = places.filter { exchanges[$0].key.body == key.body }
    if !exact.isEmpty { places = exact }
    return places.first { counts[$0] == 0 } ?? places.last
  }

  private func places(of key: RecordedExchange.Key, method: String) -> [Int] {
    let query = key.query.sorted()
    return exchanges.indices.filter { place in
      let other = exchanges[place].key
      return other.method == method && other.path == key.path && other.query.sorted() == query
    }
  }
}

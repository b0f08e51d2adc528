internal import AnvilBase
package import AnvilStore

/// The recent starts of requests under a rate limit that processes share. It is a row of the table `anvil_limits`.
///
/// Times are those of the database's clock, in seconds since the beginning of 2001.
package struct SharedLimit: Codable, Hashable, Sendable, ManagedDecodable {
  package typealias Context = StoreTransaction

  package static var entityName: String { "anvil_limits" }
  package static var matchKeys: [MatchKey]? { [.key(CodingKeys.name)] }

  /// Starts that follow each other within a small part of the limit's interval. All of them count until the interval after the last start
  /// has passed.
  struct Starts: Codable, Hashable, Sendable {
    var first: Double
    var last: Double
    var count: Int
  }

  var name: String
  /// The starts that still count, including reserved ones, in their order. There are at most two elements for each twentieth of an
  /// interval.
  private var starts: [Starts] = []
  private(set) var pauseEnd = 0.0

  private static let partsOfInterval = 20.0

  package init(name: String) {
    self.name = name
  }

  /// Reserves the earliest start for which no `interval` contains more than `requests` starts. Returns the time until this start.
  ///
  /// - Parameters:
  ///   - requests: The maximum number of starts in an interval; `Int.max` if only pauses delay requests.
  ///   - remaining: The longest time to wait; `nil` for no limit. Nothing is reserved if the start is later.
  package mutating func reserveStart(
    at now: Double, requests: Int, per interval: Double, within remaining: Double?
  ) -> Double {
    let earliest = max(now, pauseEnd)
    guard requests < .max else { return earliest - now }
    starts.removeAll { $0.last <= now - interval }
    var start = max(earliest, starts.last?.last ?? earliest)
    var counted = starts.filter { $0.last > start - interval }[...]
    var count = counted.reduce(0) { $0 + $1.count }
    while count >= requests, let oldest = counted.popFirst() {
      start = oldest.last + interval
      count -= oldest.count
    }
    if let remaining, start - now >= remaining { return start - now }
    if let last = starts.indices.last, start - starts[last].first < interval / Self.partsOfInterval {
      starts[last].last = start
      starts[last].count += 1
    } else {
      starts.append(Starts(first: start, last: start, count: 1))
    }
    return start - now
  }

  /// Delays later starts until `end`.
  package mutating func pause(until end: Double) {
    pauseEnd = max(pauseEnd, end)
  }
}

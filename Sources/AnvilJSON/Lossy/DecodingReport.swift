internal import Synchronization

/// What lenient types did while a value was decoded: what they left out, replaced or converted, where, and why.
///
///     let report = DecodingReport()
///     let page = try decoder.reporting(to: report).decode(Page.self, from: data)
///     for entry in report.entries { logger.notice("\(entry)") }
///
/// ``LossyArray``, ``LossyDictionary``, ``OpenEnum``, ``DefaultValue`` and ``NumberOrString`` report to the one in their
/// decoder's `userInfo`, under ``Swift/CodingUserInfoKey/decodingReport``; without it they do the same and nothing is kept.
/// Any decoder that has a `userInfo` will do, Foundation's too.
///
/// A place that is decoded twice is reported once for each code: the later entry replaces the earlier. What was reported
/// inside an element stays away when the element is left out as a whole; what another decoding that failed had reported
/// before somebody caught its error, stays. Can be used from several tasks at once, whose entries are then mixed.
public final class DecodingReport: Sendable {
  fileprivate struct Key: Hashable {
    let code: Code
    let path: JSON.Path
  }

  fileprivate struct State {
    var entries: [Entry] = []
    /// Where in ``entries`` what is known by the key stands.
    var places: [Key: Int] = [:]
    var omittedCount = 0
  }

  /// How many entries are kept; what comes then is only counted, so that no input can fill the memory.
  public let limit: Int

  private let state = Mutex(State())
  /// Receives everything that this report receives.
  private let next: DecodingReport?

  /// An empty report.
  ///
  /// - Parameter limit: how many entries are kept, 1000 unless given; a negative number is none.
  public init(limit: Int = 1000) {
    self.limit = max(0, limit)
    next = nil
  }

  /// An empty report whose entries `next` receives as well.
  init(forwardingTo next: DecodingReport?) {
    limit = 1000
    self.next = next
  }

  /// What was reported, in the order of decoding, up to the ``limit``.
  public var entries: [Entry] { state.withLock(\.entries) }

  /// How many more were reported than are kept; of these, a place that is decoded twice counts twice.
  public var omittedCount: Int { state.withLock(\.omittedCount) }

  /// Whether nothing was reported.
  public var isEmpty: Bool { state.withLock { $0.entries.isEmpty && $0.omittedCount == 0 } }

  /// Forgets everything, for a decoding that begins anew.
  public func removeAll() { state.withLock { $0 = State() } }

  /// Keeps what `entry` makes, or only counts it where there is no room: for entries whose path takes time to find.
  func record(_ entry: () -> Entry) {
    let hasRoom = state.withLock { state in
      if state.entries.count < limit { return true }
      state.omittedCount &+= 1
      return false
    }
    if hasRoom { record(entry()) } else { next?.record(entry) }
  }

  /// Keeps `entry` in place of what is known by its code and path.
  package func record(_ entry: Entry) {
    let key = Key(code: entry.code, path: entry.path)
    next?.record(entry)
    state.withLock { state in
      if entry.code.coversItsMembers { state.removeLatest(inside: entry.path) }
      if let place = state.places[key] {
        state.entries[place] = entry
      } else if state.entries.count < limit {
        state.places[key] = state.entries.count
        state.entries.append(entry)
      } else {
        state.omittedCount &+= 1
      }
    }
  }
}

extension DecodingReport.State {
  /// Removes what was reported last, as far as it lies inside the value at `path`: each entry is removed once, so that this
  /// takes no more time than recording did.
  fileprivate mutating func removeLatest(inside path: JSON.Path) {
    let steps = path.steps
    while let last = entries.last, case let inner = last.path.steps, inner.count > steps.count,
      inner.starts(with: steps)
    {
      places[DecodingReport.Key(code: last.code, path: last.path)] = nil
      entries.removeLast()
    }
  }
}

extension DecodingReport: CustomStringConvertible {
  /// The entries, one a line, and how many more there are; safe to log.
  public var description: String { lines(\.description) }

  /// The entries with the values and errors that they are about, one a line, and how many more there are.
  public var detailedDescription: String { lines(\.detailedDescription) }

  private func lines(_ text: (Entry) -> String) -> String {
    let (entries, omittedCount) = state.withLock { ($0.entries, $0.omittedCount) }
    return (entries.map(text) + (omittedCount > 0 ? ["and \(omittedCount) more"] : [])).joined(separator: "\n")
  }
}

internal import AnvilJSON
internal import Synchronization

/// A record of the actions of lenient types during decoding: the values they left out, replaced or converted, and the reasons.
///
///     let report = DecodingReport()
///     let page = try decoder.reporting(to: report).decode(Page.self, from: data)
///     for entry in report.entries { logger.notice("\(entry)") }
///
/// ``LossyArray``, ``LossyDictionary``, ``OpenEnum``, ``DefaultValue`` and ``NumberOrString`` report to the instance in their
/// decoder's `userInfo`, under ``Swift/CodingUserInfoKey/decodingReport``. Without one they behave the same but record nothing.
/// Any decoder with a `userInfo` can be used, including Foundation's.
///
/// A value that is decoded twice is reported once for each code: the later entry replaces the earlier one. If an element is left out as a
/// whole, the entries from inside it are removed. If any other decoding fails and the error is caught, its entries remain.
///
/// A report can be used from several tasks at once. Their entries are then mixed.
public final class DecodingReport: Sendable {
  fileprivate struct Key: Hashable {
    let code: Code
    let path: JSON.Path
  }

  fileprivate struct State {
    var entries: [Entry] = []
    /// The positions in ``entries``, by code and path.
    var places: [Key: Int] = [:]
    var omittedCount = 0
  }

  /// The maximum number of entries. Further ones are only counted, so that no input can exhaust the memory.
  let limit: Int

  private let state = Mutex(State())
  /// Another report, to which all entries of this one are forwarded.
  private let next: DecodingReport?

  /// Creates an empty report.
  ///
  /// - Parameter limit: the maximum number of entries, 1000 by default. A negative number counts as 0.
  public init(limit: Int = 1000) {
    self.limit = max(0, limit)
    next = nil
  }

  /// Creates an empty report that forwards its entries to `next`.
  init(forwardingTo next: DecodingReport?) {
    limit = 1000
    self.next = next
  }

  /// The recorded entries in the order of decoding, at most as many as the report was created for.
  public var entries: [Entry] { state.withLock(\.entries) }

  /// The number of entries that were not kept. Among these, a value that is decoded twice counts twice.
  public var omittedCount: Int { state.withLock(\.omittedCount) }

  /// A Boolean value that indicates whether nothing was reported.
  public var isEmpty: Bool { state.withLock { $0.entries.isEmpty && $0.omittedCount == 0 } }

  /// Removes all entries and resets the count, for another decoding.
  public func removeAll() { state.withLock { $0 = State() } }

  /// Records `entry`, replacing an earlier entry with the same code and path.
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
  /// Removes the entries at the end of the list whose values are inside the value at `path`. Each entry is removed at most once, so the
  /// total cost is no more than that of recording.
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
  /// The entries, one per line, and the number of omitted ones; safe to log.
  public var description: String { lines(\.description) }

  /// The entries with their values and errors, one per line, and the number of omitted ones.
  public var detailedDescription: String { lines(\.detailedDescription) }

  private func lines(_ text: (Entry) -> String) -> String {
    let (entries, omittedCount) = state.withLock { ($0.entries, $0.omittedCount) }
    return (entries.map(text) + (omittedCount > 0 ? ["and \(omittedCount) more"] : [])).joined(separator: "\n")
  }
}

internal import AnvilBase
package import AnvilClient
package import AnvilStore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The position of one partition of a pull. It is a row of the table `anvil_pulls`.
package struct PullPosition: Codable, Hashable, Sendable, ManagedDecodable {
  package typealias Context = StoreTransaction

  package static var entityName: String { "anvil_pulls" }
  package static var matchKeys: [MatchKey]? { [.key(CodingKeys.pull), .key(CodingKeys.partition)] }

  /// Returns the condition that a row belongs to the pull of this name.
  static func isPart(of pull: String) -> StoreCondition<PullPosition> {
    StoredColumn<PullPosition, String>(CodingKeys.pull) == pull
  }

  package var pull: String
  package var partition: String
  /// A number that increases with each change. A page is stored only if the version has not changed since the run read it.
  package var version = 0
  /// The number of the current listing of all partitions.
  package var round = 0
  package var state = State()
  package var updated = Date()
  /// The entity of the rows; `nil` if the position was stored before this was recorded.
  package var entity: String?
  /// The digest of the request for the first page; `nil` if the position was stored before this was recorded.
  package var request: String?

  package init(pull: String, partition: String) {
    self.pull = pull
    self.partition = partition
  }

  /// The state of a listing, which is stored as JSON.
  package struct State: Codable, Hashable, Sendable {
    /// The page at which the listing continues.
    package var next = PagePosition.start
    /// The number of pages that were stored.
    package var pages = 0
    /// A Boolean value that indicates whether the listing is complete.
    package var isListed = false
    /// The value of the cursor in the requests of this listing; `nil` if they request all rows.
    package var since: CursorValue?
    /// The highest value of the cursor's field so far.
    package var highest: CursorValue?
    /// The entity tag of the last complete listing.
    package var entityTag: String?
    /// The entity tag of the first page of this listing.
    package var firstEntityTag: String?
    /// The entity whose keys the partition's ``StoreListing`` has kept since the first page of the last listing with pages. `nil` if keys
    /// were not kept.
    package var listedEntity: String?
    /// True if the partition's ``StoreListing`` contains the keys of all rows of the last listing.
    package var hasAllKeys = false
    /// True if the key of a skipped row could not be read.
    package var hasUnknownKey = false
    /// The rows that were skipped by this listing or an earlier one; `nil` if no row was skipped.
    package var skipped: SkippedRows?
    /// The hashes of pages of this listing, if the pages are numbered.
    package var fingerprints: PageFingerprints?
    /// The reason why the last listing may have lacked pages; `nil` if its end was certain.
    package var uncertainEnd: String?
    /// The path of the tombstone's field, if a row had it; `nil` if no row had one.
    package var tombstone: String?
    /// The part of the table that the database has lost since the listing began; `nil` if nothing was lost.
    package var loss: String?
  }

  /// Information about skipped rows, and the time when they were requested last.
  package struct SkippedRows: Codable, Hashable, Sendable {
    /// The value of the cursor in the requests of the first listing that skipped rows.
    var since: CursorValue?
    /// The beginning of the last listing that requested all skipped rows, or the time when the first row was skipped. In seconds since the
    /// beginning of 2001 on the database's clock.
    var requested: Double
    /// True if the current listing requests all skipped rows.
    var areRequested = true
    /// True if the current listing has skipped rows.
    var areFound = true

    /// The time in seconds after which skipped rows are requested again.
    static let interval = 86_400.0
  }
}

extension PullPosition.State {
  /// Starts the current listing again at its first page.
  mutating func restart() {
    next = .start
    pages = 0
    isListed = false
    firstEntityTag = nil
    uncertainEnd = nil
    fingerprints = nil
  }

  /// Records that a row of the current listing was skipped.
  mutating func noteSkippedRow(at now: Double) {
    if skipped == nil { skipped = PullPosition.SkippedRows(since: since, requested: now) }
    skipped?.areFound = true
  }

  /// Discards the information about skipped rows if the last listing requested all of them and skipped none. Otherwise they are requested
  /// again after `SkippedRows.interval`.
  fileprivate mutating func repeatSkippedRows(at now: Double) {
    guard var rows = skipped else { return }
    if isListed, rows.areRequested, !rows.areFound {
      skipped = nil
      return
    }
    rows.areRequested = now - rows.requested >= PullPosition.SkippedRows.interval
    rows.areFound = false
    if rows.areRequested { rows.requested = now }
    skipped = rows
  }
}

extension PullPosition {
  /// Begins the listing with the number `round`. With a cursor on a field, it requests only rows that have changed since the highest value
  /// or, when skipped rows are due to be requested again, since the listing that skipped them first.
  ///
  /// - Parameter now: The time on the database's clock, in seconds since the beginning of 2001.
  mutating func begin(round: Int, by cursor: PullCursor, at now: Double) {
    self.round = round
    // A listing that may have lacked rows does not advance the cursor.
    let advances = state.uncertainEnd == nil
    state.repeatSkippedRows(at: now)
    state.restart()
    state.hasUnknownKey = false
    let repeated = state.skipped?.areRequested == true ? state.skipped : nil
    switch cursor.rule {
    case .none: (state.highest, state.since, state.entityTag, state.skipped) = (nil, nil, nil, nil)
    case .field(_, _, let overlap):
      state.since = repeated.map(\.since) ?? (advances ? state.highest?.goingBack(by: overlap) : state.since)
      state.entityTag = nil
    case .entityTag:
      (state.highest, state.since) = (nil, nil)
      if repeated != nil { state.entityTag = nil }
    }
  }

  /// The highest value of the cursor's field, as the server wrote it.
  package var cursorText: String? { state.highest?.text }

  /// A Boolean value that indicates whether this listing includes all rows.
  var isComplete: Bool { state.since == nil }

  /// The store's record of the keys in the partition's pages. It is begun again with the first page of each complete pull of the partition.
  var listing: StoreListing { StoreListing("pull \(pull.utf8.count) \(pull) \(partition)") }
}

package import AnvilClient
internal import AnvilModel
package import AnvilStore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The position of one partition of a pull, a row of the table `anvil_pulls`.
package struct PullPosition: Codable, Hashable, Sendable, ManagedDecodable {
  package typealias Context = StoreTransaction

  package static var entityName: String { "anvil_pulls" }
  package static var matchKeys: [MatchKey]? { [.key(CodingKeys.pull), .key(CodingKeys.partition)] }

  package var pull: String
  package var partition: String
  /// Increases with each change. A page is stored only if the version is the one that its run has read.
  package var version = 0
  /// The number of the current listing of all partitions.
  package var round = 0
  package var state = State()
  package var updated = Date()

  package init(pull: String, partition: String) {
    self.pull = pull
    self.partition = partition
  }

  /// The state of a listing. Stored as JSON.
  package struct State: Codable, Hashable, Sendable {
    /// The page at which the listing continues.
    package var next = PagePosition.start
    /// The number of pages that were stored.
    package var pages = 0
    /// A Boolean value that says whether the listing is complete.
    package var isListed = false
    /// The cursor's value that the requests of this listing have.
    package var since: CursorValue?
    /// The highest value seen.
    package var highest: CursorValue?
    /// The entity tag of the last complete listing.
    package var entityTag: String?
    /// The entity tag of the first page of this listing.
    package var firstEntityTag: String?
    /// The entity whose keys are in the partition's ``StoreListing``, since the first page of the last listing that had pages; `nil` if keys
    /// were not kept.
    package var listedEntity: String?
    /// True if that ``StoreListing`` has all rows of the last listing.
    package var hasAllKeys = false
    /// True if a skipped row's key was unknown.
    package var hasUnknownKey = false
  }
}

extension PullPosition {
  /// Begins the listing `round`, which requests what has changed since the highest value if the rule says so.
  mutating func begin(round: Int, by cursor: PullCursor) {
    self.round = round
    state.next = .start
    state.pages = 0
    state.isListed = false
    if case .field = cursor.rule {} else { state.highest = nil }
    if case .entityTag = cursor.rule {} else { state.entityTag = nil }
    state.since = state.highest
    state.firstEntityTag = nil
    state.hasUnknownKey = false
  }

  /// The highest value of the cursor's field, as the server wrote it.
  package var cursorText: String? { state.highest?.text }

  /// A Boolean value that says whether all rows are in this listing.
  var isComplete: Bool { state.since == nil }

  /// The keys of the partition's rows, from the first page of a complete listing to that of the next.
  var listing: StoreListing { StoreListing("pull \(pull.utf8.count) \(pull) \(partition)") }
}

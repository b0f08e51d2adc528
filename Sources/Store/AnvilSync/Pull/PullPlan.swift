public import AnvilBase
package import AnvilClient
public import AnvilJSON
package import AnvilStore
internal import Synchronization

/// The settings of a pull that do not depend on the type of its rows.
package struct PullPlan: Sendable {
  package let name: String
  let partitions: [String: GatewayRequest]
  let pagination: Pagination<JSON>
  let items: any PullPath
  let cursor: PullCursor?
  let missing: MissingRows
  let tombstone: PullTombstone?
  let rows: any PullRows
  /// The names of the partitions, in the order of their requests: by their bytes in UTF-8, as in databases.
  let partitionNames: [String]
  private let knownDigest = KnownDigest()

  package init(
    name: String, partitions: [String: GatewayRequest], pagination: Pagination<JSON>,
    items: any PullPath, cursor: PullCursor?, missing: MissingRows, tombstone: PullTombstone?, rows: any PullRows
  ) {
    self.name = name
    self.partitions = partitions
    self.pagination = pagination
    self.items = items
    self.cursor = cursor
    self.missing = missing
    self.tombstone = tombstone
    self.rows = rows
    partitionNames = partitions.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the plan's first partition after `name`.
  ///
  /// - Complexity: O(log *n*) in the number of partitions.
  func firstPartition(after name: String) -> String? {
    var (low, high) = (0, partitionNames.count)
    while low < high {
      let middle = (low + high) / 2
      if name.utf8.lexicographicallyPrecedes(partitionNames[middle].utf8) { high = middle } else { low = middle + 1 }
    }
    return low < partitionNames.count ? partitionNames[low] : nil
  }

  var ownPaths: Set<String> {
    var paths = tombstone.map { [$0.path.identity] } ?? []
    if case .field(let path, _, _) = cursor?.rule { paths.append(path.identity) }
    return Set(paths)
  }

  /// Checks that the rules and the condition for deleted rows match the table of the rows.
  ///
  /// - Throws: ``PullError/Code/invalidPull``; `StoreError` for a table that cannot be read.
  func checkTable(isListed: Bool = false, in transaction: StoreTransaction) throws {
    do {
      try rows.check(missing, isListed: isListed, in: transaction)
    } catch let error as StoreError {
      guard [.schemaMismatch, .invalidStatement, .invalidValue].contains(error.code), let reason = error.reason else {
        throw error
      }
      throw PullError(.invalidPull, pull: name, reason: reason)
    }
  }

  /// Checks that the settings of the pull do not contradict each other.
  ///
  /// - Parameter lease: The duration of leases; `nil` if partitions are not leased.
  func check(lease: Duration?) throws(PullError) {
    if name.isEmpty { throw PullError(.invalidPull, pull: name, reason: "the name is empty") }
    if partitions.isEmpty { throw PullError(.invalidPull, pull: name, reason: "there are no partitions") }
    if let lease, lease < Self.minimumLease {
      throw PullError(
        .invalidPull, pull: name,
        reason: "a lease of \(lease) is too short: the minimum is \(Self.minimumLease / .seconds(1)) seconds")
    }
    if let tombstone { try check(tombstone.path, of: "tombstone") }
    if case .field(let path, _, let overlap) = cursor?.rule {
      try check(path, of: "cursor")
      if overlap < 0 { throw PullError(.invalidPull, pull: name, reason: "the overlap of the cursor is negative") }
    }
    if !rows.haveKeys, missing.deletesRows || tombstone != nil {
      throw PullError(
        .invalidPull, pull: name,
        reason: "deleting rows requires match keys, but \(rows.entity) has none")
    }
  }

  /// The minimum duration of a lease. A lease is renewed three times in its duration, and waiting runs search for expired leases at the same
  /// interval.
  package static let minimumLease = Duration.milliseconds(100)

  private func check(_ path: any PullPath, of setting: String) throws(PullError) {
    guard path.identity.isEmpty else { return }
    throw PullError(
      .invalidPull, pull: name,
      reason: "the field of the \(setting) is the whole row, but must be the path of a value in it")
  }
}

/// A rule by which later runs of a ``Pull`` request only changed rows. Without one, every run requests the complete listing.
public struct PullCursor: Sendable {
  enum Rule: Sendable {
    case field(any PullPath, parameter: String, overlap: Int)
    case entityTag
  }

  let rule: Rule

  /// Sends the highest value of a field that was received so far as a query item. The first run requests the complete listing.
  ///
  ///     cursor: .field("updated_at", parameter: "since")
  ///
  /// The values are numbers or text. Dates in ISO 8601 are compared by time, whole numbers by value, and all other text by its bytes. The
  /// value is sent as the server wrote it, after the listing that contained it is complete. A row in which the field is missing, null or empty
  /// is stored and counted in the report; so is a row whose date is more than a day in the future, which would hide later changes. It is an error if all rows of the first page lack the field and no value was received before. Later changes with the same value as the highest one are received only if the server
  /// includes equal values.
  ///
  /// A listing that is not sorted by the field needs an overlap. While it is read, a row on an earlier page may change and receive a value
  /// below the highest one. The overlap has to be at least as long as the listing takes, including interruptions.
  ///
  /// - Parameters:
  ///   - path: The path of the field in a row.
  ///   - parameter: The name of the query item.
  ///   - overlap: The amount that is subtracted from the highest value before it is sent. For dates it is in seconds.
  public static func field(_ path: JSON.Path, parameter: String, overlap: Int = 0) -> PullCursor {
    field(at: path, parameter: parameter, overlap: overlap)
  }

  package static func field(at path: any PullPath, parameter: String, overlap: Int) -> PullCursor {
    PullCursor(rule: .field(path, parameter: parameter, overlap: overlap))
  }

  /// Sends the entity tag of the first page in `If-None-Match`. If the server answers 304, the listing is unchanged,
  /// and no other page is requested.
  ///
  /// Use this for listings of one page, and for listings whose first page changes whenever a row changes, such as those that begin with the
  /// latest change.
  public static var entityTag: PullCursor { PullCursor(rule: .entityTag) }
}

/// A rule that recognizes rows of a listing that were deleted.
///
/// The row with the payload's match keys is removed from the store. The payload needs no other members.
public struct PullTombstone: Sendable {
  let path: any PullPath
  private let isMark: @Sendable (JSON?) -> Bool

  /// Recognizes rows in which the value at `path`, such as `deleted_at` or `is_deleted`, is present and neither null nor `false`.
  public static func field(_ path: JSON.Path) -> PullTombstone { field(at: path) }

  /// Recognizes rows in which the value at `path` equals `value`, such as the status `"deleted"`; `nil` is null.
  public static func field(_ path: JSON.Path, equals value: JSON) -> PullTombstone { field(at: path, equals: value) }

  package static func field(at path: any PullPath, equals value: JSON? = nil) -> PullTombstone {
    PullTombstone(path: path) { found in
      if let value { found == value } else { found.map { !$0.isNull && $0.bool != false } ?? false }
    }
  }

  func state(of row: JSON) throws(MisleadingPath) -> (isDeleted: Bool, hasField: Bool) {
    let value = try path.value(in: row)
    return (isMark(value), value != nil)
  }
}

/// An error of a ``Pull``. Requests and the store have separate errors.
public struct PullError: Error, Hashable, Sendable {
  /// The kinds of error.
  @nonexhaustive
  public enum Code: String, Hashable, Sendable {
    /// The settings of the pull contradict each other, or do not match the table.
    ///
    /// What to do: correct the pull: `reason` names the settings.
    case invalidPull
    /// A page has no list at the path of the items.
    ///
    /// What to do: check the path, and whether the API changed.
    case noList
    /// A path of the pull does not fit a page or a row. A value on its way is neither an object or array, as the path requires, nor null; it leads to
    /// several values; or it is spelled like a key with dots.
    ///
    /// What to do: check the path that `reason` names, and whether the API changed.
    case pathMismatch
    /// The field of the cursor is missing from all rows of the first page, and no value was received before.
    ///
    /// What to do: check the path, and choose a field that all rows have.
    case cursorMissing
    /// The field of the cursor has a value that cannot be compared with the others.
    ///
    /// What to do: choose a number, or a date in one form.
    case cursorNotComparable
    /// Another run of the same pull has stored the page, or has started again, in the meantime. This run has stored nothing of the page.
    ///
    /// What to do: nothing is lost; run one pull at a time, or share partitions by leases.
    case overtaken
  }

  /// The kind of error.
  public let code: Code
  /// The name of the pull.
  public let pull: String
  /// The name of the partition; empty for a listing without partitions.
  public let partition: String
  /// The number of the page, counted from 1; `nil` if the error is not about a page.
  public let page: Int?
  /// The explanation, with paths and types but no values.
  public let reason: String

  init(_ code: Code, pull: String, partition: String = "", page: Int? = nil, reason: String) {
    self.code = code
    self.pull = pull
    self.partition = partition
    self.page = page
    self.reason = reason
  }
}

extension PullError: CustomStringConvertible, LocalizedError {
  /// The error in one line, safe to log: `pull members, page 3: [7].updated_at is missing, …`.
  public var description: String {
    var place = "pull \(pull)"
    if !partition.isEmpty { place += ", partition \(partition)" }
    if let page { place += ", page \(page)" }
    return "\(place): \(reason)"
  }

  /// The same text as `description`.
  public var errorDescription: String? { description }
}

/// The table and the request that a position belongs to.
extension PullPosition {
  /// Returns the reason why the position cannot be used for the plan's listing: it belongs to another listing, or its rows were lost.
  /// Returns `nil` if it can be used.
  ///
  /// A position in which an earlier version of the program did not store the table and the request belongs to any listing with its name.
  func difference(from plan: PullPlan) -> String? {
    if let loss = state.loss { return loss }
    if let entity, entity != plan.rows.entity { return "the table was \(entity) before" }
    return isOfAnotherRequest(than: plan) ? "the request has changed" : nil
  }

  /// Returns whether the position was stored for another request. A request with a date in its query is the same as before the text of the
  /// date changed.
  private func isOfAnotherRequest(than plan: PullPlan) -> Bool {
    guard let request, let digest = plan.requestDigest(of: partition) else { return false }
    return request != digest && request != plan.requestDigest(of: partition, dates: .described)
  }

  mutating func adopt(_ plan: PullPlan) {
    entity = plan.rows.entity
    request = plan.requestDigest(of: partition) ?? request
  }

  /// Discards the progress. The version is kept and increases later, so that another run cannot store a page.
  mutating func reset() {
    state = State()
    round = 0
    (entity, request) = (nil, nil)
  }
}

/// The digest of a plan, which is computed when it is first needed.
private final class KnownDigest: Sendable {
  private let text = Mutex<String?>(nil)

  func text(_ compute: () -> String) -> String {
    text.withLock { text in
      let known = text ?? compute()
      text = known
      return known
    }
  }
}

extension PullPlan {
  /// The digest of the table, and of the names and requests of all partitions. Runs of plans with the same digest can share a round.
  ///
  /// - Complexity: O(*n*) in the number of partitions, once.
  var digest: String {
    knownDigest.text {
      var text = "\(rows.entity.utf8.count):\(rows.entity)"
      // The names have their lengths, so that different plans have different texts.
      for name in partitionNames { text += "\(name.utf8.count):\(name)\(requestDigest(of: name) ?? "")" }
      return HashFunction.sha256.hexadecimal(of: Array(text.utf8))
    }
  }

  /// Returns a digest of the request and of all settings that determine the rows in a partition's listing.
  fileprivate func requestDigest(of partition: String, dates: GatewayRequest.DigestDates = .sent) -> String? {
    var texts = [items.identity]
    if case .field(let path, let parameter, _) = cursor?.rule { texts += [path.identity, parameter] }
    return partitions[partition]?.digest(with: texts, dates: dates)
  }
}

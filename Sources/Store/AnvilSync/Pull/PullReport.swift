public import AnvilStore

/// The result of a run of a ``Pull``.
///
/// Its size does not depend on the number of rows: only the first 100 skipped rows and deviations are described.
public struct PullReport: Hashable, Sendable {
  /// A row that was not stored.
  public struct SkippedRow: Hashable, Sendable {
    /// The name of the partition; empty for a listing without partitions.
    public var partition: String
    /// The number of the page in the listing, counted from 1.
    public var page: Int
    /// The position of the row in the page and the path of the value in the row, such as `[3].owner.name`.
    public var path: String
    /// The reason. It contains values of the row only if the decoder's messages do.
    public var reason: String
  }

  /// A deviation of the payloads from the model.
  public struct Drift: Hashable, Sendable {
    /// The kinds of deviation.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
      /// The payload has a key that the model does not read.
      case unknownKey
      /// A value does not have the type of the model's property.
      case typeMismatch
      /// A key that the model requires is missing, or null.
      case missingValue
      /// A column was added or its type was changed. This happens only for rows that are stored without a model.
      case columnChange
    }

    /// The path in the row. `[]` is any element of an array: `tags[].color`.
    public var path: String
    /// The kind of deviation.
    public var kind: Kind
    /// The number of rows in which the deviation was found.
    public var rowCount: Int
  }

  /// The outcome of a run for missing rows.
  @nonexhaustive
  public enum MissingRowsOutcome: String, Hashable, Sendable {
    /// The pull keeps missing rows, or the listing did not end in this run: it continues, or another run has ended it.
    case kept
    /// Missing rows were removed, after a complete listing.
    case deleted
    /// Missing rows were kept because the listing was incomplete: a cursor limited it, or the server reported it as unchanged.
    case keptAfterPartialListing
    /// Missing rows were kept, because the key of a skipped row could not be read.
    case keptAfterUnreadableKey
    /// Missing rows were kept, because it is not certain that the listing has ended; see ``PullReport/uncertainEnd``.
    case keptAfterUncertainEnd
    /// Missing rows were kept, because the listing of a partition that is not part of this run is not complete.
    case keptForOtherPartitions
  }

  /// The maximum number of elements in ``skipped`` and in ``drift``.
  package static var maximumDetailCount: Int { 100 }

  /// The number of pages that were stored.
  public internal(set) var pages = 0
  /// The changes to rows. A row is counted once for each page that contains it.
  public internal(set) var counts = StoreChanges.Counts()
  /// The number of rows that were not stored.
  public internal(set) var skippedCount = 0
  /// The first rows that were not stored, with the reasons.
  public internal(set) var skipped: [SkippedRow] = []
  /// The first deviations of the payloads from the model.
  public internal(set) var drift: [Drift] = []
  /// The number of rows without a value in the cursor's field. They were stored, and did not advance the cursor.
  public internal(set) var rowsWithoutCursor = 0
  /// The number of partitions whose listing the server reported as unchanged.
  public internal(set) var notModifiedCount = 0
  /// The number of partitions in which the run continued an interrupted listing.
  public internal(set) var resumedCount = 0
  /// The number of listings that were started again, because the server rejected the position of a page.
  public internal(set) var restartedCount = 0
  /// The reason why the run discarded stored positions and listed everything, such as a dropped table or a changed request. `nil` if it discarded no
  /// position.
  public internal(set) var resetReason: String?
  /// The reason why there may be further pages: `no page has a value at meta.next` if the pagination may look for the next page in the wrong
  /// place, or `page 2 has no content`. `nil` if the end of each listing is certain.
  ///
  /// After such a run, no missing row is removed, the cursor does not advance, and no entity tag is kept.
  public internal(set) var uncertainEnd: String?
  /// A note that the path of the tombstone may be wrong: `no row has a value at deleted_at`. Rows that are not deleted may lack the field, so this
  /// is no error. `nil` if this run or an earlier one has received a value, even null, or if this run has received no row.
  public internal(set) var missingTombstone: String?
  /// The treatment of missing rows.
  public internal(set) var missingRows = MissingRowsOutcome.kept
  /// The number of partitions that are not part of this run, but were listed by other runs of the pull. The rows of these partitions were
  /// not removed.
  public internal(set) var otherPartitionCount = 0
  /// The name of a partition of other runs whose listing is not complete; `nil` if the listings of all of them are complete.
  public internal(set) var incompletePartition: String?

  /// A Boolean value that indicates whether the server reported the whole listing as unchanged.
  public var isNotModified: Bool { notModifiedCount > 0 && pages == 0 }
}

extension PullReport {
  mutating func add(_ drift: Drift) {
    if let index = self.drift.firstIndex(where: { $0.path == drift.path && $0.kind == drift.kind }) {
      self.drift[index].rowCount += drift.rowCount
    } else if self.drift.count < Self.maximumDetailCount {
      self.drift.append(drift)
    }
  }

  mutating func add(_ row: SkippedRow) {
    skippedCount += 1
    if skipped.count < Self.maximumDetailCount { skipped.append(row) }
  }
}

extension PullReport: CustomStringConvertible {
  /// The report in one line: `12 pages, 1150 inserted, 3 updated, 0 unchanged, 1 deleted, 2 skipped`.
  public var description: String {
    if isNotModified { return "not modified" }
    var text = "\(pages) \(pages == 1 ? "page" : "pages"), \(counts)"
    if skippedCount > 0 { text += ", \(skippedCount) skipped" }
    switch missingRows {
    case .keptAfterPartialListing: text += ", missing rows kept: the listing was partial"
    case .keptAfterUnreadableKey: text += ", missing rows kept: a skipped row has no readable key"
    case .keptForOtherPartitions:
      let name = incompletePartition ?? ""
      text +=
        ", missing rows kept: \(name.isEmpty ? "a partition without a name" : "the partition \(name)") of another run is not listed completely"
    case .keptAfterUncertainEnd: text += ", missing rows kept: \(uncertainEnd ?? "the end of the listing is uncertain")"
    case .kept, .deleted:
      if let uncertainEnd { text += ", \(uncertainEnd)" }
    }
    if let missingTombstone { text += ", \(missingTombstone)" }
    if rowsWithoutCursor > 0 {
      text += ", \(rowsWithoutCursor) \(rowsWithoutCursor == 1 ? "row" : "rows") without a value for the cursor"
    }
    if otherPartitionCount > 0 {
      text += ", rows of \(otherPartitionCount) other \(otherPartitionCount == 1 ? "partition" : "partitions") kept"
    }
    let columnCount = drift.count { $0.kind == .columnChange }
    if columnCount > 0 { text += ", \(columnCount) new or changed \(columnCount == 1 ? "column" : "columns")" }
    let deviationCount = drift.count - columnCount
    if deviationCount > 0 {
      text += ", \(deviationCount) \(deviationCount == 1 ? "deviation" : "deviations") from the model"
    }
    if let resetReason { text += ", listed from the beginning: \(resetReason)" }
    return text
  }
}

extension PullReport.SkippedRow: CustomStringConvertible {
  /// The row in one line: `page 2, [3].owner.name: expected a string`.
  public var description: String {
    (partition.isEmpty ? "" : "\(partition), ") + "page \(page), \(path): \(reason)"
  }
}

extension PullReport.Drift: CustomStringConvertible {
  /// The deviation in one line: `owner.phone: unknown key (120 rows)`.
  public var description: String {
    let words =
      switch kind {
      case .unknownKey: "unknown key"
      case .typeMismatch: "type mismatch"
      case .missingValue: "missing value"
      case .columnChange: "new or changed column"
      }
    return "\(path): \(words) (\(rowCount) \(rowCount == 1 ? "row" : "rows"))"
  }
}

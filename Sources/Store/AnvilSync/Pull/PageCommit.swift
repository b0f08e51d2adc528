internal import AnvilBase
internal import AnvilJSON
internal import AnvilStore

/// Stores one page and the position after it in one transaction.
struct PageCommit: Sendable {
  let plan: PullPlan
  let format: any DecodingFormat
  let items: [JSON]
  /// The items that cannot be read, by their numbers in the page.
  var damaged: [Int: ItemFailure] = [:]
  /// The numbers of the items that are marked as deleted.
  var deleted: Set<Int> = []
  /// The position of the page. The position in the store must have the same version.
  let position: PullPosition
  let next: PullPosition

  struct Outcome: Sendable {
    var position: PullPosition
    var counts = StoreChanges.Counts()
    var skipped: [PullReport.SkippedRow] = []
    var drift: [PullReport.Drift] = []
    var missingRows: MissingRowsResult?
    /// The keys of the rows in the page, if the listing keeps them.
    var keys: [ListedKey] = []
  }

  /// Stores the page. If an item cannot be stored, the transaction is rolled back and run again without such items.
  ///
  /// - Throws: ``PullError/Code/overtaken``; `StoreError`; `CancellationError`.
  func run(in context: Store) async throws -> Outcome {
    do {
      return try await context.perform { try store(in: $0, skippingRows: false) }
    } catch {
      // The last page may have no items, but it removes the missing rows.
      guard !items.isEmpty || next.state.isListed, ItemFailure(error) != nil else { throw error }
      return try await context.perform { try store(in: $0, skippingRows: true) }
    }
  }

  /// - Parameter skipsRows: True to leave out the rows that cannot be stored or deleted.
  private func store(in transaction: StoreTransaction, skippingRows skipsRows: Bool) throws -> Outcome {
    // The last page of the last partition locks all positions to remove missing rows. It locks that of the pull's first partition, which other
    // runs may have, before its own, as other transactions that lock all positions do.
    if next.state.isListed, plan.missing.deletesRows,
      try !transaction.hasOtherOpenPartitions(than: position.partition, of: plan, round: position.round)
    {
      _ = try transaction.fetch(PullPosition.self, where: PullPosition.isPart(of: plan.name), limit: 1)
    }
    try transaction.requirePosition(position)
    var storage = PageStorage(commit: self, transaction: transaction)
    for run in runs {
      if run.isDeleted {
        try storage.delete(run.items, checkingReferences: skipsRows)
      } else if skipsRows {
        try storage.storeApart(run.items[...])
      } else {
        try storage.storeTogether(run.items)
      }
    }
    try storage.skipDamaged()
    var outcome = storage.outcome
    let isFirstPage = position.state.pages == 0 && next.state.pages == 1
    try transaction.note(outcome.keys, at: next, isFirstPage: isFirstPage, of: plan)
    if let missing = try transaction.settle(&outcome.position, of: plan, skippingRows: skipsRows) {
      outcome.missingRows = missing
      outcome.counts.deleted += missing.count
      outcome.skipped += missing.kept.map { error in
        PullReport.SkippedRow(
          partition: next.partition, page: position.state.pages + 1, path: "",
          reason: ItemFailure(at: JSON.Path(), "a row that is missing from the listing was kept: \(error)").reason)
      }
    }
    return outcome
  }

  /// Consecutive items of the page that are all marked as deleted, or all not marked.
  private struct Run {
    var isDeleted: Bool
    var items: [NumberedItem]
  }

  private var runs: [Run] {
    let readable = items.enumerated().lazy.filter { damaged[$0.offset] == nil }
      .map { NumberedItem(index: $0.offset, json: $0.element) }
    guard !deleted.isEmpty else { return [Run(isDeleted: false, items: Array(readable))] }
    return readable.reduce(into: []) { runs, item in
      let isDeleted = deleted.contains(item.index)
      if runs.last?.isDeleted == isDeleted {
        runs[runs.count - 1].items.append(item)
      } else {
        runs.append(Run(isDeleted: isDeleted, items: [item]))
      }
    }
  }
}

/// An item of a page and its number in the page, counted from 0.
struct NumberedItem: Sendable {
  let index: Int
  let json: JSON
}

struct PageStorage {
  let commit: PageCommit
  let transaction: StoreTransaction
  private(set) var outcome: PageCommit.Outcome

  init(commit: PageCommit, transaction: StoreTransaction) {
    self.commit = commit
    self.transaction = transaction
    outcome = PageCommit.Outcome(position: commit.next)
  }

  private var marksRows: Bool { commit.next.keepsKeys(of: commit.plan) }

  /// - Throws: The error of the first item that cannot be stored.
  mutating func storeTogether(_ items: [NumberedItem]) throws {
    guard !items.isEmpty else { return }
    var keys: [ListedKey] = []
    let stored = try commit.plan.rows.store(
      items.map(\.json), as: commit.format, in: transaction, didStore: marksRows ? { keys.append($0) } : nil)
    outcome.counts += stored.counts
    outcome.drift += stored.drift
    outcome.keys += keys
  }

  /// Stores the items that can be stored, and skips the others.
  ///
  /// A sequence of items that contains an invalid one is split in halves until the invalid item is alone. The number of nested transactions
  /// therefore depends on the number of skipped rows rather than on the number of items.
  mutating func storeApart(_ items: ArraySlice<NumberedItem>) throws {
    guard let item = items.first else { return }
    let before = outcome
    do {
      try transaction.perform { transaction in
        try storeTogether(Array(items))
        try transaction.checkReferences()
      }
    } catch {
      outcome = before
      guard let failure = ItemFailure(error) else { throw error }
      guard items.count > 1 else { return try skip(item, failure) }
      let middle = items.startIndex + items.count / 2
      try storeApart(items[..<middle])
      try storeApart(items[middle...])
    }
  }

  /// Deletes the rows of the items, and skips those that cannot be deleted.
  ///
  /// - Parameter checksReferences: True to skip rows that other rows refer to. Otherwise, the commit fails.
  mutating func delete(_ items: [NumberedItem], checkingReferences checksReferences: Bool) throws {
    for item in items {
      do {
        let rows = commit.plan.rows
        let isDeleted = try transaction.perform { transaction in
          let isDeleted = try rows.delete(item.json, as: commit.format, in: transaction)
          if checksReferences { try transaction.checkReferences() }
          return isDeleted
        }
        if isDeleted { outcome.counts.deleted += 1 }
      } catch {
        guard let failure = ItemFailure(error) else { throw error }
        try skip(item, failure)
      }
    }
  }

  mutating func skipDamaged() throws {
    for (index, failure) in commit.damaged.sorted(by: { $0.key < $1.key }) where commit.items.indices.contains(index) {
      try skip(NumberedItem(index: index, json: commit.items[index]), failure)
    }
  }

  private mutating func skip(_ item: NumberedItem, _ failure: ItemFailure) throws {
    outcome.skipped.append(
      PullReport.SkippedRow(
        partition: commit.next.partition, page: commit.position.state.pages + 1, path: "[\(item.index)]\(failure.path)",
        reason: failure.reason))
    if let drift = failure.drift { outcome.drift.append(drift) }
    outcome.position.state.noteSkippedRow(at: try transaction.currentTime())
    guard marksRows else { return }
    // The server still has the row, so it is not missing.
    switch try commit.plan.rows.payloadKey(of: item.json, as: commit.format, in: transaction) {
    case .text(let key) where commit.damaged[item.index] == nil || !key.unicodeScalars.contains("\u{FFFD}"):
      outcome.keys.append(ListedKey(text: key))
    // The damage may be in the key.
    case .text: outcome.position.state.hasUnknownKey = true
    case .unknown: outcome.position.state.hasUnknownKey = true
    case .noTable: break
    }
  }
}

/// A description of an error that concerns one row of a page.
struct ItemFailure {
  /// The path of the value in the row, such as `.owner.name`. Empty if the error concerns the whole row.
  let path: String
  let reason: String
  /// The deviation from the model; `nil` if the error is not such a deviation.
  let drift: PullReport.Drift?

  private init(path: String = "", reason: String, drift: PullReport.Drift? = nil) {
    (self.path, self.reason, self.drift) = (path, reason.singleLine(limit: 300), drift)
  }

  init(at path: JSON.Path, _ reason: String) {
    self.init(path: path.rowText, reason: reason)
  }

  /// Creates the description of an error. Returns `nil` if the error does not concern a row.
  init?(_ error: any Error) {
    switch error {
    case let error as StoreError:
      switch error.code {
      case .invalidValue, .constraint, .tooLarge: self.init(reason: "\(error)")
      default: return nil
      }
    case is CancellationError, is PullError: return nil
    case let error as DecodingError: self.init(error)
    case let error as any JSONDecodingError:
      self.init(path: error.path.rowText, reason: "\(error)")
    case let error as UnstorableObject: self.init(reason: error.reason)
    default: self.init(reason: "\(error)")
    }
  }

  private init(_ error: DecodingError) {
    switch error {
    case .typeMismatch(_, let context): self.init(context, .typeMismatch)
    case .valueNotFound(_, let context): self.init(context, .missingValue)
    case .keyNotFound(let key, let context): self.init(context, .missingValue, key: key)
    case .dataCorrupted(let context): self.init(context, .typeMismatch)
    @unknown default: self.init(reason: "\(error)")
    }
  }

  private init(_ context: DecodingError.Context, _ kind: PullReport.Drift.Kind, key: (any CodingKey)? = nil) {
    let keys = context.codingPath + (key.map { [$0] } ?? [])
    let steps = keys.map { key in key.intValue.map(JSON.Step.index) ?? .key(key.stringValue) }
    let general = steps.reduce(into: "") { text, step in
      if case .index = step { text += "[]" } else { text.append(step) }
    }
    self.init(
      path: JSON.Path(steps: steps).rowText, reason: context.debugDescription,
      drift: PullReport.Drift(path: general, kind: kind, rowCount: 1))
  }
}

extension JSON.Path {
  /// The path within the row: `.owner.name`; empty for the whole row.
  fileprivate var rowText: String {
    let text = "\(self)"
    return text.isEmpty || text.hasPrefix("[") ? text : ".\(text)"
  }
}

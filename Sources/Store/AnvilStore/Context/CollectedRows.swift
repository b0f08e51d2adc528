/// Collects rows in batches, each of which is written by one call.
///
/// As long as the keys ascend, a batch can be written before all rows are known, because no later row can have the key of a row in it.
struct CollectedRows {
  /// Thrown when a row may have the key of a row in a batch that was written early.
  struct OutOfOrder: Error {}

  struct Batch {
    let writing: RowWriting
    var values: [StoreValue]
    var rowCount: Int
  }

  private var full: [Batch] = []
  /// The table and the columns of the current batch; `nil` if there is no batch yet.
  private var writing: RowWriting?
  private var limit = 1
  private var values = RowBuffer(capacity: 0)
  private var rowCount = 0
  /// True if each key is greater than the one before, as is common in payloads. Then no key occurs twice.
  private var isAscending = true
  private var lastKey: RowKey?
  private var hasTaken = false

  /// Appends the values that `binding` encoded last.
  ///
  /// - Throws: ``StoreError/Code/invalidValue`` when a part of the key is null; ``OutOfOrder``.
  mutating func append(from binding: EntityBinding, on connection: any StoreConnection) throws {
    if binding.hasKey { try binding.requireKey() }
    let writing = try binding.writing(.updated)
    if self.writing !== writing || rowCount >= limit { begin(writing, on: connection) }
    if binding.hasKey, isAscending {
      let key = try binding.key()
      if let lastKey { isAscending = key.isGreater(than: lastKey) }
      guard isAscending || !hasTaken else { throw OutOfOrder() }
      lastKey = key
    }
    binding.moveValues(to: values)
    rowCount += 1
  }

  private mutating func begin(_ writing: RowWriting, on connection: any StoreConnection) {
    end()
    self.writing = writing
    limit = max(connection.rowsPerWrite(ofColumns: writing.columns.count), 1)
  }

  private mutating func end() {
    guard let writing, rowCount > 0 else { return }
    full.append(Batch(writing: writing, values: values.take(), rowCount: rowCount))
    rowCount = 0
  }

  /// Removes and returns the full batches if no later row can replace a row in them. Otherwise returns an empty array.
  mutating func takeFull() -> [Batch] {
    guard !full.isEmpty, isAscending else { return [] }
    hasTaken = true
    defer { full.removeAll(keepingCapacity: true) }
    return full
  }

  /// Returns the batches with only the last row of each key.
  consuming func distinct() -> [Batch] {
    end()
    guard !isAscending else { return full }
    var seen = Set<RowKey>(minimumCapacity: full.reduce(0) { $0 + $1.rowCount })
    return full.reversed().compactMap { $0.leavingOut(&seen) }.reversed()
  }
}

extension CollectedRows.Batch {
  /// The keys of the rows, created on access; empty for rows without keys.
  var keys: some RandomAccessCollection<RowKey> {
    let width = writing.columns.count
    let keyIndices = writing.keyNames.compactMap { name in writing.columns.firstIndex { $0.name == name } }
    return (0..<(keyIndices.isEmpty ? 0 : rowCount)).lazy.map { [values] row in
      RowKey(keyIndices.map { values[row * width + $0] })
    }
  }

  /// Returns the last row of each key that is not in `seen`, or `nil` if all keys are.
  fileprivate func leavingOut(_ seen: inout Set<RowKey>) -> Self? {
    var flags = [Bool](repeating: true, count: rowCount)
    for (index, key) in zip(flags.indices, keys).reversed() { flags[index] = seen.insert(key).inserted }
    guard flags.contains(false) else { return self }
    return keeping(flags, as: writing)
  }

  /// Returns the rows whose keys are in `absent`, which have to be inserted, and the other rows. Either of them is `nil` if it has no rows.
  func split(by absent: Set<RowKey>) -> (insertions: Self?, others: Self?) {
    guard !absent.isEmpty else { return (nil, self) }
    let flags = keys.map(absent.contains)
    let inserting = RowWriting(
      table: writing.table, columns: writing.columns, keyNames: writing.keyNames, existingRow: .isConflict)
    return (keeping(flags, as: inserting), keeping(flags.map { !$0 }, as: writing))
  }

  private func keeping(_ flags: [Bool], as writing: RowWriting) -> Self? {
    guard flags.contains(true) else { return nil }
    let width = writing.columns.count
    var kept = Self(writing: writing, values: [], rowCount: 0)
    for index in flags.indices where flags[index] {
      kept.values += values[index * width..<(index + 1) * width]
      kept.rowCount += 1
    }
    return kept
  }
}

extension RowKey {
  /// Returns `true` if both keys are integers or both are text, and this one is greater. A database may compare other
  /// values differently.
  func isGreater(than other: RowKey) -> Bool {
    switch (self, other) {
    case (.one(.integer(let own)), .one(.integer(let other))): own > other
    case (.one(.text(let own)), .one(.text(let other))): own > other
    default: false
    }
  }
}

/// Rows that are going to be written, in parts that one call writes.
struct CollectedRows {
  struct Part {
    let writing: RowWriting
    /// The keys of the rows; none for rows without.
    var keys: [RowKey] = []
    var values: [StoreValue] = []
    var rowCount = 0
  }

  private var parts: [Part] = []
  /// Whether each key is greater than the one before, as keys of inputs often are: then none is there twice.
  private var isAscending = true
  private var lastKey: RowKey?

  mutating func append(_ values: [StoreValue], key: RowKey?, _ writing: RowWriting, limit: Int) {
    if parts.last?.writing !== writing || (parts.last?.rowCount ?? 0) >= max(limit, 1) {
      var part = Part(writing: writing)
      part.values.reserveCapacity(values.count * min(limit, 512))
      parts.append(part)
    }
    let last = parts.count - 1
    parts[last].values.append(contentsOf: values)
    parts[last].rowCount += 1
    guard let key else { return }
    parts[last].keys.append(key)
    if isAscending, let lastKey { isAscending = key.isGreater(than: lastKey) }
    lastKey = key
  }

  /// The parts, with the last row of each key only.
  consuming func distinct() -> [Part] {
    guard !isAscending else { return parts }
    var seen: Set<RowKey> = []
    var kept: [Part] = []
    for part in parts.reversed() {
      var flags = [Bool](repeating: true, count: part.rowCount)
      for (index, key) in part.keys.enumerated().reversed() { flags[index] = seen.insert(key).inserted }
      guard flags.contains(false) else {
        kept.append(part)
        continue
      }
      let width = part.writing.columns.count
      var thinned = Part(writing: part.writing)
      for index in flags.indices where flags[index] {
        thinned.values += part.values[index * width..<(index + 1) * width]
        thinned.rowCount += 1
      }
      if thinned.rowCount > 0 { kept.append(thinned) }
    }
    return kept.reversed()
  }
}

extension RowKey {
  /// Whether both are whole numbers, or both text, and this one is greater: all else may be equal in a database.
  fileprivate func isGreater(than other: RowKey) -> Bool {
    switch (self, other) {
    case (.one(.integer(let own)), .one(.integer(let other))): own > other
    case (.one(.text(let own)), .one(.text(let other))): own > other
    default: false
    }
  }
}

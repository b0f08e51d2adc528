internal import AnvilBase
package import AnvilStore

/// A row of a long bulk: each batch writes over some rows of those before.
package struct BatchRow: Codable, Sendable, Equatable, ManagedDecodable {
  package static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  package static let batchSize = 200
  private static let rowCount = 3_000

  package var id: Int
  package var batch: Int
  package var text: String

  /// The rows of all batches from `first` on, without end.
  package static func rows(from first: Int) -> @Sendable () async -> BatchRow? {
    let counter = Counter(first * batchSize)
    return { await BatchRow(index: counter.next()) }
  }

  /// All rows when so many batches are committed.
  package static func rows(after batches: Int) -> [BatchRow] {
    var rows: [Int: BatchRow] = [:]
    for index in max(batches * batchSize - rowCount, 0)..<batches * batchSize {
      let row = BatchRow(index: index)
      rows[row.id] = row
    }
    return rows.values.sorted { $0.id < $1.id }
  }

  private init(index: Int) {
    id = index % Self.rowCount
    batch = index / Self.batchSize
    text = "row \(id) of batch \(batch)"
  }

  private actor Counter {
    private var index: Int

    init(_ index: Int) { self.index = index }

    func next() -> Int {
      defer { index += 1 }
      return index
    }
  }
}

/// A row that many processes count up.
package struct SharedCounter: Codable, Sendable, Equatable, ManagedDecodable {
  package static let matchKeys: [MatchKey]? = [.key(CodingKeys.key)]
  package static let keyCount = 20

  package var key: Int
  package var total: Int
  package var seen: Bool?

  package init(key: Int, total: Int, seen: Bool? = nil) {
    (self.key, self.total, self.seen) = (key, total, seen)
  }
}

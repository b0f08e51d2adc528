/// A buffer of rows, which are stored one after the other in one array. Keeping a result of libpq for each row would take 2 kB or more per
/// row.
///
/// Safety: values are read by their ranges in an array, which checks its bounds.
final class PostgresRowBuffer {
  /// The bytes of the values of all rows. `ends` contains the offset of the end of each value. For NULL, it contains -1 minus this offset.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private let columnCount: Int
  /// The index of the current row, or -1 before the first one.
  private var row = -1

  init(columnCount: Int) {
    self.columnCount = columnCount
  }

  func append(_ result: PostgresResult) {
    for row in 0..<result.rowCount {
      for column in 0..<columnCount {
        let isNull = unsafe result.withValue(row: row, column: column) { value in
          if let value = unsafe value { unsafe bytes.append(contentsOf: value) }
          return unsafe value == nil
        }
        ends.append(isNull ? -1 - bytes.count : bytes.count)
      }
    }
  }

  /// Advances to the next row. Returns `false` at the end.
  func advance() -> Bool {
    guard (row + 1) * columnCount < ends.count else { return false }
    row += 1
    return true
  }

  func withValue<Result>(
    column: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    let index = row * columnCount + column
    guard row >= 0, column < columnCount, index < ends.count, ends[index] >= 0 else { return try body(nil) }
    let start = index == 0 ? 0 : ends[index - 1] < 0 ? -1 - ends[index - 1] : ends[index - 1]
    let end = ends[index]
    return try unsafe bytes.withUnsafeBytes { try unsafe body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
  }
}

package import AnvilStore

/// The readers of a row.
package enum StoreReading: CaseIterable, Sendable {
  case integer, real, text, blob, kind, name

  package func read(_ column: Int, of row: borrowing StoreRow) throws -> Any? {
    switch self {
    case .integer: try row.integer(at: column)
    case .real: try row.real(at: column)
    case .text: try row.text(at: column)
    case .blob: try row.blob(at: column)
    case .kind: try row.kind(at: column)
    case .name: try row.name(at: column)
    }
  }
}

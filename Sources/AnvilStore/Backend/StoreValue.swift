#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A value as the backends keep it: what a placeholder stands for and what a column holds.
///
/// Equality is that of the values, so `.real(-0.0)` equals `.real(0)`, and `.integer(1)` does not equal `.real(1)`.
package enum StoreValue: Hashable, Sendable {
  /// SQL's NULL.
  case null
  case integer(Int64)
  /// Any number but NaN, which no statement takes: SQLite would store NULL in its place.
  case real(Double)
  /// Text with whatever is in it, NUL too where the backend can.
  case text(String)
  /// Bytes. No bytes are a blob, not NULL.
  case blob(Data)
}

extension StoreValue {
  /// What a value is, without the value.
  package enum Kind: String, Hashable, Sendable {
    case null, integer, real, text, blob
  }

  package var kind: Kind {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}

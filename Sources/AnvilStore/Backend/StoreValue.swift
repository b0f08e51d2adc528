#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A value as the backends keep it: what a placeholder stands for and what a column holds.
///
/// Equality is that of the values, so `.real(-0.0)` equals `.real(0)`, and `.integer(1)` does not equal `.real(1)`. Texts are
/// equal when their bytes are, as they are for databases: an é of one scalar is not one of two.
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
  // Texts of the same bytes are equal as strings, too: what is made for `Hashable` fits.
  package static func == (lhs: StoreValue, rhs: StoreValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let lhs), .integer(let rhs)): lhs == rhs
    case (.real(let lhs), .real(let rhs)): lhs == rhs
    case (.text(let lhs), .text(let rhs)): lhs == rhs && lhs.utf8.elementsEqual(rhs.utf8)
    case (.blob(let lhs), .blob(let rhs)): lhs == rhs
    default: false
    }
  }
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

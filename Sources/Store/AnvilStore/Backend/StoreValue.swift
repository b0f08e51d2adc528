#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A value of a placeholder or a column.
///
/// Values of different kinds are never equal: `.integer(1)` does not equal `.real(1)`. Numbers are compared by value, so `.real(-0.0)`
/// equals `.real(0)`. Texts are compared by their bytes, as in databases: a precomposed é does not equal a decomposed one.
package enum StoreValue: Hashable, Sendable {
  /// SQL's NULL.
  case null
  case integer(Int64)
  /// Any number except NaN, which statements reject: SQLite would store NULL instead. Models store -0.0 as 0, because SQLite does not keep
  /// the sign.
  case real(Double)
  /// Text. It may contain NUL if the backend supports that.
  case text(String)
  /// Bytes. An empty blob is not NULL.
  case blob(Data)
}

extension StoreValue {
  // Consistent with the synthesized `hash(into:)`: texts with the same bytes are also equal as strings.
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
  /// The kind of a value.
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

internal import AnvilJSON

/// Takes `Encodable` values of one type apart into the attributes that are stored, in the order in which they encode them.
///
/// A keyed value has an attribute for each of its coding keys. Numbers, text, dates and the like are stored as themselves,
/// and so is a value that encodes itself as one of them, such as an enumeration; everything else is stored as JSON, its keys
/// sorted so that equal values are equal text. An optional that is nil has the type that it would have, as far as the type
/// says, or as the values before had it.
///
/// What the values before said of the attributes stays: a value has them all, and those that it does not encode are null.
package final class RowEncoder {
  private let collector: AttributeCollector
  private let encoder: AttributeEncoder

  /// - Parameter references: keeps the values that are stored in rows of their own; without it they are stored as JSON.
  package init(references: (any ReferenceKeeper)? = nil) {
    collector = AttributeCollector(references: references)
    encoder = AttributeEncoder(containers: ContainerCache(collector: collector))
  }

  /// The attributes that the values so far had.
  package var attributes: [Attribute] { collector.attributes }

  /// What the last value has, in the order of ``attributes``.
  package var values: [StoreValue] { collector.values.all }

  /// What the last value has, one by one: no array is made for it.
  var row: RowValues { collector.values }

  /// Goes up whenever ``attributes`` changes.
  package var revision: Int { collector.revision }

  /// Adds an attribute that values have and do not encode when it is nil.
  package func declare(_ attribute: Attribute) {
    collector.declare(attribute)
  }

  /// Has an attribute stored as JSON from now on, as the values of other runs were.
  package func storeAsJSON(_ name: String) {
    collector.storeAsJSON(name)
  }

  /// Takes `value` apart; of several encodings under one key the last counts.
  ///
  /// - Throws: `EncodingError.invalidValue`, with the key, for a value that is not keyed, for NaN, and for whole numbers of
  ///   more than 64 bits; ``StoreError/Code/schemaMismatch`` for an attribute of another type than values before had; and
  ///   whatever the value throws.
  package func encode(_ value: some Encodable) throws {
    collector.begin()
    try value.encode(to: encoder)
    switch collector.shape {
    case .keyed: return
    case .pieces: try collector.pieceTogether(value)
    case .other:
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "A stored value has attributes: it has to be keyed."))
    }
  }
}

/// Keeps values in rows of their own while the value that holds them is taken apart.
package protocol ReferenceKeeper: AnyObject {
  /// Stores `value` and says what stands for it; `nil` when it is not of a type that has rows of its own.
  func keep<T: Encodable>(_ value: T) throws -> KeptReference?
}

/// What stands for values in rows of their own.
package struct KeptReference {
  package var value: StoreValue
  package var type: StoredType
  package var reference: EntityReference
}

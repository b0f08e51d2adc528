internal import AnvilJSON

/// An encoder that splits `Encodable` values of one type into attributes. The attributes have the order in which they were first encoded.
///
/// A keyed value has an attribute for each of its coding keys. Numbers, text, dates and similar values are stored directly, and so is a
/// value that encodes itself as one of them, such as an enumeration. All other values are stored as JSON with sorted keys, so that equal
/// values have equal text. An optional that is nil has the storage type of its wrapped type. If the wrapped type does not determine one, it
/// has the type of earlier values.
///
/// Attributes are kept from one value to the next: attributes that a value does not encode are null.
package final class RowEncoder {
  private let collector: AttributeCollector
  private let encoder: AttributeEncoder

  /// - Parameters:
  ///   - references: Stores the models that have separate rows. If it is `nil`, such models are stored as JSON.
  ///   - names: The names of the attributes that are known before any value is encoded.
  ///   - datePrecision: The precision of dates in columns.
  package init(
    references: (any ReferenceWriter)? = nil, attributes names: [String] = [],
    datePrecision: StoredDate.Precision = .nanoseconds
  ) {
    collector = AttributeCollector(references: references, datePrecision: datePrecision)
    collector.declare(names)
    encoder = AttributeEncoder(containers: ContainerCache(collector: collector))
  }

  /// The attributes of the values so far.
  package var attributes: [Attribute] { collector.attributes }

  /// The names of attributes whose columns are created with an index.
  var indexedNames: Set<String> { collector.indexedNames }

  /// The values of the last value's attributes, in the order of ``attributes``.
  package var values: [StoreValue] { collector.values.all }

  /// The same values without creating an array.
  var row: RowValues { collector.values }

  /// Incremented whenever ``attributes`` changes.
  package var revision: Int { collector.revision }

  /// Adds an attribute in advance. This is needed for attributes that values do not encode when they are nil.
  package func declare(_ attribute: Attribute) {
    collector.declare(attribute)
  }

  /// Stores an attribute as this type from now on, because the column contains earlier values of the type.
  package func store(_ name: String, as type: StoredType) {
    collector.store(name, as: type)
  }

  /// Splits `value` into attributes. If a key is encoded several times, the last value is used.
  ///
  /// - Throws: `EncodingError.invalidValue`, with the key, for a value that is not keyed, for NaN, and for whole numbers outside the range
  ///   of `Int64`; ``StoreError/Code/schemaMismatch`` for an attribute whose type differs from that of earlier values; any error that the
  ///   value throws.
  package func encode(_ value: some Encodable) throws {
    collector.begin()
    try value.encode(to: encoder)
    switch collector.shape {
    case .keyed: return
    case .pieces: try collector.addNestedMembers(value)
    case .other:
      throw EncodingError.unencodable(value, at: [], "A stored value must encode into a keyed container.")
    }
  }

  /// Passes the values of a model's columns to the attributes with which the encoder was created.
  func encode(columnsOf model: some StoredModel) throws {
    collector.begin()
    try model._write(to: _StoredRowWriter(collector))
  }
}

/// Stores values in separate rows while the value that contains them is encoded.
package protocol ReferenceWriter: AnyObject {
  /// Stores `value` and returns the reference to it; `nil` if its type does not have separate rows.
  func store<T: Encodable>(_ value: T) throws -> StoredReference?
}

/// The reference to values in separate rows.
package struct StoredReference {
  package var value: StoreValue
  package var type: StoredType
  package var reference: EntityReference
}

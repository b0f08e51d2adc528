/// The storage type of a model's attribute.
package enum StoredType: String, Hashable, Sendable {
  /// A whole number in the range of `Int64`.
  case integer
  /// A number with a fraction.
  case real
  /// The integer 1 or 0.
  case boolean
  /// Text.
  case text
  /// The time of a date: text in the form of ``StoredDate``, or a type of the database.
  case timestamp
  /// The time of a date in a column of an earlier version: the seconds since the beginning of 2001 in UTC, as a real number.
  case date
  /// Bytes.
  case data
  /// The text of a UUID, in upper case.
  case uuid
  /// The text of a URL.
  case url
  /// The digits of a decimal number, as text.
  case decimal
  /// A nested value or an array, as JSON.
  case json
}

/// An attribute of a stored type.
package struct Attribute: Hashable, Sendable {
  /// The text of the coding key.
  package var name: String
  /// The storage type. It is `nil` as long as all values were nil, unless the Swift type determines the storage type.
  package var type: StoredType?
  /// The kind of reference, if the values are references.
  package var reference: EntityReference?

  package init(_ name: String, _ type: StoredType?, _ reference: EntityReference? = nil) {
    self.name = name
    self.type = type
    self.reference = reference
  }

  /// A description of the attribute's type.
  package var kind: String {
    switch reference {
    case nil: type?.rawValue ?? "unknown"
    case .one(let entity): "a reference to \(entity)"
    case .many(let entity): "references to \(entity)"
    }
  }
}

/// The kind of reference in a column that contains keys of other rows.
package enum EntityReference: Hashable, Sendable {
  /// The key of one row of the entity. A composite key is a JSON array of its values.
  case one(entity: String)
  /// The keys of rows of the entity, as a JSON array.
  case many(entity: String)

  package var entity: String {
    switch self {
    case .one(let entity), .many(let entity): entity
    }
  }
}

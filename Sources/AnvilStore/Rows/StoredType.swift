/// How an attribute of a model is stored: what its column holds, and how to read it back.
package enum StoredType: String, Hashable, Sendable {
  /// A whole number of at most 64 bits.
  case integer
  /// A number with a fraction.
  case real
  /// 1 or 0.
  case boolean
  /// Text.
  case text
  /// Seconds since the beginning of 2001 in UTC, as a real: every date exactly as it is.
  case date
  /// Bytes.
  case data
  /// The text of a UUID, in capitals.
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
  /// The coding key's text.
  package var name: String
  /// How it is stored; `nil` as long as there was no value, and the type says nothing.
  package var type: StoredType?
  /// Which rows the values stand for, if they do.
  package var reference: EntityReference?

  package init(_ name: String, _ type: StoredType?, _ reference: EntityReference? = nil) {
    self.name = name
    self.type = type
    self.reference = reference
  }

  /// What the attribute is, in words.
  package var kind: String {
    switch reference {
    case nil: type?.rawValue ?? "unknown"
    case .one(let entity): "a reference to \(entity)"
    case .many(let entity): "references to \(entity)"
    }
  }
}

/// What a column stands for that holds keys of other rows.
package enum EntityReference: Hashable, Sendable {
  /// The key of one row of the entity; where that has several attributes, their values as a JSON array.
  case one(entity: String)
  /// The keys of rows of the entity, as a JSON array.
  case many(entity: String)

  package var entity: String {
    switch self {
    case .one(let entity), .many(let entity): entity
    }
  }
}

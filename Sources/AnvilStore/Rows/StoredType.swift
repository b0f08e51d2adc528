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

/// One attribute of a stored value.
package struct Attribute: Hashable, Sendable {
  /// The coding key's text, which names the column.
  package var name: String
  /// How it is stored; `nil` for a value that is not there and whose type says nothing.
  package var type: StoredType?
  /// What is stored.
  package var value: StoreValue

  package init(_ name: String, _ type: StoredType?, _ value: StoreValue) {
    self.name = name
    self.type = type
    self.value = value
  }
}

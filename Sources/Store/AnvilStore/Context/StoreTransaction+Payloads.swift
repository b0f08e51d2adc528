package import AnvilJSON

/// The key of the row that a payload describes.
package enum PayloadKey: Sendable {
  /// The key as text. Rows with the same key have the same text.
  case text(String)
  /// The payload has no key, or the key cannot be read.
  case unknown
  /// The entity has no table yet, and therefore no rows.
  case noTable
}

/// Access to rows by the keys in payloads, for listings that are stored page by page.
extension StoreTransaction {
  /// Returns the key in the payload of `decoder`, without decoding the model.
  package func payloadKey<Model: StorableModel>(of type: Model.Type, in decoder: any Decoder) throws -> PayloadKey {
    try bindings.with(type) { binding in
      guard try schema(of: binding.entity) != nil else { return .noTable }
      let key = try payloadKey(in: decoder, binding) ?? foundKey(of: type, in: decoder, binding)
      return try key.map { .text(try KeyText.plainText(of: $0)) } ?? .unknown
    }
  }

  /// Removes the row with the key in the payload of `decoder`. Returns `true` if there was one.
  ///
  /// - Throws: `DecodingError` when the payload has no key, and cannot be decoded as a model either; ``StoreError``.
  package func deleteRow<Model: StorableModel>(of type: Model.Type, describedBy decoder: any Decoder) throws -> Bool {
    try requireWriting()
    try flush()
    bulk?.forgetRows()
    guard let schema = try schema(of: Model.entityName) else { return false }
    let known = try bindings.with(type) { binding in
      try payloadKey(in: decoder, binding) ?? foundKey(of: type, in: decoder, binding)
    }
    let key = try known ?? key(of: decoder.singleValueContainer().decode(type))
    return try delete([key], schema) > 0
  }
}

/// Storing JSON objects without a model.
extension StoreTransaction {
  /// Stores an array of objects as rows of an entity; see ``Store/store(_:as:keys:)``.
  package func store(
    _ json: JSON, as entity: String, keys: [String], rules: [ConflictRule] = []
  ) throws -> StoredObjects {
    var storing = ObjectStoring(of: entity, keys: keys, rules: rules, in: self)
    return try storing.store(json)
  }

  /// Returns the key of the object's row.
  package func payloadKey(of json: JSON, as entity: String, keys: [String]) throws -> PayloadKey {
    guard let schema = try schema(of: entity) else { return .noTable }
    return try key(of: json, schema, keys).map { .text(try KeyText.plainText(of: $0)) } ?? .unknown
  }

  /// Removes the row that has the object's key. Returns `true` if there was one, `false` if there was none, and `nil` if the key cannot be
  /// read from the object.
  package func deleteRow(describedBy json: JSON, as entity: String, keys: [String]) throws -> Bool? {
    try requireWriting()
    guard let schema = try schema(of: entity) else { return false }
    guard let key = try key(of: json, schema, keys) else { return nil }
    return try delete([key], schema) > 0
  }

  private func key(of json: JSON, _ schema: EntitySchema, _ keys: [String]) throws -> RowKey? {
    guard !keys.isEmpty, Set(keys) == Set(schema.keyNames) else { return nil }
    let values = schema.keyColumns.compactMap { column in
      json.member(forColumn: column.name).flatMap(column.keyValue(of:))
    }
    return values.count == keys.count ? RowKey(values) : nil
  }
}

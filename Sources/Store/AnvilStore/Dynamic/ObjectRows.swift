internal import AnvilJSON

/// Converts objects to the values of their rows.
struct ObjectRows {
  /// The values of the last object, in the order of ``writing``'s columns.
  private(set) var values: [StoreValue] = []
  /// The table, and the columns of the last object's members.
  var writing: RowWriting { shape.writing }
  /// The same columns as ``writing``, for a row that must not exist yet.
  var inserting: RowWriting { shape.inserting }
  /// The key of the last object; `nil` if each object is a new row.
  private(set) var key: RowKey?

  private var attributes: ObjectAttributes
  private let schema: EntitySchema
  /// The columns in the order of the attributes; `nil` for attributes that were null in all objects.
  private let columns: [EntitySchema.Column?]
  /// The indices of those members of the last object that have a column.
  private var present: [Int]
  private var shape: Shape
  private var shapes: [[Int]: Shape] = [:]

  private struct Shape {
    let writing: RowWriting
    let inserting: RowWriting
    /// The indices of the key's values.
    let keyPositions: [Int]
  }

  /// The maximum number of cached shapes. It limits the memory for objects with many different members.
  private static let mostShapes = 256

  /// - Parameter schema: A table with all columns that the attributes need, and with at least one column.
  init(_ attributes: ObjectAttributes, _ schema: EntitySchema) {
    self.attributes = attributes
    self.schema = schema
    columns = attributes.names.map(schema.column(named:))
    present = []
    shape = Self.shape([], columns, schema)
  }

  /// Converts an object, and sets ``values``, ``writing`` and ``key``. The attributes must contain its members.
  mutating func read(_ object: JSON) throws(UnstorableObject.Reason) {
    var values = self.values
    var present = [Int]()
    values.removeAll(keepingCapacity: true)
    present.reserveCapacity(self.present.count)
    let columns = columns
    try attributes.members(of: object) { (_, index, json) throws(UnstorableObject.Reason) in
      guard let column = columns[index] else { return }
      values.append(try column.value(of: json))
      present.append(index)
    }
    // A row with only nulls needs at least one column in the statement.
    if present.isEmpty { values.append(.null) }
    if present != self.present { use(present) }
    self.values = values
    key = shape.keyPositions.isEmpty ? nil : RowKey(shape.keyPositions.map { values[$0] })
  }

  private mutating func use(_ present: [Int]) {
    if let known = shapes[present] {
      shape = known
    } else {
      shape = Self.shape(present, columns, schema)
      if shapes.count >= Self.mostShapes { shapes.removeAll() }
      shapes[present] = shape
    }
    self.present = present
  }

  private static func shape(
    _ present: [Int], _ columns: [EntitySchema.Column?], _ schema: EntitySchema
  ) -> Shape {
    var written = present.compactMap { columns[$0] }
    if written.isEmpty { written = Array(schema.columns.prefix(1)) }
    func writing(_ existingRow: RowWriting.ExistingRow) -> RowWriting {
      RowWriting(
        table: schema.entity, columns: written.map { RowWriting.Column($0.name, $0.type) }, keyNames: schema.keyNames,
        existingRow: existingRow)
    }
    return Shape(
      writing: writing(.updated), inserting: writing(.isConflict),
      keyPositions: schema.keyNames.compactMap { name in written.firstIndex { $0.name == name } })
  }
}

extension EntitySchema.Column {
  /// Returns the value for a column of the key; `nil` if `json` cannot be part of a key.
  func keyValue(of json: JSON) -> StoreValue? {
    json.isNull || reference != nil ? nil : type.value(of: json)
  }

  fileprivate func value(of json: JSON) throws(UnstorableObject.Reason) -> StoreValue {
    if json.isNull { return .null }
    if let reference {
      throw UnstorableObject.Reason(
        "the column \(name.shortName) refers to rows of \(reference.entity) and cannot be set from JSON")
    }
    if let value = type.value(of: json) { return value }
    throw UnstorableObject.Reason(
      "the \(json.kind) \(name.shortName) cannot be stored in its column, which contains \(type.plural)")
  }
}

extension StoredType {
  fileprivate var plural: String {
    switch self {
    case .integer: "integers"
    case .real: "reals"
    case .boolean: "Booleans"
    case .text: "text"
    case .timestamp, .date: "dates (RFC 3339)"
    case .data: "bytes (base64)"
    case .uuid: "UUIDs"
    case .url: "URLs"
    case .decimal: "decimals of at most 38 digits"
    case .json: "JSON"
    }
  }
}

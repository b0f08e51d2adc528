internal import AnvilBase
internal import AnvilCodable

/// The row from which a ``StoredModel`` is created. Columns are counted in the order of the model's attributes.
///
/// The functions throw `DecodingError` for a value of another type. Those without an optional result throw it for NULL, too.
public struct _StoredRowReader: ~Copyable {
  enum Source {
    case current(any StoreRowColumns)
    case stored([StoreValue])
  }

  private let source: Source
  private let layout: StoredRow.Layout
  private let resolver: (any ReferenceResolver)?

  init(_ source: Source, _ layout: StoredRow.Layout, _ resolver: (any ReferenceResolver)?) {
    self.source = source
    self.layout = layout
    self.resolver = resolver
  }

  /// Returns the value of a column.
  @inlinable
  public func read<Value: StoredValue>(_ type: Value.Type, _ column: Int) throws -> Value {
    if let value = try Value._read(from: self, at: column) { return value }
    throw missing(type, column)
  }

  /// Returns the value of a column; `nil` for NULL.
  @inlinable
  public func readIfPresent<Value: StoredValue>(_ type: Value.Type, _ column: Int) throws -> Value? {
    try Value._read(from: self, at: column)
  }

  /// Returns a value that is stored as JSON, or whose row the column refers to.
  public func read<Value: Decodable>(_ type: Value.Type, _ column: Int) throws -> Value {
    try cell(column).decode(type, resolving: resolver, at: path(column))
  }

  /// Returns a value that is stored as JSON, or whose row the column refers to. Returns `nil` for NULL, and for a reference to a row that
  /// no longer exists.
  public func readIfPresent<Value: Decodable>(_ type: Value.Type, _ column: Int) throws -> Value? {
    let cell = try cell(column)
    if try cell.isNull(resolving: resolver) { return nil }
    return try cell.decode(type, resolving: resolver, at: path(column))
  }

  /// Returns a value of the same type as a model's property. Used by the macro for properties whose type is not written in the source, such
  /// as those with property wrappers.
  public func read<Model, Value: Decodable>(_ property: (Model) -> Value, _ column: Int) throws -> Value {
    try read(Value.self, column)
  }

  /// Whether the column contains dates, although the property has `@CodableBy`.
  func hasDates(at column: Int) -> Bool {
    layout.place(ofAttribute: column).map { layout.columns[$0].type.isDate } ?? false
  }

  func invalid(_ failure: CodingStrategyError, at column: Int) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: path(column), debugDescription: failure.description, underlyingError: failure))
  }

  func scalar<Value: StoredScalar>(_ column: Int) throws -> Value? {
    if case .current(let columns) = source, let place = layout.place(ofAttribute: column),
      let value = try Value.readCommonKind(from: columns, at: place)
    {
      return value
    }
    let value = try value(column)
    if let scalar = Value(stored: value) { return scalar }
    if case .null = value { return nil }
    return try cell(column).scalar(at: path(column))
  }

  private func value(_ column: Int) throws -> StoreValue {
    // NULL for a column that the table does not have yet.
    guard let place = layout.place(ofAttribute: column) else { return .null }
    switch source {
    case .current(let columns): return try columns.value(at: place)
    case .stored(let values): return place < values.count ? values[place] : .null
    }
  }

  private func cell(_ column: Int) throws -> StoredCell {
    guard let place = layout.place(ofAttribute: column) else { return .null }
    let stored = layout.columns[place]
    return StoredCell(value: try value(column), type: stored.type, reference: stored.reference)
  }

  private func path(_ column: Int) -> [any CodingKey] { [AttributeKey(layout.attributes[column])] }

  @usableFromInline
  func missing(_ type: any Any.Type, _ column: Int) -> DecodingError {
    let place = layout.place(ofAttribute: column)
    let storedType = place.map { layout.columns[$0].type } ?? (type as? any StoredScalar.Type)?.storedType
    let others = layout.unreadColumns.filter { storedType == nil || $0.type == storedType }
    var advice = "A new property needs a default, and one with a new name a migration."
    if let entity = layout.entity, others.count == 1 {
      let (old, new) = (others[0].name, layout.columnName(ofAttribute: column))
      advice = """
        If the property was named \(old) before, add the migration .rename("\(old)", to: "\(new)", in: "\(entity)"); a new \
        property needs a default.
        """
    }
    let description = "The column \(place == nil ? "does not exist" : "is NULL"). \(advice)"
    return .valueNotFound(type, .init(codingPath: path(column), debugDescription: description))
  }

  func invalid(_ type: any Any.Type, _ rawValue: String, _ column: Int) -> DecodingError {
    .dataCorrupted(.init(codingPath: path(column), debugDescription: "\(rawValue) is not a raw value of \(type)."))
  }
}

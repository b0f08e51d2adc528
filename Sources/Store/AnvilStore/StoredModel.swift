internal import AnvilBase
internal import AnvilCodable
internal import AnvilJSON

/// A model whose rows are read and written column by column. The macro ``StoredModel()`` writes the conformance.
public protocol StoredModel: ManagedDecodable, Codable, Sendable where Context == StoreTransaction {
  /// The type of the columns. It has a property for each property of the model, with the same name.
  associatedtype Columns: Sendable

  /// The columns, for conditions and orders.
  static var columns: Columns { get }

  /// The attributes of the model, in the order of their columns.
  static var _storedAttributes: [_StoredAttribute] { get }

  /// Passes the value of each attribute to the writer.
  ///
  /// - Throws: `EncodingError.invalidValue` for a value that cannot be stored; ``StoreError``.
  func _write(to row: borrowing _StoredRowWriter) throws

  /// Reads the columns of a row and returns the model.
  ///
  /// - Throws: `DecodingError` for a value that is missing or has another type; ``StoreError``.
  static func _read(from row: borrowing _StoredRowReader) throws -> Self
}

extension StoredModel {
  /// The attributes that are marked with `@MatchKey`, in the order of their declaration. `nil` without such attributes.
  public static var matchKeys: [MatchKey]? {
    let keys = _storedAttributes.filter(\.isMatchKey).map { MatchKey(codingKey: $0.key, attribute: $0.column) }
    return keys.isEmpty ? nil : keys
  }
}

extension StoredModel where Self: ReferencedModel {
  /// The attribute that is marked with `@MatchKey`.
  public static var matchKey: MatchKey {
    let attribute = _storedAttributes.first { $0.isMatchKey }
    return MatchKey(codingKey: attribute?.key ?? "id", attribute: attribute?.column ?? "id")
  }

  /// The match key.
  public static var matchKeys: [MatchKey]? { [matchKey] }
}

/// An attribute of a ``StoredModel``: the name in payloads, the name of the column, and the value in rows without the column.
public struct _StoredAttribute: Sendable {
  package let key: String
  package let column: String
  package let isMatchKey: Bool
  let coding: _StoredCoding?
  private let fallback: (@Sendable () -> any Encodable)?
  /// True if the default value is the same each time, so that the database can have it.
  let hasConstantDefault: Bool

  /// - Parameters:
  ///   - key: The coding key, or a path of keys joined by dots.
  ///   - isConstant: True if the default value is the same each time.
  ///   - fallback: Returns the default value of the property; `nil` without one.
  public init(
    key: String, column: String, isMatchKey: Bool = false, coding: _StoredCoding? = nil, isConstant: Bool = false,
    default fallback: (@Sendable () -> any Encodable)? = nil
  ) {
    (self.key, self.column, self.isMatchKey, self.coding) = (key, column, isMatchKey, coding)
    (self.fallback, hasConstantDefault) = (fallback, isConstant)
  }

  /// Returns the stored form of the default value; `nil` without a default, and for a model with a separate row.
  ///
  /// - Parameter columnType: The type of the column; `nil` before the column exists.
  /// - Throws: `EncodingError.invalidValue` for a value that cannot be stored.
  func defaultValue(
    _ precision: StoredDate.Precision, in columnType: StoredType? = nil
  ) throws -> (type: StoredType, value: StoreValue)? {
    guard let value = fallback?(), ReferenceKind(of: Swift.type(of: value)) == .none else { return nil }
    // A value of this type is JSON in its column, unless that was made for scalars.
    if value is JSON, columnType ?? .json == .json {
      return (.json, .text(try JSON.Encoder.ofColumns.columnText(of: value)))
    }
    let scalar = (value as? any StoredValue).map { comparedValue($0) }
    let compared: any Encodable = try scalar.map { try coding?.coded($0, in: columnType) ?? $0 } ?? value
    if let scalar = try ScalarProbe.stored(compared, precision) { return scalar.type.map { ($0, scalar.value) } }
    return (.json, .text(try JSON.Encoder.ofColumns.columnText(of: value)))
  }
}

/// The mapping between the names of a model's attributes and the names of their columns.
///
/// An attribute is named by its coding key. Its column has the same name, unless a match key or the model says otherwise.
struct AttributeNames {
  private let columns: [String: String]
  /// The names of attributes by column, for columns that are named differently.
  let attributes: [String: String]
  private let model: (any StoredModel.Type)?
  private let codings: [String: _StoredCoding]

  /// Creates the mapping of a model whose columns all have the names of their attributes.
  init() { (columns, attributes, model, codings) = ([:], [:], nil, [:]) }

  init(of type: any ManagedDecodable.Type) {
    var pairs = (type.matchKeys ?? []).map { ($0.codingKey, $0.attribute) }
    model = type as? any StoredModel.Type
    let stored = model?._storedAttributes ?? []
    pairs += stored.map { ($0.key, $0.column) }
    codings = Dictionary(stored.compactMap { attribute in attribute.coding.map { (attribute.key, $0) } }) { $1 }
    pairs.removeAll { $0.0 == $0.1 }
    columns = Dictionary(pairs) { first, _ in first }
    attributes = Dictionary(pairs.map { ($0.1, $0.0) }) { first, _ in first }
  }

  func column(of attribute: String) -> String { columns[attribute] ?? attribute }

  /// Returns the form of an attribute that is a date with `@CodableBy`; `nil` for other attributes.
  func coding(of attribute: String) -> _StoredCoding? { codings.isEmpty ? nil : codings[attribute] }

  /// Returns `true` if the model has an attribute for the column, or if its attributes are not known.
  func mayRead(_ column: String) -> Bool { model?._storedAttributes.contains { $0.column == column } ?? true }

  /// Returns the default values of the model's columns that the database can have, by the name of the column. Leaves out a default that cannot
  /// be stored, such as NaN.
  func defaults(_ precision: StoredDate.Precision) -> [String: StoreValue] {
    var defaults: [String: StoreValue] = [:]
    for attribute in model?._storedAttributes ?? [] where attribute.hasConstantDefault {
      defaults[attribute.column] = (try? attribute.defaultValue(precision))?.value
    }
    return defaults
  }

  /// The value of an attribute in rows of a table that does not have a column for it.
  enum MissingValue {
    case null
    case value(StoredType, StoreValue)
  }

  /// Returns `nil` if it is not known that the model has the attribute.
  func missingValue(
    of attribute: String, _ precision: StoredDate.Precision, in columnType: StoredType? = nil
  ) -> MissingValue? {
    let all = model?._storedAttributes ?? []
    guard let stored = all.first(where: { $0.key == attribute }) ?? all.first(where: { $0.column == attribute }) else {
      return nil
    }
    guard let (type, value) = try? stored.defaultValue(precision, in: columnType) else { return .null }
    return .value(type, value)
  }
}

/// Stores a struct in a table with a column for each of its properties.
///
///     @JSONCodable @StoredModel
///     struct User {
///       @MatchKey var id: Int
///       @Column("full_name") var name: String
///       var stars: Int
///       var team: Team?             // a stored model, too: kept in its own table, and referred to
///     }
///     try await store.save(users)
///     let popular = try await store.fetch(User.self, where: \.stars > 100, orderedBy: [.descending(\.stars)])
///
/// The struct becomes a ``StoredModel``: `Codable`, `Sendable` and ``ManagedDecodable``. Its rows are read and written without `Codable`,
/// which is used only for payloads. Conditions and orders name columns by key paths: a misspelt name does not compile.
///
/// A column has the name of the property's coding key, unless ``Column(_:)`` gives it another one. It contains the value of the property
/// itself, regardless of the coding strategy that is used for payloads. Only dates, and values that are stored as JSON, have the form of
/// a strategy that the property itself names with `@CodableBy`; conditions and orders of dates use this form. Numbers, text, Booleans, dates, `Data`, `UUID`, `URL`, `Decimal`
/// and values with such raw values have column types. Models with match keys are references, and other values are JSON. NULL is read as
/// `nil`, or as the default value of the property.
/// A struct with one ``MatchKey()`` is a ``ReferencedModel``, too.
@attached(extension, conformances: StoredModel, ReferencedModel, _CompositeModel, names: named(init))
@attached(
  member,
  names: named(Columns), named(columns), named(_storedAttributes), named(_write), named(_read), named(init),
  named(_MatchKeyType))
public macro StoredModel() = #externalMacro(module: "AnvilMacros", type: "StoredModelMacro")

/// Marks a property that identifies the model's row. Several marked properties form the key, in the order of their
/// declaration.
///
/// In payloads, the property is a direct member of the model's object.
@attached(peer)
public macro MatchKey() = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// Sets the name of a property's column. The default is the coding key.
///
///     @Column("full_name") var name: String
@attached(peer)
public macro Column(_ name: StaticString) = #externalMacro(module: "AnvilMacros", type: "MarkerMacro")

/// Converts models to rows and rows to models: by columns if the model has them, otherwise with `Codable`.
final class RowCoder<Model: StorableModel> {
  /// The names of the attributes in the order of the model's columns; empty for models without columns.
  let attributes: [String]
  private let writeModel: (Model, RowEncoder) throws -> Void
  private let readCurrent: (borrowing StoreRow, StoredRow.Layout, (any ReferenceResolver)?) throws -> Model
  private let readStored: (StoredRow, (any ReferenceResolver)?) throws -> Model

  static func make() -> RowCoder {
    func open<Stored: StoredModel>(_ type: Stored.Type) -> AnyObject { RowCoder<Stored>(columnsOf: type) }
    let coder = (Model.self as? any StoredModel.Type).flatMap { open($0) as? RowCoder }
    return coder ?? RowCoder()
  }

  private init() {
    attributes = []
    writeModel = { model, encoder in try encoder.encode(model) }
    readCurrent = { row, layout, resolver in
      try StoredRow(layout: layout, values: row.values()).decode(as: Model.self, resolving: resolver)
    }
    readStored = { row, resolver in try row.decode(as: Model.self, resolving: resolver) }
  }

  private init(columnsOf type: Model.Type) where Model: StoredModel {
    let (attributes, columns) = (Model._storedAttributes.map(\.key), Model._storedAttributes.map(\.column))
    self.attributes = attributes
    writeModel = { model, encoder in try encoder.encode(columnsOf: model) }
    readCurrent = { row, layout, resolver in
      try Model._read(from: _StoredRowReader(.current(row.columns), layout, resolver))
    }
    readStored = { row, resolver in
      // Another model of the same entity may have read the row.
      let isOwn = row.layout.isRead(by: attributes, in: columns)
      let layout = isOwn ? row.layout : StoredRow.Layout(row.layout, attributes: attributes, columns: columns)
      return try Model._read(from: _StoredRowReader(.stored(row.values), layout, resolver))
    }
  }

  func write(_ model: Model, with encoder: RowEncoder) throws { try writeModel(model, encoder) }

  func read(
    _ row: borrowing StoreRow, _ layout: StoredRow.Layout, resolving resolver: (any ReferenceResolver)?
  ) throws -> Model {
    try readCurrent(row, layout, resolver)
  }

  func read(_ row: StoredRow, resolving resolver: (any ReferenceResolver)?) throws -> Model {
    try readStored(row, resolver)
  }
}

/// Receives the values of a ``StoredModel``. Columns are numbered in the order of the model's attributes.
///
/// The functions throw `EncodingError.invalidValue` for a value that cannot be stored, such as NaN, and
/// ``StoreError/Code/schemaMismatch`` for a value whose type differs from that of earlier values.
public struct _StoredRowWriter: ~Copyable {
  private let collector: AttributeCollector

  init(_ collector: AttributeCollector) { self.collector = collector }

  /// Sets the value of a column.
  @inlinable
  public func write<Value: StoredValue>(_ value: Value, _ column: Int) throws {
    try Value._write(value, to: self, at: column)
  }

  /// Sets the value of a column. `nil` is stored as NULL.
  @inlinable
  public func writeIfPresent<Value: StoredValue>(_ value: Value?, _ column: Int) throws {
    try Value._write(value, to: self, at: column)
  }

  /// Stores the value as the single value that it encodes, as JSON, or in a separate row if it is a model with match keys.
  public func write<Value: Encodable>(_ value: Value, _ column: Int) throws {
    try collector.addOther(value, at: column)
  }

  /// Stores the value as JSON, or in a separate row if it is a model with match keys. `nil` is stored as NULL.
  public func writeIfPresent<Value: Encodable>(_ value: Value?, _ column: Int) throws {
    if let value {
      try collector.addOther(value, at: column)
    } else {
      try collector.addNull(storedType(of: Value.self), at: column)
    }
  }

  /// Whether the column contains dates, although the property has `@CodableBy`.
  func hasDates(at column: Int) -> Bool { collector.attributes[column].type?.isDate == true }

  func unencodable(_ value: Any, _ failure: CodingStrategyError, at column: Int) -> EncodingError {
    .unencodable(
      value, at: [AttributeKey(collector.attributes[column].name)], failure.description, underlyingError: failure)
  }

  func set(date: Date?, at column: Int) throws {
    if let date { try collector.add(date, at: column) } else { try collector.addNull(Date.storedType, at: column) }
  }

  func set<Value: StoredScalar>(_ value: Value?, at column: Int) throws {
    if let value {
      try collector.add(value, at: column)
    } else {
      try collector.addNull(Value.storedType, at: column)
    }
  }
}

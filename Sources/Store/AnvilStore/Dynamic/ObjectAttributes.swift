internal import AnvilBase
package import AnvilJSON

/// The names of the members of objects, and the kinds of values that each member has.
struct ObjectAttributes {
  private(set) var names: [String] = []
  private(set) var kinds: [ObservedKinds] = []
  /// The indices of the names. Keys are folded names, which are equal if a database treats the names as equal.
  private var indices: [String: Int] = [:]
  /// For each name, the number of the last object that has the member.
  private var lastObjects: [Int] = []
  /// For each name, whether the last object that has the member spells it in the same way.
  private var areSpelledAlike: [Bool] = []
  private var objectCount = 0
  /// The keys of objects without repeated names, with the indices of the names. Most objects have the keys of an earlier one.
  private var forms: [(keys: JSON.KeyList, indices: [Int])] = []
  private static let mostForms = 8
  private let maximumNameLength: Int
  private let reservedNames: Set<String>

  /// Creates attributes for the existing columns. Names of members that are longer than the maximum are shortened.
  init(columns: [EntitySchema.Column], maximumNameLength: Int, reservedNames: Set<String>) {
    self.maximumNameLength = maximumNameLength
    self.reservedNames = reservedNames
    for column in columns { _ = add(column.name) }
  }

  /// Returns the attributes in a new order: first one attribute for each of `columns`, then the attributes without a column.
  func moved(after columns: [EntitySchema.Column]) throws -> ObjectAttributes {
    var moved = ObjectAttributes(
      columns: columns, maximumNameLength: maximumNameLength, reservedNames: reservedNames)
    for (name, kinds) in zip(names, kinds) {
      do throws(UnstorableObject.Reason) {
        moved.kinds[try moved.index(of: name)].formUnion(kinds)
      } catch {
        throw UnstorableObject(index: nil, error)
      }
    }
    return moved
  }

  /// Records an object's members.
  ///
  /// - Throws: The reason why a name cannot be the name of a column.
  mutating func note(_ object: JSON) throws(UnstorableObject.Reason) {
    if let form = form(of: object) {
      let indices = forms[form].indices
      _ = object.forEachMemberValue { number, value in
        kinds[indices[number]].formUnion(ObservedKinds(of: value))
        return true
      }
      return
    }
    try members(of: object) { (attributes, index, value) throws(UnstorableObject.Reason) in
      attributes.kinds[index].formUnion(ObservedKinds(of: value))
    }
  }

  /// Returns the number of the object's form; `nil` if it is not known.
  func form(of object: JSON) -> Int? { forms.firstIndex { object.hasKeys($0.keys) } }

  /// Returns the indices of the names in the objects of a form.
  func indices(ofForm form: Int) -> [Int] { forms[form].indices }

  /// Calls `body` with the index of each name and its value. Of members with the same name, only the first is used. A name that differs from
  /// a known one only in the case of ASCII letters is the same name, but not within one object.
  mutating func members(
    of object: JSON, _ body: (inout ObjectAttributes, Int, JSON) throws(UnstorableObject.Reason) -> Void
  ) throws(UnstorableObject.Reason) {
    objectCount &+= 1
    var next = 0
    var indices: [Int] = []
    var isDistinct = true
    for (member, value) in object.members {
      let name = member.shortened(to: maximumNameLength)
      // Most objects have the same members in the same order.
      let isExpected = next < names.count && names[next].hasSameBytes(as: name)
      let index = isExpected ? next : try index(of: name)
      next = index &+ 1
      let isSpelledAlike = isExpected || names[index].hasSameBytes(as: name)
      guard lastObjects[index] != objectCount else {
        guard isSpelledAlike, areSpelledAlike[index] else {
          throw UnstorableObject.Reason("a database does not distinguish \(object.spellings(of: name))")
        }
        isDistinct = false
        continue
      }
      lastObjects[index] = objectCount
      areSpelledAlike[index] = isSpelledAlike
      indices.append(index)
      try body(&self, index, value)
    }
    if isDistinct, forms.count < Self.mostForms, form(of: object) == nil {
      forms.append((JSON.KeyList(object), indices))
    }
  }

  /// Returns the name of the column for a member, which may have another spelling.
  func columnName(of member: String) -> String {
    let name = member.shortened(to: maximumNameLength)
    return indices[name.foldedName].map { names[$0] } ?? name
  }

  private mutating func index(of name: String) throws(UnstorableObject.Reason) -> Int {
    guard let index = indices[name.foldedName] else {
      guard !name.isEmpty, !name.utf8.contains(0) else {
        throw UnstorableObject.Reason(
          name.isEmpty ? "a member's name is empty" : "a member's name contains a NUL character")
      }
      guard name.foldedName != EntitySchema.orderColumn else {
        throw UnstorableObject.Reason("the member name \(name) is reserved by the store")
      }
      guard !reservedNames.contains(name) else {
        throw UnstorableObject.Reason("the member name \(name) is reserved by the database")
      }
      return add(name)
    }
    return index
  }

  private mutating func add(_ name: String) -> Int {
    indices[name.foldedName] = names.count
    names.append(name)
    kinds.append([])
    lastObjects.append(0)
    areSpelledAlike.append(true)
    return names.count &- 1
  }
}

extension JSON {
  /// Returns the value of the member that a column is for: the member with the column's name, otherwise the first one whose name differs only
  /// in the case of ASCII letters.
  func member(forColumn name: String) -> JSON? {
    if let value = self[name] { return value }
    guard kind == .object else { return nil }
    let folded = name.foldedName
    return members.first { $0.key.utf8.count == name.utf8.count && $0.key.foldedName == folded }?.value
  }

  /// Returns the two spellings of a name in this object: `the names name and Name`.
  fileprivate func spellings(of name: String) -> String {
    let folded = name.foldedName
    let other = members.first { $0.key.foldedName == folded }?.key ?? name
    return "the names \(other.shortName) and \(name.shortName)"
  }
}

extension String {
  /// Returns the name. If it is longer than `length` bytes, returns its beginning, followed by a hash of the whole name, so that names with a
  /// common beginning stay different. The result for a name is the same in all programs.
  func shortened(to length: Int) -> String {
    guard utf8.count > length else { return self }
    let end = "_" + FNV1a(utf8).value.text(digits: 16, radix: 16)
    var beginning = ""
    for scalar in unicodeScalars {
      guard beginning.utf8.count + String(scalar).utf8.count + end.utf8.count <= length else { break }
      beginning.unicodeScalars.append(scalar)
    }
    return beginning + end
  }
}

/// Converts objects to the values of rows.
struct ObjectRows {
  /// The values of the objects that were read since the last call of ``takeValues(_:)``, in the order of their ``writing``'s columns.
  private(set) var values: [StoreValue] = []
  /// The table, and the columns of the last object's members.
  var writing: RowWriting { shape.writing }
  /// The same columns as ``writing``, for a row that must not exist yet.
  var inserting: RowWriting { bindings.writing(shape.columns, of: schema, .isConflict) }

  private var attributes: ObjectAttributes
  private let schema: EntitySchema
  private let bindings: EntityBindings
  /// The columns in the order of the attributes; `nil` for attributes that were null in all objects.
  private let columns: [EntitySchema.Column?]
  /// The indices of those members of the last object that have a column.
  private var present: [Int]
  private var shape: Shape
  private var shapes: [[Int]: Shape] = [:]
  /// The known forms of objects, by their numbers; `nil` for objects whose members have to be read one by one.
  private var forms: [Form?] = []

  private final class Shape {
    let columns: [EntitySchema.Column]
    let writing: RowWriting
    let keyPositions: [Int]

    init(_ columns: [EntitySchema.Column], _ schema: EntitySchema, _ bindings: EntityBindings) {
      self.columns = columns
      writing = bindings.writing(columns, of: schema, .updated)
      keyPositions = schema.keyNames.compactMap { name in columns.firstIndex { $0.name == name } }
    }
  }

  private final class Form {
    /// The types of the members' columns; `nil` for members without a column.
    let types: [StoredType?]
    let present: [Int]
    let shape: Shape

    init(types: [StoredType?], present: [Int], shape: Shape) {
      (self.types, self.present, self.shape) = (types, present, shape)
    }
  }

  /// The maximum number of cached shapes. It limits the memory for objects with many different members.
  private static let mostShapes = 256

  /// - Parameter schema: A table with all columns that the attributes need, and with at least one column.
  init(_ attributes: ObjectAttributes, _ schema: EntitySchema, _ bindings: EntityBindings) {
    self.attributes = attributes
    self.schema = schema
    self.bindings = bindings
    columns = attributes.names.map(schema.column(named:))
    present = []
    shape = Shape(Array(schema.columns.prefix(1)), schema, bindings)
  }

  /// Converts an object. Sets ``writing``, and appends the row to ``values``.
  mutating func read(_ object: JSON) throws(UnstorableObject.Reason) {
    let start = values.count
    if let number = attributes.form(of: object), let form = form(number), append(object, form.types) {
      if shape !== form.shape { (present, shape) = (form.present, form.shape) }
      return
    }
    values.removeSubrange(start...)
    var values = self.values
    self.values = []
    var present = [Int]()
    present.reserveCapacity(self.present.count)
    let (columns, precision) = (columns, bindings.datePrecision)
    try attributes.members(of: object) { (_, index, json) throws(UnstorableObject.Reason) in
      guard let column = columns[index] else { return }
      values.append(try column.value(of: json, precision))
      present.append(index)
    }
    // A row with only nulls needs at least one column in the statement.
    if present.isEmpty { values.append(.null) }
    if present != self.present { use(present) }
    self.values = values
  }

  /// Returns `false` if a value cannot be stored. Some of the other values may have been appended.
  private mutating func append(_ object: JSON, _ types: [StoredType?]) -> Bool {
    let precision = bindings.datePrecision
    return object.forEachMemberValue { number, json in
      guard let type = types[number] else { return true }
      guard let value = type.value(of: json, precision) else { return false }
      values.append(value)
      return true
    }
  }

  /// Removes and returns the values of all rows except for the last `count` values.
  mutating func takeValues(exceptLast count: Int = 0) -> [StoreValue] {
    var taken = Array(values.suffix(count))
    taken.reserveCapacity(values.count)
    swap(&taken, &values)
    taken.removeLast(count)
    return taken
  }

  /// The key of the last object; `nil` if each object is a new row.
  var key: RowKey? {
    let start = values.count - shape.columns.count
    return shape.keyPositions.isEmpty ? nil : RowKey(shape.keyPositions.map { values[start + $0] })
  }

  private mutating func form(_ number: Int) -> Form? {
    while forms.count <= number {
      let indices = attributes.indices(ofForm: forms.count)
      let columns = indices.map { self.columns[$0] }
      let present = indices.filter { self.columns[$0] != nil }
      let isPlain = !present.isEmpty && columns.allSatisfy { $0?.reference == nil }
      forms.append(
        isPlain ? Form(types: columns.map { $0?.type }, present: present, shape: makeShape(present)) : nil)
    }
    return forms[number]
  }

  private mutating func use(_ present: [Int]) {
    if let known = shapes[present] {
      shape = known
    } else {
      shape = makeShape(present)
      if shapes.count >= Self.mostShapes { shapes.removeAll() }
      shapes[present] = shape
    }
    self.present = present
  }

  private func makeShape(_ present: [Int]) -> Shape {
    let written = present.compactMap { columns[$0] }
    return Shape(written.isEmpty ? Array(schema.columns.prefix(1)) : written, schema, bindings)
  }
}

/// The keys of objects, in the order of the objects.
struct ObjectKeys {
  private(set) var keys: [RowKey] = []
  /// True if each key is greater than the one before, as is common in payloads.
  private var isAscending = true
  private var isReadable = true
  /// The columns of the key, and the names of their members.
  private let columns: [(column: EntitySchema.Column, member: String)]
  private let precision: StoredDate.Precision

  /// - Parameter members: The members of the key. Without those of the table's key, no key is found.
  init(_ schema: EntitySchema, _ members: [String], _ connection: any StoreConnection) {
    let members = schema.keys(among: members, connection.maximumNameLength) ?? []
    columns = Array(zip(schema.keyColumns, members))
    precision = connection.datePrecision
  }

  /// True if no two objects have the same key, also by the database's comparison.
  var areDistinct: Bool {
    guard isReadable, columns.allSatisfy({ [.integer, .text, .url, .uuid].contains($0.column.type) }) else {
      return false
    }
    return columns.isEmpty || isAscending || Set(keys).count == keys.count
  }

  mutating func note(_ object: JSON) {
    guard !columns.isEmpty else { return }
    guard let key = key(of: object) else {
      isReadable = false
      return
    }
    if isAscending, let last = keys.last { isAscending = key.isGreater(than: last) }
    keys.append(key)
  }

  func key(of object: JSON) -> RowKey? {
    if columns.count == 1 { return value(of: columns[0], in: object).map(RowKey.one) }
    let values = columns.compactMap { value(of: $0, in: object) }
    return !values.isEmpty && values.count == columns.count ? .several(values) : nil
  }

  private func value(of key: (column: EntitySchema.Column, member: String), in object: JSON) -> StoreValue? {
    object.member(forColumn: key.member).flatMap { key.column.keyValue(of: $0, precision) }
  }
}

extension EntitySchema.Column {
  /// Returns the value for a column of the key; `nil` if `json` cannot be part of a key.
  func keyValue(of json: JSON, _ precision: StoredDate.Precision) -> StoreValue? {
    json.isNull || reference != nil ? nil : type.value(of: json, precision)
  }

  fileprivate func value(
    of json: JSON, _ precision: StoredDate.Precision
  ) throws(UnstorableObject.Reason) -> StoreValue {
    if json.isNull { return .null }
    if let reference {
      throw UnstorableObject.Reason(
        "the column \(name.shortName) refers to rows of \(reference.entity) and cannot be set from JSON")
    }
    if let value = type.value(of: json, precision) { return value }
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

/// Storing JSON without models.
extension Store {
  /// Stores an object, or an array of objects, as rows of an entity, in one transaction.
  ///
  /// Columns are created for the types of the members: integers, reals, Booleans and text, and JSON for objects and arrays. Null does not
  /// determine a type. A column that cannot store a value is converted to a type that can store all its values unchanged. Integers become
  /// reals if all of them are exact as reals, and otherwise text. Booleans become text. Every type becomes JSON if an object or an array
  /// has to be stored. Columns that models have created with types that JSON lacks, such as dates, keep their type and accept the values
  /// that fit.
  ///
  /// Members that are absent from an object keep their stored values; null clears them. A row that is equal to its object is not written.
  /// Of objects with the same key, later ones update the result of earlier ones.
  ///
  /// - Parameters:
  ///   - entity: The name of the table.
  ///   - keys: The members whose values identify a row; empty if each object is a new row.
  /// - Returns: The changes to the rows and the table.
  /// - Throws: ``UnstorableObject`` for a value that is not an object, lacks a key or does not fit; ``StoreError``;
  ///   `CancellationError`. Nothing is stored in these cases.
  package func store(_ json: JSON, as entity: String, keys: [String]) async throws -> StoredObjects {
    try await perform { transaction in
      var storing = ObjectStoring(of: entity, keys: keys, in: transaction)
      return try storing.store(json)
    }
  }
}

package struct UnstorableObject: Error, Hashable {
  /// The index in the list, counted from 0; `nil` for a single object.
  package let index: Int?
  /// The reason, which contains names but no values: `no key id; keys here: a, b`.
  package let reason: String

  /// The reason, without the index of the object.
  struct Reason: Error {
    let text: String

    init(_ text: String) {
      self.text = text
    }
  }

  init(index: Int?, _ reason: Reason) {
    self.index = index
    self.reason = reason.text
  }
}

extension String {
  /// The name, ``printable`` and cut off to a length that is suitable for messages.
  var shortName: String { printable(limit: 40) }
}

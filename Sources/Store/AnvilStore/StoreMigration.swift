internal import AnvilBase

/// A change to the tables of a store that a new version of a program needs.
///
///     let store = try await Store(
///       .sqlite(path: "members.db"),
///       migrations: [
///         .rename("login", to: "name", in: "Member"), .drop("age", in: "Member"), .add("priority", default: 3, in: "Issue"),
///         .unique("name", in: "Member"), .sql("DELETE FROM Guest", in: "Guest"),
///       ])
///
/// Add migrations at the end of the list, and never remove or change one. The names are those of columns, which are the
/// properties' names by default. A migration has no effect on a table or a column that does not exist, except ``sql(_:in:)``; an index is then
/// created together with the column.
///
/// Adding or removing a property needs no migration. A new column has the default value of its property in all rows.
public struct StoreMigration: Sendable {
  enum Step: Sendable {
    case rename(String, to: String)
    case drop(String)
    case retype(String, ColumnConversion)
    case add(String, StoredType, StoreValue)
    case index(Index)
    case sql(String)
  }

  struct Index: Hashable, Sendable {
    var columns: [String]
    let isUnique: Bool

    var name: String { "\(columns.joined(separator: ",")).\(isUnique ? "unique" : "index")" }

    func renaming(_ column: String, to newName: String) -> Index {
      Index(columns: columns.map { $0 == column ? newName : $0 }, isUnique: isUnique)
    }
  }

  let step: Step
  /// The name of the entity; `nil` for SQL without a table.
  let entity: String?

  /// Renames a column. Its values, its indices, and the references to it stay.
  public static func rename(_ column: String, to newName: String, in entity: String) -> StoreMigration {
    StoreMigration(step: .rename(column, to: newName), entity: entity)
  }

  /// Removes a column and its values. The column must not be part of a match key.
  public static func drop(_ column: String, in entity: String) -> StoreMigration {
    StoreMigration(step: .drop(column), entity: entity)
  }

  /// Changes the type of a column, and converts each value to the equal value of the new type. For example, it converts the text `12` to
  /// the number 12, numbers and Booleans to text, and whole numbers to `Double` or `Decimal`.
  ///
  /// If a value has no equal, the store is not opened, and the error names the row by its key. NULL stays NULL.
  public static func retype<Value: StoredValue>(
    _ column: String, as type: Value.Type, in entity: String
  ) -> StoreMigration {
    StoreMigration(step: .retype(column, ColumnConversion(to: type)), entity: entity)
  }

  /// Changes the type of a column, and replaces each value with the result of `convert`.
  ///
  /// If `convert` throws, the store is not opened, and the error names the row by its key. NULL stays NULL.
  public static func retype<Old: StoredValue, New: StoredValue>(
    _ column: String, in entity: String, _ convert: @escaping @Sendable (Old) throws -> New
  ) -> StoreMigration {
    StoreMigration(step: .retype(column, ColumnConversion(convert)), entity: entity)
  }

  /// Adds a column with a default value, which all rows have afterwards. Use this for a property without a default in the model.
  ///
  /// Has no effect if the column exists. The value of a date or a UUID may be another one each time the program starts, such as `Date()`;
  /// other values must not be changed.
  public static func add<Value: StoredValue>(
    _ column: String, default value: Value, in entity: String
  ) -> StoreMigration {
    let (type, stored) = ColumnConversion.stored(value)
    return StoreMigration(step: .add(column, type, stored), entity: entity)
  }

  /// Creates an index on one or more columns, which makes conditions and orders on them faster.
  public static func index(_ columns: String..., in entity: String) -> StoreMigration {
    StoreMigration(step: .index(Index(columns: columns, isUnique: false)), entity: entity)
  }

  /// Creates an index on one or more columns that allows each combination of values only once. Null is different from null.
  ///
  /// If rows have equal values, the store is not opened, and the error is ``StoreError/Code/constraint(_:)``. Later it is the error of a
  /// transaction that stores equal values.
  public static func unique(_ columns: String..., in entity: String) -> StoreMigration {
    StoreMigration(step: .index(Index(columns: columns, isUnique: true)), entity: entity)
  }

  /// Runs one SQL statement, in the dialect of the database.
  ///
  ///     .sql(#"DELETE FROM "Guest" WHERE "age" < 18"#, in: "Guest")
  ///
  /// Has no effect if the table of `entity` does not exist. Without an entity, the statement also runs in a new database, whose models have no
  /// tables yet.
  ///
  /// Use it for values, indices and tables that the store does not manage. Use the other migrations to change columns of models, because the
  /// store records their types.
  public static func sql(_ statement: String, in entity: String? = nil) -> StoreMigration {
    StoreMigration(step: .sql(statement), entity: entity)
  }
}

extension StoreMigration: CustomStringConvertible {
  /// The text that is recorded in the database for the migration.
  public var description: String {
    let place = entity.map { " in \($0)" } ?? ""
    return switch step {
    case .rename(let column, let newName): "rename \(column) to \(newName)" + place
    case .drop(let column): "drop \(column)" + place
    case .retype(let column, let conversion): "retype \(column)" + place + " \(conversion.description)"
    case .add(let column, let type, let value):
      "add \(column) as \(type.rawValue) with default \(value.description(as: type))" + place
    case .index(let index):
      "\(index.isUnique ? "unique" : "index") \(index.columns.joined(separator: ", "))" + place
    case .sql(let statement): statement
    }
  }

  /// The names of the columns that the migration changes, and of those that it needs.
  var columns: [String] {
    switch step {
    case .rename(let column, let newName): [column, newName]
    case .drop(let column), .retype(let column, _), .add(let column, _, _): [column]
    case .index(let index): index.columns
    case .sql: []
    }
  }

  /// Returns whether `text` is the text that this version, or an earlier one, has recorded for the migration.
  func isRecorded(as text: String) -> Bool {
    if text == description { return true }
    guard case .add(let column, let type, _) = step else { return false }
    let (addition, place) = ("add \(column) as \(type.rawValue)", entity.map { " in \($0)" } ?? "")
    // Earlier versions have recorded no default value.
    if text == addition + place { return true }
    // The value of `Date()` or `UUID()` is another one each time the program starts.
    return (type == .timestamp || type == .uuid) && text.hasPrefix(addition + " with default “")
      && text.hasSuffix("”" + place)
  }

  /// The column that the migration removes or renames.
  var removedColumn: String? {
    switch step {
    case .rename(let column, to: _), .drop(let column): column
    case .retype, .add, .index, .sql: nil
    }
  }
}

extension StoreValue {
  /// The value in the text of a migration. A default value of the wrong type has another text, such as `1.0` in place of `1`.
  fileprivate func description(as type: StoredType) -> String {
    switch self {
    case .null: "null"
    case .integer(let integer): type == .boolean ? "\(integer != 0)" : "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): "“\(text)”"
    case .blob(let data): data.base64EncodedString()
    }
  }
}

extension [StoreMigration] {
  /// Returns the indices that the table of an entity has after all migrations.
  func indices(of entity: String) -> [StoreMigration.Index] {
    var indices: [StoreMigration.Index] = []
    for migration in self where migration.entity == entity {
      switch migration.step {
      case .index(let index): indices.append(index)
      case .rename(let column, let newName):
        var renamed: [StoreMigration.Index] = []
        for index in indices.map({ $0.renaming(column, to: newName) }) where !renamed.contains(index) {
          renamed.append(index)
        }
        indices = renamed
      case .drop(let column): indices.removeAll { $0.columns.contains(column) }
      case .retype, .add, .sql: break
      }
    }
    return indices
  }
}

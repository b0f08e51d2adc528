#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A change to the tables of a store that a new version of a program needs.
///
///     let store = try await Store(
///       .sqlite(path: "members.db"),
///       migrations: [.rename("login", to: "name", in: "Member"), .drop("age", in: "Member"), .sql("DELETE FROM Guest")])
///
/// Add migrations at the end of the list, and never remove or change one. The names are those of columns, which are the
/// properties' names by default. A migration has no effect on a table or a column that does not exist.
///
/// Adding or removing a property needs no migration.
public struct StoreMigration: Sendable {
  enum Step: Sendable {
    case rename(String, to: String)
    case drop(String)
    case retype(String, ColumnConversion)
    case sql(String)
  }

  let step: Step
  /// The name of the entity; `nil` for SQL.
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

  /// Runs one SQL statement, in the dialect of the database.
  ///
  /// Use it for values, indices and tables that the store does not manage. Use the other migrations to change columns
  /// of models, because the store records their types.
  public static func sql(_ statement: String) -> StoreMigration {
    StoreMigration(step: .sql(statement), entity: nil)
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
    case .sql(let statement): statement
    }
  }

  /// The column that the migration removes or renames.
  var removedColumn: String? {
    switch step {
    case .rename(let column, to: _), .drop(let column): column
    case .retype, .sql: nil
    }
  }
}

/// An SQL statement with its values. Each interpolated value becomes a placeholder, and is never part of the SQL.
///
///     let name = "Robert'); DROP TABLE User;--"
///     try transaction.execute("UPDATE User SET login = \(name) WHERE age > \(18)")
///
/// A statement is passed to the database without changes. Its syntax depends on the database.
public struct StoreStatement: ExpressibleByStringInterpolation, Sendable {
  fileprivate enum Part: Sendable {
    case sql(String)
    case identifier(String)
    case value((any StoredValue & Sendable)?)
  }

  fileprivate var parts: [Part]

  /// Creates a statement without values.
  public init(stringLiteral sql: String) {
    parts = [.sql(sql)]
  }

  /// Creates a statement from an interpolated literal.
  public init(stringInterpolation: Interpolation) {
    parts = stringInterpolation.parts
  }

  /// The parts of an interpolated literal.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    /// Creates an interpolation without parts.
    public init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(interpolationCount * 2 + 1)
    }

    /// Appends SQL.
    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.sql(literal)) }
    }

    /// Appends a placeholder for the value. It is stored in the same form as a property of this type. `nil` is NULL.
    public mutating func appendInterpolation<Value: StoredValue & Sendable>(_ value: Value?) {
      parts.append(.value(value))
    }

    /// Appends the name of a table or a column, in quotation marks.
    public mutating func appendInterpolation(identifier: String) {
      parts.append(.identifier(identifier))
    }

    /// Appends a part of a statement together with its values.
    public mutating func appendInterpolation(_ statement: StoreStatement) {
      parts += statement.parts
    }
  }

  /// Returns the statement with the connection's placeholders, and their values in order.
  ///
  /// - Throws: ``StoreError/Code/invalidValue`` for a value that columns do not store directly; ``StoreError/Code/invalidStatement`` for an
  ///   invalid identifier.
  func written(for connection: any StoreConnection) throws(StoreError) -> (sql: String, values: [StoreValue]) {
    var sql = ""
    var values: [StoreValue] = []
    for part in parts {
      switch part {
      case .sql(let text): sql += text
      case .identifier(let name): sql += try connection.quoted(name)
      case .value(let value):
        values.append(try Self.stored(value))
        sql += connection.placeholder(values.count)
      }
    }
    return (sql, values)
  }

  private static func stored(_ value: (any StoredValue & Sendable)?) throws(StoreError) -> StoreValue {
    guard let value else { return .null }
    guard let scalar = comparedValue(value) as? any StoredScalar else {
      throw StoreError(
        code: .invalidValue, reason: "a value of type \(type(of: value)) cannot be bound to a placeholder")
    }
    do throws(UnstorableValue) {
      return try scalar.stored
    } catch {
      throw StoreError(code: .invalidValue, reason: error.reason)
    }
  }
}

/// A failure of a store or its database, with a code for programmatic handling.
///
///     switch error.code {
///     case .constraint(.unique): …
///     case .busy, .conflict: …                 // run the transaction again
///     default: print(error)
///     }
///
/// It never contains values that were bound to a statement.
public struct StoreError: Error {
  private let details: Details

  /// The kind of failure.
  public var code: Code { details.code }
  /// The statement with its placeholders; `nil` if no statement was run.
  public var sql: String? { details.sql }
  /// The database's message.
  public var backendMessage: String? { details.backendMessage }
  /// The database's own code: SQLite's extended result code, such as `2067`, or PostgreSQL's `SQLSTATE`, such as
  /// `23505`.
  public var backendCode: String? { details.backendCode }
  /// An additional explanation. It contains no values of rows, except for the key of a row that a migration cannot
  /// convert.
  public var reason: String? { details.reason }

  /// Creates an error with this code.
  package init(
    code: Code, sql: String? = nil, backendMessage: String? = nil, backendCode: String? = nil, reason: String? = nil
  ) {
    details = Details(
      code: code, sql: sql, backendMessage: backendMessage, backendCode: backendCode, reason: reason)
  }

  /// Returns the error with the statement in which it happened. An error that already has a statement is returned unchanged.
  package func inStatement(_ sql: String) -> StoreError {
    guard details.sql == nil else { return self }
    return StoreError(
      code: code, sql: sql, backendMessage: backendMessage, backendCode: backendCode, reason: reason)
  }

  /// The contents of an error. They are stored in a class to keep the error one word in size, because every call that may throw it reserves
  /// space for it.
  private final class Details: Sendable {
    let code: Code
    let sql: String?
    let backendMessage: String?
    let backendCode: String?
    let reason: String?

    init(code: Code, sql: String?, backendMessage: String?, backendCode: String?, reason: String?) {
      self.code = code
      self.sql = sql
      self.backendMessage = backendMessage
      self.backendCode = backendCode
      self.reason = reason
    }
  }
}

extension StoreError: Equatable {
  /// Returns `true` if both errors have the same code and the same statement. The messages are not compared.
  public static func == (lhs: StoreError, rhs: StoreError) -> Bool {
    lhs.code == rhs.code && lhs.sql == rhs.sql
  }
}

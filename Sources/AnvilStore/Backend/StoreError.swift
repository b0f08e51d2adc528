/// What went wrong between a store and its database, sorted so that code can react to it.
///
///     switch error.code {
///     case .constraint(.unique): …
///     case .busy, .conflict: …                 // run the transaction anew
///     default: print(error)
///     }
///
/// It never holds values that were bound to a statement.
public struct StoreError: Error {
  private let details: Details

  /// The kind of failure.
  public var code: Code { details.code }
  /// The statement with its placeholders; `nil` where none was run.
  public var sql: String? { details.sql }
  /// What the database says about it.
  public var backendMessage: String? { details.backendMessage }
  /// The database's own code: SQLite's extended result code, such as `2067`, or PostgreSQL's `SQLSTATE`, such as `23505`.
  public var backendCode: String? { details.backendCode }
  /// One more sentence about this failure, safe to log.
  public var reason: String? { details.reason }

  /// An error of kind `code`.
  public init(
    code: Code, sql: String? = nil, backendMessage: String? = nil, backendCode: String? = nil, reason: String? = nil
  ) {
    details = Details(
      code: code, sql: sql, backendMessage: backendMessage, backendCode: backendCode, reason: reason)
  }

  /// The same error with the statement that it happened in, unless it has one.
  package func inStatement(_ sql: String) -> StoreError {
    guard details.sql == nil else { return self }
    return StoreError(
      code: code, sql: sql, backendMessage: backendMessage, backendCode: backendCode, reason: reason)
  }

  /// Keeps the error one word wide, which is what each call that may throw it has to have room for.
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
  /// Whether both are of the same kind in the same statement; what the database says about it does not count.
  public static func == (lhs: StoreError, rhs: StoreError) -> Bool {
    lhs.code == rhs.code && lhs.sql == rhs.sql
  }
}

internal import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension StoreError: CustomStringConvertible {
  /// What went wrong in one line, safe to log: `unique constraint failed: UNIQUE constraint failed: users.id (2067) in: INSERT …`.
  ///
  /// Of a long statement it shows the first 500 characters.
  public var description: String {
    var text = "\(code)"
    if let reason { text += ": \(reason)" }
    if let backendMessage { text += ": \(backendMessage.singleLine(limit: 200))" }
    if let backendCode { text += " (\(backendCode))" }
    if let sql { text += " in: \(sql.singleLine(limit: 500))" }
    return text
  }
}

extension StoreError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension String {
  /// The text in one printable line of at most `limit` scalars, with each run of white space as one space: names in a schema are
  /// as foreign as the database.
  fileprivate func singleLine(limit: Int) -> String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ").printable(limit: limit)
  }
}

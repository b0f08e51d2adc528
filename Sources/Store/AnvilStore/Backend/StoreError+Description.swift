internal import AnvilBase
internal import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension StoreError: CustomStringConvertible {
  /// The error in one line, such as `unique constraint failed: UNIQUE constraint failed: users.id (2067) in: INSERT …`. It contains values
  /// of rows only if ``reason`` does.
  ///
  /// Long statements are cut off after 500 characters.
  public var description: String {
    var text = "\(code)"
    // Names in a schema are untrusted input, like the database itself.
    if let reason { text += ": \(reason.singleLine(limit: 1000))" }
    if let backendMessage { text += ": \(backendMessage.singleLine(limit: 200))" }
    if let backendCode { text += " (\(backendCode))" }
    if let sql { text += " in: \(sql.singleLine(limit: 500))" }
    return text
  }
}

extension StoreError: LocalizedError {
  /// The same text as `description`.
  public var errorDescription: String? { description }
}

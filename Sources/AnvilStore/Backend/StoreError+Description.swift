internal import AnvilJSON
internal import AnvilText

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
    if let reason { text += ": \(reason)" }
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

extension String {
  /// Returns the text as one printable line of at most `limit` scalars, with each run of white space as one space. Names in a schema are
  /// untrusted input, like the database itself.
  fileprivate func singleLine(limit: Int) -> String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ").printable(limit: limit)
  }
}

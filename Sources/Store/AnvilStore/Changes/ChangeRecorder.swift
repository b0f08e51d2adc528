/// A backend's way to record changes to rows, by triggers that fill a table.
///
/// All functions run in an open transaction.
package protocol ChangeRecorder {
  /// Creates the tables ``ChangeLog/table`` and ``ChangeLog/feeds`` with the indices and functions that they need.
  func createTables() throws(StoreError)

  /// Creates the triggers that record the changes to a table.
  ///
  /// - Parameter columns: The columns to record.
  func createTriggers(onTable name: String, columns: [String]) throws(StoreError)

  func dropTriggers(onTable name: String) throws(StoreError)

  /// A Boolean value that indicates whether triggers record only the columns that the table had when they were created.
  var recordsKnownColumns: Bool { get }

  /// The format in which triggers record a row.
  var rowFormat: RecordedRowFormat { get }

  /// Returns the position after all changes that are visible to this transaction.
  func presentPosition() throws(StoreError) -> String

  /// Returns at most `limit` changes to a table after the position. Changes to the same row are in the order in which they were made.
  ///
  /// - Throws: ``StoreError/Code/changesExpired`` when changes after the position may have been removed.
  func changes(ofTable name: String, after position: String, limit: Int) throws -> RecordedChanges
}

/// The form in which triggers record rows.
package enum RecordedRowFormat: Sendable {
  /// A JSON object with a member for each column. Bytes are hexadecimal digits after `\x`.
  case json
  /// Alternating names and values, each on one line. A value is a letter for its kind, followed by its text: `n`, `i12`, `r0.5`, `t` with
  /// text, `b` with hexadecimal digits. In names and texts, a line feed is `\n` and a backslash is `\\`.
  case lines
}

/// A page of the changes to a table.
package struct RecordedChanges {
  /// A change. Rows are text in the recorder's format.
  package struct Change {
    package var position: String
    package var old: String?
    package var new: String?

    package init(position: String, old: String?, new: String?) {
      (self.position, self.old, self.new) = (position, old, new)
    }
  }

  package var changes: [Change]
  /// The position after all of the changes.
  package var end: String
  /// True if no later changes existed when these were read.
  package var isAtEnd: Bool

  package init(changes: [Change], end: String, isAtEnd: Bool) {
    (self.changes, self.end, self.isAtEnd) = (changes, end, isAtEnd)
  }
}

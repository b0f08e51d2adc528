/// A backend's way to record changes to rows, by triggers that fill a table.
///
/// All functions run in an open transaction.
package protocol ChangeRecorder {
  /// Creates the tables ``ChangeLog/table`` and ``ChangeLog/feeds`` with the indices and functions that they need.
  func createTables() throws(StoreError)

  /// Records the changes to a table from now on.
  ///
  /// - Parameter columns: The columns to record.
  func createTriggers(onTable name: String, columns: [String]) throws(StoreError)

  func dropTriggers(onTable name: String) throws(StoreError)

  /// A Boolean value that indicates whether triggers record only the columns that the table had when they were created.
  var recordsKnownColumns: Bool { get }

  /// The format in which triggers record a row.
  var rowFormat: RecordedRowFormat { get }

  /// Returns the position after all changes that this transaction sees.
  func presentPosition() throws(StoreError) -> String

  /// Returns changes to a table, in an order in which later changes to a row come after earlier ones.
  ///
  /// - Throws: ``StoreError/Code/changesExpired`` when changes after the position may have been removed.
  func changes(ofTable name: String, after position: String, limit: Int) throws -> RecordedChanges
}

/// The form in which triggers record rows.
package enum RecordedRowFormat: Sendable {
  /// A JSON object with a member for each column. Bytes are hexadecimal digits after `\x`.
  case json
  /// Names and values in turn, each on a line. A value is a letter for its kind, and its text: `n`, `i12`, `r0.5`, `t` with text, `b` with
  /// hexadecimal digits. In names and texts, a line feed is `\n` and a backslash is `\\`.
  case lines
}

/// A part of the changes to a table.
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
  /// True if there were no other changes when these were read.
  package var isAtEnd: Bool

  package init(changes: [Change], end: String, isAtEnd: Bool) {
    (self.changes, self.end, self.isAtEnd) = (changes, end, isAtEnd)
  }
}

internal import AnvilStore

extension StoreError.Code {
  /// Creates the error code for a SQLSTATE. Source: PostgreSQL's manual, appendix A.
  init(sqlState state: String) {
    self =
      switch state {
      case "22001": .tooLarge
      case "25006": .readOnly
      case "25P03", "25P04": .connectionLost
      case "42501": .notPermitted
      case "40001", "40P01": .conflict
      case "40002": .constraint(.other)
      case "44000": .constraint(.check)
      case "53100": .full
      case "53200": .outOfMemory
      case "53300", "57P03": .cannotOpen
      // Another session has locked the row or the table, or uses the object.
      case "55P03", "55006": .busy
      case "57014": .interrupted
      case "57P01", "57P02", "57P04", "57P05": .connectionLost
      // A trigger or a function has raised an error.
      case "27000", "P0001": .constraint(.other)
      case "XX001", "XX002": .corrupt
      default: Self(sqlStateClass: String(state.prefix(2)), state: state)
      }
  }

  private init(sqlStateClass: String, state: String) {
    self =
      switch sqlStateClass {
      case "08": .connectionLost
      case "22": .invalidValue
      case "23": .constraint(StoreError.Constraint(sqlState: state))
      case "28", "3D": .cannotOpen
      case "54": .tooLarge
      case "58": .inputOutput
      case "03", "0A", "0B", "0L", "0P", "20", "21", "25", "26", "2B", "2D", "34", "3B", "3F", "42", "55":
        .invalidStatement
      default: .other
      }
  }
}

extension StoreError.Constraint {
  fileprivate init(sqlState: String) {
    self =
      switch sqlState {
      case "23502": .notNull
      case "23001", "23503": .foreignKey
      case "23505": .unique
      case "23514": .check
      default: .other
      }
  }
}

/// The rules for including server messages in errors. Details, hints and contexts are never included.
///
/// The rules depend on the SQLSTATE, because the text is in the server's language.
enum PostgresMessage {
  /// Messages of these classes name tables, columns or words of the statement, but contain no values.
  private static let shownClasses: Set<Substring> = [
    "03", "08", "0A", "0B", "0L", "0P", "21", "23", "25", "26", "28", "2B", "2D", "34", "3B", "3D", "3F", "40", "42",
    "53",
    "54", "55", "57", "58",
  ]

  static func isShown(_ state: String) -> Bool {
    shownClasses.contains(state.prefix(2)) || state == "XX001" || state == "XX002" || state == "22001"
      || state == "22012"
  }

  /// Returns the text that replaces a server message that may contain values.
  static func reason(_ state: String) -> String {
    switch state {
    case "22P02": "a value does not have the syntax of its type"
    case "22003": "a number is out of the range of its type"
    case "22007", "22008": "a value is not a valid date or time"
    case "22021", "22P05": "text contains a character that the encoding of the database does not support"
    case "22P03": "a value does not have the binary format of its type"
    case "P0001": "raised by a function or trigger"
    default: "the message of the server is not shown, because it may contain values"
    }
  }
}

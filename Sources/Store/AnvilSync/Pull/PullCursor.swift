public import AnvilJSON

/// A rule by which later runs of a ``Pull`` request only changed rows.
public struct PullCursor: Sendable {
  enum Rule: Sendable {
    case none
    case field(any PullPath, parameter: String, overlap: Int)
    case entityTag
  }

  let rule: Rule

  /// Every run requests the complete listing.
  public static var none: PullCursor { PullCursor(rule: .none) }

  /// Sends the highest value of a field that was received so far as a query item. The first run requests the complete listing.
  ///
  ///     cursor: .field("updated_at", parameter: "since")
  ///
  /// The values are numbers or text. Dates in ISO 8601 are compared by time, whole numbers by value, and all other text by its bytes. The
  /// value is sent as the server wrote it, after the listing that contained it is complete. A row in which the field is missing, null or empty
  /// is stored and counted in the report. It is an error if all rows of the first page lack the field and no value was received before. Later changes with the same value as the highest one are received only if the server
  /// includes equal values.
  ///
  /// A listing that is not sorted by the field needs an overlap. While it is read, a row on an earlier page may change and receive a value
  /// below the highest one. The overlap has to be at least as long as the listing takes, including interruptions.
  ///
  /// - Parameters:
  ///   - path: The path of the field in a row.
  ///   - parameter: The name of the query item.
  ///   - overlap: The amount that is subtracted from the highest value before it is sent. For dates it is in seconds.
  public static func field(_ path: JSON.Path, parameter: String, overlap: Int = 0) -> PullCursor {
    field(at: path, parameter: parameter, overlap: overlap)
  }

  package static func field(at path: any PullPath, parameter: String, overlap: Int) -> PullCursor {
    PullCursor(rule: .field(path, parameter: parameter, overlap: overlap))
  }

  /// Sends the entity tag of the first page in `If-None-Match`. If the server answers 304, the listing is unchanged,
  /// and no other page is requested.
  ///
  /// Use this for listings of one page, and for listings whose first page changes whenever a row changes, such as those that begin with the
  /// latest change.
  public static var entityTag: PullCursor { PullCursor(rule: .entityTag) }
}

/// A rule that recognizes rows of a listing that were deleted.
///
/// The row with the payload's match keys is removed from the store. The payload needs no other members.
public struct PullTombstone: Sendable {
  let path: any PullPath
  private let isMark: @Sendable (JSON?) -> Bool

  /// Recognizes rows in which the value at `path`, such as `deleted_at` or `is_deleted`, is present and neither null nor `false`.
  public static func field(_ path: JSON.Path) -> PullTombstone { field(at: path) }

  /// Recognizes rows in which the value at `path` equals `value`, for example the status `"deleted"`.
  public static func field(_ path: JSON.Path, equals value: JSON) -> PullTombstone { field(at: path, equals: value) }

  package static func field(at path: any PullPath) -> PullTombstone {
    PullTombstone(path: path) { $0.map { !$0.isNull && $0.bool != false } ?? false }
  }

  package static func field(at path: any PullPath, equals value: JSON) -> PullTombstone {
    PullTombstone(path: path) { $0 == value }
  }

  /// Returns whether the row is marked as deleted, and whether it has the field.
  func state(of row: JSON) throws(MisleadingPath) -> (isDeleted: Bool, hasField: Bool) {
    let value = try path.value(in: row)
    return (isMark(value), value != nil)
  }
}

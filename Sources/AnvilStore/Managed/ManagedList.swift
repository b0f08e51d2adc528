/// The result of storing a list: the models, and the changes to their rows.
public struct ManagedList<Model: ManagedDecodable> {
  /// The models, one for each element of the list, in the same order. Elements with the same match keys update the same row one after the
  /// other. The final model is returned for each of them.
  public let models: [Model]
  /// The changes to the rows of the model's entity. Each row is counted once.
  public let changes: StoreChanges.Counts
}

extension ManagedList: Sendable where Model: Sendable {}

/// The treatment of rows that are not in a list of payloads.
public struct MissingRows: Sendable {
  enum Treatment: Sendable {
    case kept
    case deleted(StorePredicate?)
  }

  let treatment: Treatment

  /// True if any rows are deleted.
  package var deletesRows: Bool {
    if case .deleted = treatment { true } else { false }
  }

  /// Keeps the rows.
  public static var kept: MissingRows { MissingRows(treatment: .kept) }

  /// Deletes all rows of the entity that are not in the list. Use this when the list is complete.
  public static var deleted: MissingRows { MissingRows(treatment: .deleted(nil)) }

  /// Deletes the rows that match `scope` and are not in the list. Use this when the list contains all rows that match.
  ///
  ///     missing: .deleted(where: StoreAttribute("team") == "red")
  public static func deleted(where scope: StorePredicate) -> MissingRows {
    MissingRows(treatment: .deleted(scope))
  }
}

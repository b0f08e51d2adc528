/// What became of a list of inputs: the models, and what happened to the rows.
public struct ManagedList<Model: ManagedDecodable> {
  /// A model for each input, in their order. Inputs with the same match keys speak of one row, one after the other: all of them
  /// have the model as the last one left it.
  public let models: [Model]
  /// What happened to the rows of the model's entity, each counted once.
  public let changes: StoreChanges.Counts
}

extension ManagedList: Sendable where Model: Sendable {}

/// What becomes of rows that a list of inputs does not speak of.
public struct MissingRows: Sendable {
  enum Treatment: Sendable {
    case kept
    case deleted(StorePredicate?)
  }

  let treatment: Treatment

  /// They stay.
  public static var kept: MissingRows { MissingRows(treatment: .kept) }

  /// All others of the entity are deleted: the list is all there is.
  public static var deleted: MissingRows { MissingRows(treatment: .deleted(nil)) }

  /// Those that the condition is true for are deleted: the list is all there is of them.
  ///
  ///     missing: .deleted(where: StoreAttribute("team") == "red")
  public static func deleted(where scope: StorePredicate) -> MissingRows {
    MissingRows(treatment: .deleted(scope))
  }
}

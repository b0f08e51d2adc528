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
    case deleted(ConditionNode, of: String?)
  }

  let treatment: Treatment

  /// True if any rows are deleted.
  package var deletesRows: Bool {
    if case .deleted = treatment { true } else { false }
  }

  /// Keeps the rows.
  public static var kept: MissingRows { MissingRows(treatment: .kept) }

  /// Deletes all rows of the entity that are not in the list. Use this when the list is complete.
  public static var deleted: MissingRows { MissingRows(treatment: .deleted(.all, of: nil)) }

  /// Deletes the rows that match `scope` and are not in the list. Use this when the list contains all rows that match.
  ///
  ///     missing: .deleted(Member.self, where: \.team == "red")
  public static func deleted<Model: ManagedDecodable>(
    _ type: Model.Type, where scope: StoreCondition<Model>
  ) -> MissingRows {
    MissingRows(treatment: .deleted(scope.node, of: Model.entityName))
  }

  /// Deletes the rows that match `scope`, of an entity without a model.
  package static func deleted(where scope: ConditionNode) -> MissingRows {
    MissingRows(treatment: .deleted(scope, of: nil))
  }

  /// Returns the condition of the rows to delete; `nil` if all rows are kept.
  ///
  /// - Throws: ``StoreError/Code/invalidStatement`` if the condition is one on another model.
  func scope(of entity: String) throws(StoreError) -> ConditionNode? {
    guard case .deleted(let scope, let other) = treatment else { return nil }
    guard other == nil || other == entity else {
      throw StoreError(
        code: .invalidStatement,
        reason: "the condition for missing rows of \(entity) is one on rows of \(other ?? entity)")
    }
    return scope
  }
}

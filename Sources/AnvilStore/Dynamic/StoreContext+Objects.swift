package import AnvilJSON

/// JSON without models.
extension StoreContext {
  /// Stores an object, or an array of objects, as rows of an entity, in one transaction.
  ///
  /// Columns are made for what the members hold: integers, reals, Booleans and text, and objects and arrays as JSON. Null says
  /// nothing of a type. A column that cannot hold a value becomes one of another type, which holds all of them as they are:
  /// integers become reals where each is one exactly, and text otherwise, as Booleans do; next to objects and arrays all is
  /// JSON. Columns that models have made for types which JSON does not have, such as dates, stay, and take what fits.
  ///
  /// A row has the members that its object has: what an object does not mention stays as it is, null clears. A row that is equal
  /// to its object is not written. Of objects with the same key the later ones change what the earlier ones have left.
  ///
  /// - Parameters:
  ///   - entity: the table's name.
  ///   - keys: the members whose values tell rows apart; none when each object is a new row.
  /// - Returns: what became of the rows and the table.
  /// - Throws: ``UnstorableObject`` for what is no object, lacks a key or does not fit; ``StoreError``; `CancellationError`.
  ///   Nothing is stored then.
  package func store(_ json: JSON, as entity: String, keys: [String]) async throws -> StoredObjects {
    try await perform { transaction in
      var storing = ObjectStoring(of: entity, keys: keys, in: transaction)
      return try storing.store(json)
    }
  }
}

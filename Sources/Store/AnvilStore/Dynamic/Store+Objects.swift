package import AnvilJSON

/// Storing JSON without models.
extension Store {
  /// Stores an object, or an array of objects, as rows of an entity, in one transaction.
  ///
  /// Columns are created for the types of the members: integers, reals, Booleans and text, and JSON for objects and arrays. Null does not
  /// determine a type. A column that cannot store a value is converted to a type that can store all its values unchanged. Integers become
  /// reals if all of them are exact as reals, and otherwise text. Booleans become text. Every type becomes JSON if an object or an array
  /// has to be stored. Columns that models have created with types that JSON lacks, such as dates, keep their type and accept the values
  /// that fit.
  ///
  /// Members that are absent from an object keep their stored values; null clears them. A row that is equal to its object is not written.
  /// Of objects with the same key, later ones update the result of earlier ones.
  ///
  /// - Parameters:
  ///   - entity: The name of the table.
  ///   - keys: The members whose values identify a row; empty if each object is a new row.
  /// - Returns: The changes to the rows and the table.
  /// - Throws: ``UnstorableObject`` for a value that is not an object, lacks a key or does not fit; ``StoreError``;
  ///   `CancellationError`. Nothing is stored in these cases.
  package func store(_ json: JSON, as entity: String, keys: [String]) async throws -> StoredObjects {
    try await perform { transaction in
      var storing = ObjectStoring(of: entity, keys: keys, in: transaction)
      return try storing.store(json)
    }
  }
}

#if canImport(CoreData)
public import AnvilClient
public import AnvilHTTP
internal import AnvilModel
public import CoreData

// All there is for Core Data. It was type-checked against a stub of the framework (scripts/check-core-data) and never run.

extension NSManagedObjectContext: ManagedContext {}

/// A managed object class says `typealias Context = NSManagedObjectContext`, its `entityName` as in the model, and writes
/// `update(from:)`:
///
///     final class User: NSManagedObject, ManagedDecodable {
///       typealias Context = NSManagedObjectContext
///       static let matchKeys: [MatchKey]? = [.key(CodingKeys.id, attribute: "identifier")]
///       …
///     }
extension ManagedDecodable where Self: NSManagedObject, Context == NSManagedObjectContext {
  /// The object that `decoder` speaks of, updated: the one that has the values of the match keys, or a new one in `context`.
  ///
  /// To be called on the context's queue. Nothing is saved by it.
  ///
  /// - Throws: `DecodingError`, ``StoreError/Code/schemaMismatch`` when the model has no such entity or attribute, what Core Data
  ///   throws, and what the object's `update(from:)` throws; a new object is taken out of the context again then.
  @discardableResult
  public static func createOrUpdate(in context: NSManagedObjectContext, from decoder: any Decoder) throws -> Self {
    guard let entity = NSEntityDescription.entity(forEntityName: entityName, in: context) else {
      throw StoreError(code: .schemaMismatch, reason: "the context's model has no entity \(entityName)")
    }
    if var object = try existing(entity, in: context, decoder) {
      try object.update(from: decoder)
      return object
    }
    guard var object = NSEntityDescription.insertNewObject(forEntityName: entityName, into: context) as? Self else {
      throw StoreError(
        code: .schemaMismatch, reason: "objects of the entity \(entityName) are not of class \(Self.self)")
    }
    do {
      try object.update(from: decoder)
    } catch {
      context.delete(object)
      throw error
    }
    return object
  }

  private static func existing(
    _ entity: NSEntityDescription, in context: NSManagedObjectContext, _ decoder: any Decoder
  ) throws -> Self? {
    guard let keys = matchKeys, !keys.isEmpty else { return nil }
    let container = try decoder.container(keyedBy: AttributeKey.self)
    var conditions: [NSPredicate] = []
    for key in keys {
      guard let attribute = entity.attributesByName[key.attribute] else {
        throw StoreError(
          code: .schemaMismatch, reason: "the entity \(entityName) has no attribute \(key.attribute), its match key")
      }
      // Without a key nothing can be found: the object says what it thinks of that.
      guard let value = try attribute.value(AttributeKey(key.codingKey), in: container) else { return nil }
      conditions.append(NSPredicate(format: "%K == %@", argumentArray: [key.attribute, value]))
    }
    let request = NSFetchRequest<Self>(entityName: entityName)
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
    request.fetchLimit = 1
    return try context.fetch(request).first
  }
}

extension NSAttributeDescription {
  /// The value under `key`, as the attribute's type has it; `nil` where it is absent or null.
  fileprivate func value(
    _ key: AttributeKey, in container: KeyedDecodingContainer<AttributeKey>
  ) throws -> (any CVarArg)? {
    switch attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      try container.decodeIfPresent(Int64.self, forKey: key).map { NSNumber(value: $0) }
    case .doubleAttributeType, .floatAttributeType:
      try container.decodeIfPresent(Double.self, forKey: key).map { NSNumber(value: $0) }
    case .booleanAttributeType: try container.decodeIfPresent(Bool.self, forKey: key).map { NSNumber(value: $0) }
    case .decimalAttributeType:
      try container.decodeIfPresent(Decimal.self, forKey: key).map { NSDecimalNumber(decimal: $0) }
    case .dateAttributeType: try container.decodeIfPresent(Date.self, forKey: key).map { $0 as NSDate }
    case .UUIDAttributeType: try container.decodeIfPresent(UUID.self, forKey: key).map { $0 as NSUUID }
    case .URIAttributeType: try container.decodeIfPresent(URL.self, forKey: key).map { $0 as NSURL }
    case .binaryDataAttributeType: try container.decodeIfPresent(Data.self, forKey: key).map { $0 as NSData }
    default: try container.decodeIfPresent(String.self, forKey: key).map { $0 as NSString }
    }
  }
}

/// Stands for a managed object outside of its context's queue, which the object itself cannot leave.
public struct ManagedObjectHandle<Object: NSManagedObject>: Sendable {
  /// The object's permanent ID.
  public let objectID: NSManagedObjectID
  /// The context that the object belongs to.
  public let context: NSManagedObjectContext

  /// What `body` makes of the object, on the context's queue.
  ///
  /// - Throws: what `body` throws, and what Core Data throws when the object is not there any more.
  public func perform<Result: Sendable>(
    _ body: @escaping @Sendable (Object) throws -> Result
  ) async throws -> Result {
    let (objectID, context) = (objectID, context)
    return try await context.perform {
      guard let object = try context.existingObject(with: objectID) as? Object else {
        throw StoreError(code: .schemaMismatch, reason: "the object is not of class \(Object.self)")
      }
      return try body(object)
    }
  }
}

extension Promise where Value: HTTP.Message {
  /// A promise of the object that the message's body speaks of: updated, or new, and saved.
  ///
  /// The work is done in a child of `context`, so that what the context has besides stays as it is when the body cannot be
  /// decoded; after that the context is saved as a whole.
  public func decode<Model: NSManagedObject & ManagedDecodable>(
    managed type: Model.Type, in context: NSManagedObjectContext
  ) -> Promise<ManagedObjectHandle<Model>> where Model.Context == NSManagedObjectContext {
    then { message in
      let handles: [ManagedObjectHandle<Model>] = try await context.save { child in
        [try message.decoded(using: ManagedDecodingFactory<Model>(context: child), passing: isOfCoreData)]
      }
      guard let handle = handles.first else { throw StoreError(code: .other, reason: "nothing was decoded") }
      return handle
    }
  }

  /// A promise of the objects that the message's body is a list of, saved at once.
  public func decode<Model: NSManagedObject & ManagedDecodable>(
    managed type: [Model].Type, in context: NSManagedObjectContext
  ) -> Promise<[ManagedObjectHandle<Model>]> where Model.Context == NSManagedObjectContext {
    then { message in
      try await context.save { child in
        try message.decoded(using: ManagedDecodingFactory<Model>(context: child).array, passing: isOfCoreData)
      }
    }
  }
}

/// Errors that are not about the message.
private func isOfCoreData(_ error: any Error) -> Bool {
  error is StoreError || error is CancellationError || (error as NSError).domain == NSCocoaErrorDomain
}

extension NSManagedObjectContext {
  /// Saves what `decode` makes in a child of this context, and this context.
  fileprivate func save<Model: NSManagedObject>(
    _ decode: @escaping @Sendable (NSManagedObjectContext) throws -> [Model]
  ) async throws -> [ManagedObjectHandle<Model>] {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = self
    let objectIDs = try await child.perform {
      let objects = try decode(child)
      try child.obtainPermanentIDs(for: objects)
      try child.save()
      return objects.map(\.objectID)
    }
    try Task.checkCancellation()
    try await perform {
      if self.hasChanges { try self.save() }
    }
    return objectIDs.map { ManagedObjectHandle(objectID: $0, context: self) }
  }
}
#endif

#if canImport(CoreData)
internal import AnvilBase
public import CoreData
internal import Foundation

// Support for Core Data. It was type-checked against a stub of the framework (scripts/check-apple) and never run.

extension NSManagedObjectContext: ManagedContext {}

// A protocol, because an extension of `ManagedDecodable` would be a candidate for the `createOrUpdate` of every stored model, whose `Context`
// would then be ambiguous.

/// A class of managed objects that are created and updated from payloads. It has the `entityName` of its Core Data model, and implements
/// `update(from:)`:
///
///     final class User: NSManagedObject, ManagedObjectDecodable {
///       static let matchKeys: [MatchKey]? = [.key(CodingKeys.id, attribute: "identifier")]
///       …
///     }
public protocol ManagedObjectDecodable: NSManagedObject, ManagedDecodable where Context == NSManagedObjectContext {}

extension ManagedObjectDecodable {
  /// Finds the object in `context` that has the match keys in the payload of `decoder`, updates it and returns it. If the object does not
  /// exist, it is created.
  ///
  /// Call it on the context's queue. It does not save the context.
  ///
  /// - Throws: `DecodingError`, ``StoreError/Code/schemaMismatch`` when the model has no such entity or attribute, or its objects have
  ///   another class, errors of Core Data, and errors of the object's `update(from:)`. A new object is removed from the context if
  ///   `update(from:)` throws.
  @discardableResult
  public static func createOrUpdate(in context: NSManagedObjectContext, from decoder: any Decoder) throws -> Self {
    guard let entity = NSEntityDescription.entity(forEntityName: entityName, in: context) else {
      throw StoreError(code: .schemaMismatch, reason: "the model of the context has no entity \(entityName)")
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
      // Without a complete key no object can be found. Decoding the object reports the missing value, if it is an error.
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
  /// Returns the value under `key`, converted to the attribute's type; `nil` if it is absent or null.
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

/// A Sendable reference to a managed object. The object itself must be used on its context's queue.
public struct ManagedObjectHandle<Object: NSManagedObject>: Sendable {
  /// The object's permanent ID.
  public let objectID: NSManagedObjectID
  /// The context that the object belongs to.
  public let context: NSManagedObjectContext

  package init(objectID: NSManagedObjectID, context: NSManagedObjectContext) {
    self.objectID = objectID
    self.context = context
  }

  /// Calls `body` with the object on the context's queue and returns its result.
  ///
  /// - Throws: The error that `body` throws, and errors of Core Data when the object no longer exists.
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
#endif

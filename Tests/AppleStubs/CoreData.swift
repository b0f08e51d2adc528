// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What AnvilStore uses of Core Data, to be type-checked against where the framework does not exist. Nothing of it does anything.
// Source: developer.apple.com/documentation/coredata.
@_exported import Foundation

public protocol NSFetchRequestResult: NSObjectProtocol {}

open class NSManagedObject: NSObject, NSFetchRequestResult {
  open var objectID: NSManagedObjectID { fatalError() }
}

open class NSManagedObjectID: NSObject, @unchecked Sendable {}

public enum NSAttributeType: UInt, Sendable {
  case undefinedAttributeType = 0
  case integer16AttributeType = 100
  case integer32AttributeType = 200
  case integer64AttributeType = 300
  case decimalAttributeType = 400
  case doubleAttributeType = 500
  case floatAttributeType = 600
  case stringAttributeType = 700
  case booleanAttributeType = 800
  case dateAttributeType = 900
  case binaryDataAttributeType = 1000
  case UUIDAttributeType = 1100
  case URIAttributeType = 1200
}

open class NSAttributeDescription: NSObject {
  open var attributeType: NSAttributeType { fatalError() }
}

open class NSEntityDescription: NSObject {
  open var attributesByName: [String: NSAttributeDescription] { fatalError() }

  open class func entity(forEntityName entityName: String, in context: NSManagedObjectContext) -> NSEntityDescription? {
    fatalError()
  }

  open class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    fatalError()
  }
}

open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSObject {
  public convenience init(entityName: String) { fatalError() }
  open var predicate: NSPredicate? {
    get { fatalError() }
    set {}
  }
  open var fetchLimit: Int {
    get { fatalError() }
    set {}
  }
}

open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  public enum ConcurrencyType: UInt { case privateQueueConcurrencyType = 1, mainQueueConcurrencyType = 2 }
  public enum ScheduledTaskType: Sendable { case immediate, enqueued }

  public init(concurrencyType: ConcurrencyType) {}
  open var parent: NSManagedObjectContext? {
    get { fatalError() }
    set {}
  }
  open var hasChanges: Bool { fatalError() }
  open func save() throws {}
  open func delete(_ object: NSManagedObject) {}
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {}
  open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject { fatalError() }
  public func fetch<Result: NSFetchRequestResult>(_ request: NSFetchRequest<Result>) throws -> [Result] { fatalError() }

  public func perform<Result>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws -> Result
  ) async rethrows -> Result {
    fatalError()
  }
}

/// What managed models are created and updated in: a ``StoreTransaction``, or an `NSManagedObjectContext` where Core Data exists.
public protocol ManagedContext: AnyObject {}

/// The context in which stored models are created and updated: a ``StoreTransaction``, or an `NSManagedObjectContext` where Core Data
/// exists.
public protocol ManagedContext: AnyObject {}

/// Where managed models are kept: a ``StoreContext``, or an `NSManagedObjectContext` where Core Data exists.
public protocol ManagedContext: AnyObject, Sendable {}

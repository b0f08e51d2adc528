#if canImport(CoreData)
internal import AnvilBase
public import AnvilClient
public import AnvilHTTP
public import AnvilStore
public import CoreData
internal import Foundation

extension Promise where Value: HTTP.Message {
  /// Returns a promise of the object that the message's body describes. The object is updated or created, and then saved.
  ///
  /// Decoding uses a child of `context`, so that a body that cannot be decoded leaves the context unchanged. After decoding, the whole
  /// context is saved.
  public func decode<Model: ManagedObjectDecodable>(
    managed type: Model.Type, in context: NSManagedObjectContext
  ) -> Promise<ManagedObjectHandle<Model>> {
    thenMessage { message, outcome in
      let handles: [ManagedObjectHandle<Model>] = try await context.save { child in
        [
          try message.decoded(
            using: ManagedDecodingFactory<Model>(context: child), reportingTo: outcome, passing: isCoreDataError)
        ]
      }
      guard let handle = handles.first else { throw StoreError(code: .other, reason: "no object was decoded") }
      return handle
    }
  }

  /// Returns a promise of the objects in the list that the message's body contains. They are saved together.
  public func decode<Model: ManagedObjectDecodable>(
    managed type: [Model].Type, in context: NSManagedObjectContext
  ) -> Promise<[ManagedObjectHandle<Model>]> {
    thenMessage { message, outcome in
      try await context.save { child in
        try message.decoded(
          using: ManagedDecodingFactory<Model>(context: child).array, reportingTo: outcome, passing: isCoreDataError)
      }
    }
  }
}

/// Returns `true` for errors of Core Data. They are not errors of the message.
private func isCoreDataError(_ error: any Error) -> Bool {
  error is StoreError || error is CancellationError || (error as NSError).domain == NSCocoaErrorDomain
}

extension NSManagedObjectContext {
  /// Calls `decode` with a child of this context, then saves the child and this context.
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

/// Observing changes.
extension Store {
  /// Returns a sequence with one element for each later transaction of this store that changes rows of the model's entity.
  ///
  /// Elements arrive after the commit. With several connections that write, the elements of transactions that commit at about the same time
  /// may arrive in any order.
  ///
  /// Changes by other stores and other processes are not reported. The sequence ends when the store is closed or released. Elements are
  /// buffered without limit for slow readers.
  public func changes<Model: ManagedDecodable>(of type: Model.Type) -> AsyncStream<StoreChanges.Counts> {
    let (stream, continuation) = AsyncStream.makeStream(of: StoreChanges.Counts.self)
    guard let id = observers.add(.counts(entity: Model.entityName, continuation)) else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak observers] _ in observers?.remove(id) }
    return stream
  }
}

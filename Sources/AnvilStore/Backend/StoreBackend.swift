/// A kind of database at one place: opens connections to it.
package protocol StoreBackend: Sendable {
  /// What the database is, safe to log: its kind and its place without credentials.
  var description: String { get }

  /// How many connections may write at the same time, at least one.
  var writerCount: Int { get }

  /// How many connections are kept beside those for who only reads; 0 where readers use the ones that write.
  var readerCount: Int { get }

  /// Makes a function that opens the connections of one store, each on the thread that it is going to be used on.
  func connector() -> @Sendable () throws(StoreError) -> any StoreConnection
}

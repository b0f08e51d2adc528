/// A database at one location, and the way to open connections to it.
package protocol StoreBackend: Sendable {
  /// The kind and the location of the database, without credentials; safe to log.
  var description: String { get }

  /// The maximum number of connections that write at the same time; at least 1.
  var writerCount: Int { get }

  /// The maximum number of additional connections for reading; 0 if readers share the connections for writing.
  var readerCount: Int { get }

  /// A Boolean value that indicates whether other stores and processes can use the database at the same time.
  var isShared: Bool { get }

  /// Returns a function that opens the connections of one store. It is called on the thread on which the connection is used.
  func connector() -> @Sendable () throws(StoreError) -> any StoreConnection
}

extension StoreBackend {
  package var isShared: Bool { true }
}

internal import AnvilStore

extension PostgresConnection {
  /// The settings of a connection.
  package struct Configuration: Hashable, Sendable {
    /// The time that a statement waits for a locked row or table before it fails as busy.
    package var busyTimeout: Duration
    /// The time that a statement may run before it fails as interrupted. If it is `nil`, the server's setting applies.
    package var statementTimeout: Duration?
    /// The time to wait for the server while a connection is opened. The option `connect_timeout` of the connection string takes
    /// precedence.
    package var connectTimeout: Duration
    /// The maximum number of cached prepared statements. The least recently used statement is removed first.
    package var statementCacheCapacity: Int
    /// The maximum size of a value, and of all values of one statement together, in bytes. The server's limit is 1 GB.
    package var maximumLength: Int
    /// The name that the server shows in its lists of connections. The option `application_name` of the connection string takes precedence.
    package var applicationName: String
    /// The mode of a pooler before the server. The option `pool_mode` of the connection string takes precedence.
    package var poolMode: PostgresPoolMode

    package init(
      busyTimeout: Duration = .seconds(5), statementTimeout: Duration? = nil, connectTimeout: Duration = .seconds(10),
      statementCacheCapacity: Int = 64, maximumLength: Int = 1_000_000_000, applicationName: String = "anvil",
      poolMode: PostgresPoolMode = .automatic
    ) {
      self.busyTimeout = busyTimeout
      self.statementTimeout = statementTimeout
      self.connectTimeout = connectTimeout
      self.statementCacheCapacity = statementCacheCapacity
      self.maximumLength = maximumLength
      self.applicationName = applicationName
      self.poolMode = poolMode
    }

    /// The settings of the session, which override those of the server and the user.
    var settings: [(name: String, value: String)] {
      var settings = [
        ("TimeZone", "UTC"), ("DateStyle", "ISO"), ("IntervalStyle", "postgres"), ("bytea_output", "hex"),
        // The shortest text that gives the same real when read.
        ("extra_float_digits", "1"), ("standard_conforming_strings", "on"),
        // All rows of a cursor are usually read, so its plan should be the fastest for that.
        ("cursor_tuple_fraction", "1"),
        ("lock_timeout", "\(busyTimeout.settingMilliseconds)ms"),
      ]
      if let statementTimeout { settings.append(("statement_timeout", "\(statementTimeout.settingMilliseconds)ms")) }
      return settings
    }
  }
}

extension Duration {
  /// The timeout in milliseconds. It is at least 1, because 0 would mean no limit, and at most the greatest `Int32`, which is the server's
  /// type.
  fileprivate var settingMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    guard seconds < Int64(Int32.max / 1_000) else { return Int64(Int32.max) }
    guard seconds >= 0 else { return 1 }
    return max(seconds * 1_000 + attoseconds / 1_000_000_000_000_000, 1)
  }
}

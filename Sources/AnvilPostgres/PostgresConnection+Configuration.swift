internal import AnvilStore

extension PostgresConnection {
  /// How a connection is set up.
  package struct Configuration: Hashable, Sendable {
    /// How long a statement waits for a row or a table that others hold before it fails as busy.
    package var busyTimeout: Duration
    /// How long a statement may run before it fails as interrupted; `nil` for what the server has set.
    package var statementTimeout: Duration?
    /// How long to wait for a server to answer, unless the connection string has `connect_timeout`.
    package var connectTimeout: Duration
    /// How many statements are kept prepared: those that were used last. A statement is known by its text.
    package var statementCacheCapacity: Int
    /// The most bytes that a value, and all values of one statement together, may have. The server takes no more than 1 GB.
    package var maximumLength: Int
    /// What the server shows in its lists of connections, unless the connection string has `application_name`.
    package var applicationName: String

    package init(
      busyTimeout: Duration = .seconds(5), statementTimeout: Duration? = nil, connectTimeout: Duration = .seconds(10),
      statementCacheCapacity: Int = 64, maximumLength: Int = 1_000_000_000, applicationName: String = "anvil"
    ) {
      self.busyTimeout = busyTimeout
      self.statementTimeout = statementTimeout
      self.connectTimeout = connectTimeout
      self.statementCacheCapacity = statementCacheCapacity
      self.maximumLength = maximumLength
      self.applicationName = applicationName
    }

    /// What is set in the session, whatever the server's and the user's own settings are.
    var settings: [(name: String, value: String)] {
      var settings = [
        ("TimeZone", "UTC"), ("DateStyle", "ISO"), ("IntervalStyle", "postgres"), ("bytea_output", "hex"),
        // The shortest text that gives the same real when read.
        ("extra_float_digits", "1"), ("standard_conforming_strings", "on"),
        // A cursor's rows are all read as a rule: it gets the plan that is best for that.
        ("cursor_tuple_fraction", "1"),
        ("lock_timeout", "\(busyTimeout.settingMilliseconds)ms"),
      ]
      if let statementTimeout { settings.append(("statement_timeout", "\(statementTimeout.settingMilliseconds)ms")) }
      return settings
    }
  }
}

extension Duration {
  /// From 1 on: 0 would mean to wait for ever. The server counts by an `Int32`.
  fileprivate var settingMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    guard seconds < Int64(Int32.max / 1_000) else { return Int64(Int32.max) }
    guard seconds >= 0 else { return 1 }
    return max(seconds * 1_000 + attoseconds / 1_000_000_000_000_000, 1)
  }
}

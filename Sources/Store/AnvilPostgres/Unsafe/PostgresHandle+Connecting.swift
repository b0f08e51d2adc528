internal import AnvilBase
internal import AnvilStore
internal import CPostgres

extension PostgresHandle {
  /// Opens a connection that is ready for statements. The caller must close it.
  ///
  /// `PQconnectdb` is not used, because it would print messages of the server to stderr.
  @unsafe
  static func connect(
    _ connectionString: String, _ configuration: PostgresConnection.Configuration
  ) throws(StoreError) -> OpaquePointer {
    try check(connectionString)
    // Parameters of the connection string override the earlier ones.
    let parameters = [
      ("connect_timeout", "\(min(max(configuration.connectTimeout.components.seconds, 1), 86_400))"),
      ("application_name", "anvil"),
      // The loss of a server is detected within a minute, also while a statement waits.
      ("keepalives_idle", "20"), ("keepalives_interval", "10"), ("keepalives_count", "4"),
      ("tcp_user_timeout", "60000"),
      ("dbname", connectionString), ("client_encoding", "UTF8"),
    ]
    // Safety: the library copies the strings, which are freed afterwards. Both arrays end with a null pointer.
    var names = unsafe parameters.map { unsafe strdup($0.0) }
    var values = unsafe parameters.map { unsafe strdup($0.1) }
    unsafe names.append(nil)
    unsafe values.append(nil)
    defer {
      unsafe (names + values).forEach { unsafe free($0) }
    }
    let started = unsafe names.map { unsafe UnsafePointer<CChar>($0) }.withUnsafeBufferPointer { names in
      unsafe values.map { unsafe UnsafePointer<CChar>($0) }.withUnsafeBufferPointer { values in
        unsafe PQconnectStartParams(names.baseAddress, values.baseAddress, 1)
      }
    }
    guard let connection = unsafe started else { throw StoreError(code: .outOfMemory, reason: "while connecting") }
    unsafe anvil_postgres_drop_notices(connection)
    do throws(StoreError) {
      try unsafe complete(connection, timeout: timeout(of: connection))
      return unsafe connection
    } catch {
      let secrets = unsafe secrets(of: connection)
      unsafe PQfinish(connection)
      throw error.hiding(secrets)
    }
  }

  @unsafe
  private static func complete(_ connection: OpaquePointer, timeout: Duration?) throws(StoreError) {
    let deadline = Deadline(after: timeout)
    guard unsafe PQstatus(connection) != CONNECTION_BAD else { throw unsafe cannotOpen(connection) }
    var awaited = Int16(POLLOUT)
    while true {
      try unsafe wait(for: awaited, on: connection, until: deadline)
      switch unsafe PQconnectPoll(connection) {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING: awaited = Int16(POLLIN)
      case PGRES_POLLING_WRITING: awaited = Int16(POLLOUT)
      default: throw unsafe cannotOpen(connection)
      }
    }
  }

  /// The milliseconds after which a connecting task notices that it was cancelled.
  private static let cancellationInterval: Int32 = 50

  @unsafe
  private static func wait(
    for events: Int16, on connection: OpaquePointer, until deadline: Deadline
  ) throws(StoreError) {
    while true {
      guard !deadline.hasPassed else {
        throw StoreError(code: .cannotOpen, reason: "the server did not answer in time")
      }
      // There is no statement yet that a cancellation could interrupt.
      guard !Task.isCancelled else { throw StoreError(code: .interrupted) }
      // Each call of `PQconnectPoll` may change the socket, for example when it tries the next address.
      var descriptor = pollfd(fd: unsafe PQsocket(connection), events: events, revents: 0)
      // Safety: one descriptor is passed.
      let left = deadline.pollTimeout
      let count = unsafe poll(&descriptor, 1, left < 0 ? cancellationInterval : min(left, cancellationInterval))
      if count > 0 { return }
      if count < 0, errno != EINTR {
        throw StoreError(code: .cannotOpen, reason: "waiting for the server failed: errno \(errno)")
      }
    }
  }

  /// `connect_timeout` multiplied by the number of hosts, as in libpq. `nil` if the option is not set.
  @unsafe
  private static func timeout(of connection: OpaquePointer) -> Duration? {
    guard let options = unsafe PQconninfo(connection) else { return nil }
    defer { unsafe PQconninfoFree(options) }
    let values = unsafe values(of: options)
    guard let seconds = values["connect_timeout"].flatMap({ Int64($0) }), seconds > 0 else { return nil }
    let hosts = (values["host"] ?? values["hostaddr"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
    return .seconds(min(seconds, 86_400) * Int64(min(max(hosts.count, 1), 1_000)))
  }

  private static let secretOptions = [
    "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
  ]

  /// Checks that the library can read the connection string, and that no option has a secret one as its value.
  private static func check(_ connectionString: String) throws(StoreError) {
    // The library's message about an invalid string may contain the password.
    guard !connectionString.utf8.contains(0), !connectionString.isEmpty,
      let options = unsafe PQconninfoParse(connectionString, nil)
    else {
      throw StoreError(code: .cannotOpen, reason: "the connection string is invalid")
    }
    defer { unsafe PQconninfoFree(options) }
    for (option, value) in unsafe values(of: options).sorted(by: { $0.key < $1.key }) {
      // In `host= password=x`, the host is `password=x`. The library and the server would show it.
      guard !secretOptions.contains(option), secretOptions.contains(where: { value.hasPrefix("\($0)=") }) else {
        continue
      }
      throw StoreError(
        code: .cannotOpen,
        reason: """
          the option \(option) of the connection string has no value, so that it takes the next option, a password, as its value; \
          write \(option)=''
          """)
    }
  }

  /// Returns what errors of the connection must not show: its passwords, also those of the environment and of files, and the hosts and
  /// ports that cannot be one, because they may be parts of a password that the connection string does not delimit.
  @unsafe
  private static func secrets(of connection: OpaquePointer) -> [String] {
    var secrets: [String] = []
    if let options = unsafe PQconninfo(connection) {
      defer { unsafe PQconninfoFree(options) }
      let values = unsafe values(of: options)
      secrets += secretOptions.compactMap { values[$0] }
      func items(_ option: String) -> [String] { values[option]?.split(separator: ",").map { String($0) } ?? [] }
      // The name of an abstract socket begins with `@`.
      secrets += (items("host") + items("hostaddr")).filter {
        $0.dropFirst().contains { "@=".contains($0) || $0.isWhitespace }
      }
      secrets += items("port").filter { UInt16($0) == nil }
    }
    // The password of a file is no option.
    if let password = unsafe PQpass(connection) { unsafe secrets.append(String(cString: password)) }
    // A secret that is part of another one is replaced after it.
    return Set(secrets).filter { !$0.isEmpty }.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// Returns the options that have a value, by their keywords.
  @unsafe
  private static func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
    var values: [String: String] = [:]
    var option = unsafe options
    // Safety: the array ends with an option without a keyword.
    while let keyword = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        values[unsafe String(cString: keyword)] = unsafe String(cString: value)
      }
      unsafe option += 1
    }
    return values
  }

  @unsafe
  private static func cannotOpen(_ connection: OpaquePointer) -> StoreError {
    let message = unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
    return StoreError(
      code: .cannotOpen, backendMessage: String(message.reversed().drop(while: \.isWhitespace).reversed()))
  }
}

extension StoreError {
  fileprivate func hiding(_ secrets: [String]) -> StoreError {
    guard var message = backendMessage else { return self }
    for secret in secrets {
      message = message.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "•••")
    }
    return StoreError(code: code, sql: sql, backendMessage: message, backendCode: backendCode, reason: reason)
  }
}

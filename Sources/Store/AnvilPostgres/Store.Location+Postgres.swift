public import AnvilBase
@_exported import AnvilStore
internal import Synchronization

extension Store.Location {
  /// Returns the location of a PostgreSQL database. Many machines can write to the database at the same time.
  ///
  ///     let url = URL(string: "postgres://ada@db.example.com/users?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem")
  ///     let store = try await Store(.postgres(url))
  ///
  /// The user and password in the URL must be percent-encoded: a `/` is `%2F`, an `@` is `%40`. Other URLs are refused.
  ///
  /// The URL takes the options of libpq, including those for TLS: `sslmode` (only `verify-full` verifies the server's identity),
  /// `sslrootcert`, `sslcert`, `sslkey`, `connect_timeout`, `options`. Missing options come from the environment (`PGHOST`, …) and the
  /// files that libpq reads (`~/.pgpass`, …). Tables are created in the first schema of the search path.
  ///
  /// Connections are opened when they are needed, and reused. A lost connection is replaced. Transactions read committed data and lock the
  /// rows that they may change. When two transactions deadlock, one of them is run again. Statements are prepared, and values are always
  /// sent separately from the SQL.
  ///
  /// Behind a pooler such as PgBouncer, a store works in session and transaction mode; see ``PostgresPoolMode``. In addition to the options
  /// of libpq, a connection string takes the option `pool_mode`, which overrides the parameter.
  ///
  /// Text with a NUL character is rejected, because PostgreSQL cannot store it.
  ///
  /// Each commit that changes rows sends a notification on the channel `anvil_changes`, which informs the observers of
  /// other stores. While values are observed, one more connection listens.
  ///
  /// Source: postgresql.org/docs/current/libpq-connect.html.
  ///
  /// - Parameters:
  ///   - url: The URL of the database: `postgres://` or `postgresql://`.
  ///   - connections: The maximum number of connections.
  ///   - busyTimeout: The time that a statement waits for locked rows before it fails with `StoreError.Code.busy`.
  ///   - poolMode: The mode of a pooler between the store and the server.
  public static func postgres(
    _ url: URL, connections: Int = 8, busyTimeout: Duration = .seconds(30),
    poolMode: PostgresPoolMode = .automatic
  ) -> Store.Location {
    postgres(url.absoluteString, connections: connections, busyTimeout: busyTimeout, poolMode: poolMode)
  }

  /// Returns the location of a PostgreSQL database for a connection string: a URL, or `host=… dbname=…` in the format of libpq. The other
  /// parameters are those for a URL.
  public static func postgres(
    _ connectionString: String, connections: Int = 8, busyTimeout: Duration = .seconds(30),
    poolMode: PostgresPoolMode = .automatic
  ) -> Store.Location {
    Store.Location(
      PostgresBackend(
        connectionString: connectionString, writerCount: connections,
        configuration: PostgresConnection.Configuration(busyTimeout: busyTimeout, poolMode: poolMode)))
  }
}

struct PostgresBackend: StoreBackend, CustomReflectable {
  let connectionString: String
  let writerCount: Int
  var configuration = PostgresConnection.Configuration()
  /// Whether a pooler is between the store and the server; `nil` if each connection finds out.
  var isPooled: Bool?

  /// The kind of the database. The connection string is left out because it may contain a password.
  var description: String { "PostgreSQL" }
  var customMirror: Mirror { Mirror(self, children: []) }

  /// The number of additional connections for reading: 0, because readers use the same connections as writers.
  var readerCount: Int { 0 }

  func connector() -> @Sendable () throws(StoreError) -> any StoreConnection {
    { [connectionString, configuration, isPooled, sharing = PostgresSessionSharing()] () throws(StoreError) in
      try PostgresConnection(connectionString, configuration: configuration, sharing: sharing, isPooled: isPooled)
    }
  }
}

/// The way in which a pooler between a store and a PostgreSQL server assigns sessions of the server to the store's connections.
///
/// A pooler that assigns a session only until the end of a transaction may run the next transaction of a connection in another session,
/// with the prepared statements and settings of other programs. In such a session, a store uses unnamed statements and sets its settings
/// for each transaction. It receives no notifications.
public enum PostgresPoolMode: String, CaseIterable, Sendable {
  /// The store finds out whether there is a pooler. Without one, it uses the session of each connection. With one, it works as with
  /// ``transaction``, which is correct in both modes, but observes changes if notifications arrive.
  ///
  /// A pooler is detected by the process ID that it sends to its clients, which is not that of a process of the server. If your pooler
  /// passes on the ID of a process of the server, use ``transaction``.
  case automatic
  /// Each connection has the same session until it is closed: there is no pooler, or it is in session mode. Statements are prepared once
  /// for each connection, and SQL may use `SET` and temporary tables.
  ///
  /// If a connection receives another session nevertheless, transactions fail with `StoreError.Code.unsupported`.
  case session
  /// Each transaction may have another session of the server. Values and feeds of changes cannot be observed. SQL whose effect outlives
  /// its transaction, such as `SET` and `LISTEN`, and `DO`, whose code is not checked, are refused with `StoreError.Code.unsupported`.
  ///
  /// Use `SET LOCAL`, `pg_advisory_xact_lock` and `set_config(…, true)` instead; the code of functions is not checked. Pages of a feed can be
  /// read with `transaction.changes(of:after:limit:)`. To observe values, let that store connect to the server.
  case transaction
}

/// A connection string without the option `pool_mode`, which libpq does not know.
struct PostgresConnectionString {
  private static let option = "pool_mode"

  private(set) var text: String
  private(set) var poolMode: PostgresPoolMode?

  /// - Throws: `StoreError.Code.cannotOpen` for an invalid value of the option, and for a URL whose user and password are not
  ///   percent-encoded.
  init(_ string: String) throws(StoreError) {
    text = string
    let scheme = ["postgres://", "postgresql://"].first(where: string.hasPrefix)
    if let scheme, !Self.hasDelimitedUser(string.utf8.dropFirst(scheme.utf8.count)) {
      throw StoreError(
        code: .cannotOpen,
        reason: """
          the user and password of the URL must be percent-encoded: / as %2F, @ as %40, # as %23, ? as %3F, % as %25
          """)
    }
    let (rest, value) = scheme == nil ? Self.removingPair(from: string) : Self.removingItem(from: string)
    guard let value else { return }
    guard let mode = PostgresPoolMode(rawValue: value) else {
      let modes = PostgresPoolMode.allCases.map(\.rawValue).joined(separator: ", ")
      throw StoreError(
        code: .cannotOpen,
        reason: "the option \(Self.option) of the connection string has an unknown value; the values are \(modes)")
    }
    (text, poolMode) = (rest, mode)
  }

  /// Returns `false` if a part of the user or password may be in another part of the URL, from which libpq would quote it in its messages:
  /// libpq ends the user and password at the first `@`, and takes them for a host and a port if a `/` precedes it. `url` has no scheme.
  private static func hasDelimitedUser(_ url: Substring.UTF8View) -> Bool {
    let (at, slash) = (UInt8.atSign, UInt8.slash)
    let query = url.firstIndex(of: .questionMark) ?? url.endIndex
    guard let end = url.firstIndex(of: at), end < query else {
      // Without a slash before it, libpq would search the query for the end of the user, too.
      return url.prefix { $0 != slash }.contains(at) == false
    }
    let user = url[..<end]
    return !user.contains { $0 == slash || $0 == .numberSign }
      && !url[url.index(after: end)..<query].contains(at) && isPercentEncoded(user)
  }

  private static func isPercentEncoded(_ text: Substring.UTF8View) -> Bool {
    let parts = text.split(separator: .percentSign, omittingEmptySubsequences: false)
    return parts.dropFirst().allSatisfy { $0.prefix(2).filter { $0.hexadecimalValue != nil }.count == 2 }
  }

  /// Returns the URL without the items of its query that set the option, and the value of the last one.
  private static func removingItem(from url: String) -> (rest: String, value: String?) {
    guard let mark = url.firstIndex(of: "?") else { return (url, nil) }
    var value: String?
    let items = url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false).filter { item in
      guard item.hasPrefix("\(option)=") else { return true }
      value = String(item.dropFirst(option.count + 1))
      return false
    }
    return (url[..<mark] + (items.isEmpty ? "" : "?") + items.joined(separator: "&"), value)
  }

  /// Returns the pairs `keyword=value` without those that set the option, and the value of the last one. Text that libpq rejects is
  /// returned unchanged. Source: postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-KEYWORD-VALUE.
  private static func removingPair(from pairs: String) -> (rest: String, value: String?) {
    let bytes = Array(pairs.utf8)
    let (quote, backslash) = (UInt8.apostrophe, UInt8.backslash)
    var (rest, value) = ([UInt8](), String?.none)
    var position = 0
    func skip(while condition: (UInt8) -> Bool) {
      while position < bytes.count, condition(bytes[position]) { position += 1 }
    }
    while position < bytes.count {
      let start = position
      skip { $0.isWhitespace }
      let name = position
      skip { $0 != .equalsSign && !$0.isWhitespace }
      let isOption = bytes[name..<position].elementsEqual(option.utf8)
      skip { $0.isWhitespace }
      guard position < bytes.count, bytes[position] == .equalsSign else {
        return position == bytes.count && name == position
          ? (String(decoding: rest, as: UTF8.self), value) : (pairs, nil)
      }
      position += 1
      skip { $0.isWhitespace }
      let isQuoted = position < bytes.count && bytes[position] == quote
      if isQuoted { position += 1 }
      var content: [UInt8] = []
      while position < bytes.count, isQuoted ? bytes[position] != quote : !bytes[position].isWhitespace {
        if bytes[position] == backslash, position + 1 < bytes.count { position += 1 }
        content.append(bytes[position])
        position += 1
      }
      if isQuoted, position < bytes.count { position += 1 }
      if isOption { value = String(decoding: content, as: UTF8.self) } else { rest += bytes[start..<position] }
    }
    return (String(decoding: rest, as: UTF8.self), value)
  }
}

/// The finding of a store's connections about the sessions of the server: whether they are shared with other programs.
final class PostgresSessionSharing: Sendable {
  private let found = Atomic(false)

  /// True if a connection has found that its transactions run in different sessions, which other programs use too.
  var isFound: Bool { found.load(ordering: .relaxed) }

  func note() { found.store(true, ordering: .relaxed) }
}

/// The statements whose effects outlive their transaction.
extension PostgresStatement {
  private static let temporary: Set<String> = ["TEMP", "TEMPORARY", temporarySchema]
  /// Stands for the schema of temporary tables, `pg_temp` or `pg_temp_3`.
  private static let temporarySchema = "PG_TEMP"

  /// True if a statement of the text has an effect on the session that does not end with the transaction, such as a setting, a prepared
  /// statement or a temporary table.
  ///
  /// Functions with such effects, such as `pg_advisory_lock`, are not detected. The code of `DO` cannot be checked, since it may build
  /// statements from texts, and counts as one with such an effect.
  static func outlivesTransaction(_ sql: Substring) -> Bool {
    var words: [String] = []
    for token in PostgresTokens(sql) {
      switch token {
      case .symbol(UInt8.semicolon):
        if outlivesTransaction(words) { return true }
        words.removeAll(keepingCapacity: true)
      case .word(let word): words.append(isTemporarySchema(word) ? temporarySchema : word)
      // Other names are kept as a place, so that they are not key words and separate those beside them.
      case .name(let name): words.append(isTemporarySchema(name.uppercased()) ? temporarySchema : "")
      case .string, .symbol: break
      }
    }
    return outlivesTransaction(words)
  }

  private static func outlivesTransaction(_ words: [String]) -> Bool {
    switch words.first {
    case "LISTEN", "UNLISTEN", "DISCARD", "RESET", "LOAD", "PREPARE", "DEALLOCATE", "EXECUTE", "DO": true
    case "SET": !["LOCAL", "CONSTRAINTS", "TRANSACTION"].contains(words.dropFirst().first)
    case "DECLARE": contains(["WITH", "HOLD"], words.prefix { $0 != "FOR" })
    case "INSERT", "MERGE": false
    default: createsTemporaryTable(words)
    }
  }

  /// CREATE, or a query with INTO, of a temporary object that is not dropped at the end of the transaction.
  private static func createsTemporaryTable(_ words: [String]) -> Bool {
    for (index, word) in words.enumerated() {
      let rest = words[(index + 1)...]
      if word == "CREATE" {
        let kind = rest.first { !["OR", "REPLACE", "GLOBAL", "LOCAL"].contains($0) } ?? ""
        guard temporary.contains(kind) || rest.contains(temporarySchema) else { return false }
        return !contains(["ON", "COMMIT", "DROP"], rest)
      }
      // The table of an INSERT or MERGE within the query exists.
      if word == "INTO", index == 0 || !["INSERT", "MERGE"].contains(words[index - 1]) {
        return temporary.contains(rest.first { !["GLOBAL", "LOCAL", "TABLE"].contains($0) } ?? "")
      }
    }
    return false
  }

  private static func isTemporarySchema(_ name: String) -> Bool {
    name == temporarySchema || name.hasPrefix(temporarySchema + "_")
  }

  private static func contains(_ sequence: [String], _ words: ArraySlice<String>) -> Bool {
    words.indices.contains { words[$0...].starts(with: sequence) }
  }
}

import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import AnvilTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct ConnectingTests {
  @Test(arguments: [
    "", "postgres://user:secret@host:port\0", "postgres://us er:secret@host/%zz", "postgres://u:secret@[::1/db",
    "secret", "host='secret", "password=secret nothing=1", "postgres://u@h/db?password=secret&nothing=1",
  ])
  func errorsForInvalidConnectionStringsDoNotContainThem(string: String) throws {
    let error = try storeError { _ = try PostgresConnection(string) }
    #expect(error?.code == .cannotOpen)
    #expect(
      error?.description
        == "the database cannot be opened: the connection string is invalid")
  }

  @Test func unreachableServersAreReported() throws {
    let error = try storeError {
      _ = try PostgresConnection("postgres://u:secret@/db?host=/nowhere/secret-socket&port=1")
    }
    #expect(error?.code == .cannotOpen)
    #expect(error?.backendMessage?.contains("/nowhere/•••-socket/.s.PGSQL.1") == true)
  }

  @Test func aCancelledTaskStopsConnecting() async throws {
    let (connections, accepted) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { client in
      accepted.yield()
      client.waitForEnd()
    }
    let url = "postgres://u@127.0.0.1:\(server.port)/db?connect_timeout=3600"
    let task = Task { _ = try await Store(.postgres(url)) }
    for await _ in connections { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(arguments: [
    ("postgres://smith:S3CRET/db", #"invalid integer value "•••" for connection option "port""#),
    ("postgres://smith:123456/db", #"invalid port number: "•••""#),
    (
      "postgres://h1:1,smith:S3CRET/db?host=/nowhere,/elsewhere",
      #"invalid integer value "•••" for connection option "port""#
    ),
    ("host=S3CR@ET port=1", #"could not translate host name "•••" to address"#),
    ("host='S3CRET x=1' port=1", #"could not translate host name "•••" to address"#),
    ("host=/nowhere,S3CR@ET port=1", #"could not translate host name "•••" to address"#),
    ("hostaddr=S3CR@ET port=1", #"could not parse network address "•••""#),
    ("host=/nowhere/S3CRET port=1 password=S3CRET", "/nowhere/•••/.s.PGSQL.1"),
    ("host=/nowhere/S3CRET port=1 sslpassword='S3CRET'", "/nowhere/•••/.s.PGSQL.1"),
    ("host=no.invalid port=1", #"could not translate host name "no.invalid" to address"#),
  ])
  func misplacedPartsOfAPasswordAreHidden(string: String, message: String) throws {
    let error = try storeError { _ = try PostgresConnection(string) }
    #expect(error?.code == .cannotOpen)
    let found = error?.backendMessage ?? ""
    #expect(found.contains(message))
    #expect(!found.contains("S3C") && !found.contains("123456"))
  }

  @Test(arguments: [
    "host= password=S3CRET", "port= password=S3CRET", "user= password=S3CRET host=/nowhere", "sslmode= password=S3CRET",
    "dbname= sslpassword=S3CRET host=/nowhere", "host='' service= password=S3CRET",
  ])
  func optionWithoutValueTakesNoPassword(string: String) throws {
    let error = try storeError { _ = try PostgresConnection(string) }
    let option = string.split(separator: "= ").first.map { $0.split(separator: " ").last ?? $0 } ?? ""
    #expect(
      error?.description == """
        the database cannot be opened: the option \(option) of the connection string has no value, so that it takes the next \
        option, a password, as its value; write \(option)=''
        """)
  }

  /// The guide says so: without an `@`, a URL has a host and a port, even if a number was meant as a password.
  @Test func hostAndPortOfAURLWithoutAUserAreShown() throws {
    let error = try storeError { _ = try PostgresConnection("postgres://smith.invalid:12/db") }
    #expect(error?.backendMessage?.contains(#"host name "smith.invalid""#) == true)
    let other = try storeError { _ = try PostgresConnection("postgres://127.0.0.1:1/db") }
    #expect(other?.backendMessage?.contains("port 1 ") == true)
  }

  /// Debuggers and `dump` show the properties of a value.
  @Test func locationsAreDumpedWithoutPasswords() throws {
    let url = try #require(URL(string: "postgres://smith:S3CRET@127.0.0.1:1/db"))
    let locations: [Store.Location] = [.postgres(url), .postgres("host=h user=smith password=S3CRET")]
    for location in locations {
      var dumped = ""
      dump(location, to: &dumped)
      dump([location.backend], to: &dumped)
      for text in [dumped, "\(location)", String(reflecting: location), "\(location.backend)"] {
        #expect(!text.contains("S3CRET") && !text.contains("smith"), "\(text)")
      }
    }
  }

  #if os(Linux)
  @Test func passwordsOfTheEnvironmentAndOfFilesAreHidden() async {
    await #expect(processExitsWith: .success) {
      func description(_ string: String) -> String {
        do {
          _ = try PostgresConnection(string)
          return ""
        } catch {
          return "\(error)"
        }
      }
      let file = FileManager.default.temporaryDirectory.appending(path: "anvil-pgpass-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: file) }
      let path = file.path(percentEncoded: false)
      let isWritten = FileManager.default.createFile(
        atPath: path, contents: Data("*:*:*:*:S3CRET".utf8), attributes: [.posixPermissions: 0o600])
      try #require(isWritten)
      _ = unsafe setenv("PGPASSFILE", path, 1)
      try #require(description("host=/nowhere/S3CRET-1 port=1").contains(#""/nowhere/•••-1/.s.PGSQL.1""#))
      _ = unsafe setenv("PGPASSWORD", "OTH3R", 1)
      _ = unsafe setenv("PGHOST", "/nowhere/OTH3R-2", 1)
      try #require(description("port=1").contains(#""/nowhere/•••-2/.s.PGSQL.1""#))
    }
  }

  /// The server accepts the connection and does not respond.
  @Test func connectingToASilentServerTimesOut() throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    let folder = FileManager.default.temporaryDirectory.appending(path: "anvil-silent-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = folder.path(percentEncoded: false) + "/.s.PGSQL.1"
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let isListening = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(descriptor, 1) == 0
      }
    }
    try #require(isListening)
    let url = "host=\(folder.path(percentEncoded: false)) port=1 user=u dbname=d"
    for url in [url, url + " connect_timeout=1"] {
      let error = try storeError {
        _ = try PostgresConnection(
          url, configuration: .init(connectTimeout: .seconds(url.contains("timeout") ? 600 : 1)))
      }
      #expect(error?.description == "the database cannot be opened: the server did not answer in time")
    }
  }
  #endif

  @Test(.needsServer) func missingDatabasesAreReported() throws {
    let error = try storeError { _ = try PostgresConnection(TestServer.url(with: "dbname=nowhere")) }
    #expect(error?.code == .cannotOpen)
    #expect(error?.backendMessage?.contains(#"database "nowhere" does not exist"#) == true)
  }

  @Test(.needsServer) func theConnectionStringOverridesTheConfiguration() throws {
    let url = try TestServer.url(with: "application_name=mine&client_encoding=LATIN1")
    let connection = try PostgresConnection(url)
    #expect(try connection.rows("SHOW application_name") == [[.text("mine")]])
    // Not this.
    #expect(try connection.rows("SELECT $1", [.text("𝄞")]) == [[.text("𝄞")]])
  }

  @Test(.needsTLSServer) func errorsDoNotContainWrongPasswords() throws {
    let url = try #require(TestServer.tlsURL)
    let password = try #require(URLComponents(string: url)?.password)
    #expect(try PostgresConnection(url).rows("SELECT 1") == [[.integer(1)]])
    let error = try storeError { _ = try PostgresConnection(url.replacing(password, with: "no-secret")) }
    #expect(error?.code == .cannotOpen)
    #expect(error?.description.contains(#"password authentication failed for user "anvil""#) == true)
    #expect(error?.description.contains("secret") == false)
    #expect(try storeError { _ = try PostgresConnection(url.replacing(":\(password)", with: "")) }?.code == .cannotOpen)
  }

  @Test(.needsTLSServer) func theCertificateOfTheServerIsVerified() throws {
    let url = try #require(TestServer.tlsURL)
    let connection = try PostgresConnection(
      url + "&sslmode=verify-full&sslrootcert=\(try #require(TestServer.authority))")
    #expect(try connection.rows("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()") == [[.integer(1)]])
    let error = try storeError {
      _ = try PostgresConnection(url + "&sslmode=verify-full&sslrootcert=\(try #require(TestServer.otherAuthority))")
    }
    #expect(error?.code == .cannotOpen)
    #expect(error?.backendMessage?.contains("certificate verify failed") == true)
    let name = try storeError {
      _ = try PostgresConnection(
        url.replacing("@localhost:", with: "@elsewhere.example:")
          + "&sslmode=verify-full&sslrootcert=\(try #require(TestServer.authority))")
    }
    #expect(name?.code == .cannotOpen)
    #expect(name?.backendMessage?.contains(#"does not match host name "elsewhere.example""#) == true)
  }
}

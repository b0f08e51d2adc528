import AnvilClient
import AnvilHTTP
import AnvilSQLite
import AnvilSQLiteCache
import AnvilStore
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// A cache's responses in a file.
@Suite(.timeLimit(.minutes(15)))
struct SQLiteCacheStorageTests {
  private let database: TemporaryDatabase
  private let session = StubSession { Issue.record($0) }
  private let url: URL

  init() throws {
    database = try TemporaryDatabase()
    url = try #require(URL(string: "https://api.example.com/users/1?token=secret"))
    session.on(.get, url) { request in
      .status(
        200, headers: [.cacheControl: "max-age=1000", .vary: "Accept"],
        body: Data("body of \(request.headers[.accept]?.rawValue ?? "")".utf8))
    }
  }

  private func storage(limit: Int = 1 << 20) async throws -> SQLiteCacheStorage {
    try await SQLiteCacheStorage(path: database.url.path(), sizeLimit: limit)
  }

  private func send(_ storage: SQLiteCacheStorage, accept: HTTP.HeaderValue = "a") async throws -> HTTP.Response {
    let request = HTTP.Request(url: url, headers: [.accept: accept, .authorization: "Bearer secret"])
    let cache = CacheInterceptor(storage: storage)
    let response = try await cache.intercept(request, options: TransportOptions(), next: session)
    var body = Data()
    for try await chunk in response.body { body.append(chunk) }
    #expect(String(decoding: body, as: UTF8.self) == "body of \(accept)")
    return response.head
  }

  @Test(arguments: CacheStorageContract.cases)
  func holds(_ contractCase: CacheStorageContract.Case) async throws {
    try await contractCase.run { try await storage(limit: $0) }
  }

  @Test func k12_entriesSurviveTheEndOfTheProcess() async throws {
    let first = try await storage()
    #expect(try await send(first).history.cacheOutcome == .miss)
    await first.close()
    let second = try await storage()
    #expect(try await send(second).history.cacheOutcome == .hit)
    #expect(session.requests.count == 1)
  }

  @Test func storagesShareAFile() async throws {
    let (one, other) = (try await storage(), try await storage())
    _ = try await send(one)
    #expect(try await send(other).history.cacheOutcome == .hit)
    try await one.removeAll()
    #expect(try await send(other).history.cacheOutcome == .miss)
  }

  @Test func storagesCanWriteToASharedFileConcurrently() async throws {
    let storages = [try await storage(), try await storage(), try await storage()]
    try await withThrowingTaskGroup { group in
      for (index, storage) in storages.enumerated() {
        group.addTask {
          for round in 0..<20 { _ = try await send(storage, accept: "\(index).\(round)") }
        }
      }
      try await group.waitForAll()
    }
    let key = try #require(CacheKey(url))
    for storage in storages { #expect(try await storage.entries(for: key).count == 60) }
  }

  @Test(arguments: [
    "UPDATE anvil_cache SET body = CAST('bode of a' AS BLOB)", "UPDATE anvil_cache SET body = x''",
    "UPDATE anvil_cache SET body = 'body of a'", "UPDATE anvil_cache SET body = CAST('body of a2' AS BLOB)",
    "UPDATE anvil_cache SET head = x'7B7D'", "UPDATE anvil_cache SET head_checksum = head_checksum + 1",
    "UPDATE anvil_cache SET body_checksum = body_checksum + 1", "UPDATE anvil_cache SET id = 'x'",
    "DELETE FROM anvil_cache",
  ])
  func k12_aDamagedEntryIsAMiss(damage: String) async throws {
    let storage = try await storage()
    _ = try await send(storage)
    try SQLiteConnection(.file(database.url.path())).run(damage)
    #expect(try await send(storage).history.cacheOutcome == .miss)
    #expect(try await send(storage).history.cacheOutcome == .hit)
    #expect(session.requests.count == 2)
  }

  @Test func aFileThatCouldNotBeOpenedIsOpenedLater() async throws {
    let folder = database.url.deletingLastPathComponent().appending(path: "cache-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let storage = try await SQLiteCacheStorage(path: folder.appending(path: "c.db").path())
    try await storage.removeAll()
    try FileManager.default.removeItem(at: folder)
    let error = await #expect(throws: StoreError.self) { try await storage.removeAll() }
    #expect(error?.code == .cannotOpen)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(try await send(storage).history.cacheOutcome == .miss)
    #expect(try await send(storage).history.cacheOutcome == .hit)
    await storage.close()
    let closed = await #expect(throws: StoreError.self) { try await storage.removeAll() }
    #expect(closed?.code == .closed)
  }

  @Test func bodiesAreReadWhileAnotherProcessWrites() async throws {
    let storage = try await SQLiteCacheStorage(path: database.url.path(), busyTimeout: .milliseconds(10))
    _ = try await send(storage)
    let other = try SQLiteConnection(.file(database.url.path()))
    try other.run("BEGIN IMMEDIATE")
    for _ in 0..<140 { #expect(try await send(storage).history.cacheOutcome == .hit) }
    try other.run("ROLLBACK")
  }

  @Test func k12_aDamagedFileIsRecreated() async throws {
    let first = try await storage()
    for index in 0..<60 { _ = try await send(first, accept: "\(index)") }
    await first.close()
    // The first page, which identifies the file, is kept.
    var bytes = try Data(contentsOf: database.url)
    #expect(bytes.count > 4 * 4_096)
    bytes.replaceSubrange(4_096..., with: Data(repeating: 0xA5, count: bytes.count - 4_096))
    try bytes.write(to: database.url)
    let second = try await storage()
    #expect(try await send(second).history.cacheOutcome == .miss)
    #expect(try await send(second).history.cacheOutcome == .hit)
    #expect(try mode(of: database.url.path()) == 0o600)
  }

  @Test func k12_aTruncatedFileIsRecreated() async throws {
    let first = try await storage()
    for index in 0..<60 { _ = try await send(first, accept: "\(index)") }
    await first.close()
    let bytes = try Data(contentsOf: database.url)
    #expect(bytes.count > 4 * 4_096)
    try bytes.prefix(bytes.count / 2 / 4_096 * 4_096).write(to: database.url)
    let second = try await storage()
    for index in 0..<60 { _ = try await send(second, accept: "\(index)") }
    #expect(try await send(second, accept: "59").history.cacheOutcome == .hit)
  }

  @Test(arguments: DatabaseLoss.allCases)
  func k12_aLostFileIsACacheMiss(loss: DatabaseLoss) async throws {
    let storage = try await storage()
    _ = try await send(storage)
    try loss.happen(to: database.url)
    // The replacement is a copy of the file without its log, which may or may not contain the entry.
    let outcome = try await send(storage).history.cacheOutcome
    if loss != .replaced { #expect(outcome == .miss) }
    #expect(try await send(storage).history.cacheOutcome == .hit)
    #expect(try await send(self.storage()).history.cacheOutcome == .hit)
    #expect(try mode(of: database.url.path()) == 0o600)
  }

  /// The state after a process ends while writing: the log is truncated at any byte.
  @Test func k12_anIncompleteWriteIsACacheMiss() async throws {
    let storage = try await storage()
    _ = try await send(storage, accept: "before")
    let before = try Data(contentsOf: log(of: database.url)).count
    _ = try await send(storage, accept: "after")
    let (file, whole) = (try Data(contentsOf: database.url), try Data(contentsOf: log(of: database.url)))
    #expect(whole.count > before)
    for count in stride(from: before, through: whole.count, by: 1_000) {
      let copy = try TemporaryDatabase()
      try file.write(to: copy.url)
      try whole.prefix(count).write(to: log(of: copy.url))
      let torn = try await SQLiteCacheStorage(path: copy.url.path())
      #expect(try await send(torn, accept: "before").history.cacheOutcome == .hit)
      #expect(try await send(torn, accept: "after").history.cacheOutcome == .miss)
      await torn.close()
      withExtendedLifetime(copy) {}
    }
  }

  private func log(of file: URL) -> URL { URL(filePath: file.path() + "-wal") }

  @Test func aFileThatIsNotADatabaseIsNotChanged() async throws {
    let text = Data(String(repeating: "not a database\n", count: 1_000).utf8)
    try text.write(to: database.url)
    let error = await #expect(throws: StoreError.self) { try await storage() }
    #expect(error?.code == .notADatabase)
    #expect(try Data(contentsOf: database.url) == text)
  }

  @Test func aFileThatReplacedTheStorageIsNotChanged() async throws {
    let storage = try await storage()
    _ = try await send(storage)
    let text = Data(String(repeating: "not a database\n", count: 1_000).utf8)
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.url.path() + suffix) }
    try text.write(to: database.url, options: .atomic)
    for _ in 1...3 {
      let error = await #expect(throws: StoreError.self) { try await storage.removeAll() }
      #expect(error?.code == .notADatabase)
      #expect(try Data(contentsOf: database.url) == text)
    }
  }

  /// The waits would add up to ten minutes, because responses end when they are stored.
  @Test(.timeLimit(.minutes(5))) func aLockOfAnotherProcessIsWaitedForOnce() async throws {
    let storage = try await SQLiteCacheStorage(path: database.url.path(), busyTimeout: .seconds(10))
    let other = try SQLiteConnection(.file(database.url.path()))
    try other.run("BEGIN IMMEDIATE")
    for index in 0..<60 {
      let response = try await send(storage, accept: HTTP.HeaderValue(rawValue: "\(index)"))
      #expect(response.history.cacheOutcome == .miss)
    }
    try other.run("ROLLBACK")
    #expect(try await send(storage).history.cacheOutcome == .miss)
    #expect(try await send(storage).history.cacheOutcome == .hit)
  }

  @Test func aDatabaseThatIsNotACacheIsNotChanged() async throws {
    try SQLiteConnection(.file(database.url.path())).run("CREATE TABLE users (id INTEGER)")
    let error = await #expect(throws: StoreError.self) { try await storage() }
    #expect(error?.code == .schemaMismatch)
    #expect(try SQLiteConnection(.file(database.url.path())).tableExists("users"))
  }

  @Test func aFileOfAnotherVersionIsEmptied() async throws {
    let first = try await storage()
    _ = try await send(first)
    await first.close()
    try SQLiteConnection(.file(database.url.path())).run("PRAGMA user_version = 99")
    #expect(try await send(storage()).history.cacheOutcome == .miss)
  }

  @Test func theFileContainsNoURLsAndNoCredentials() async throws {
    let storage = try await storage()
    _ = try await send(storage)
    await storage.close()
    #expect(try Data(contentsOf: database.url).range(of: Data("secret".utf8)) == nil)
  }

  private func mode(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func onlyTheOwnerCanReadTheFiles() async throws {
    let storage = try await storage()
    _ = try await send(storage)
    for suffix in ["", "-wal", "-shm"] { #expect(try mode(of: database.url.path() + suffix) == 0o600) }
    await storage.close()
  }

  @Test func thePermissionsOfAnExistingFileAreNotChanged() async throws {
    #expect(FileManager.default.createFile(atPath: database.url.path(), contents: nil))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: database.url.path())
    let storage = try await storage()
    _ = try await send(storage)
    for suffix in ["", "-wal"] { #expect(try mode(of: database.url.path() + suffix) == 0o640) }
    await storage.close()
  }

  @Test func theOrderOfUseIsKeptAcrossRestarts() async throws {
    let body = Data(count: 1_000)
    session.on("any", where: { $0.method == .get }) { _ in
      .status(200, headers: [.cacheControl: "max-age=9000"], body: body)
    }
    func send(_ path: String, _ storage: SQLiteCacheStorage) async throws -> HTTP.History.CacheOutcome? {
      let url = try #require(URL(string: "https://api.example.com\(path)"))
      let response = try await CacheInterceptor(storage: storage).intercept(
        HTTP.Request(url: url), options: TransportOptions(), next: session)
      for try await _ in response.body {}
      return response.head.history.cacheOutcome
    }
    let first = try await storage(limit: 4_000)
    for path in ["/a", "/b", "/c", "/a"] { _ = try await send(path, first) }
    await first.close()
    let second = try await storage(limit: 4_000)
    _ = try await send("/d", second)
    #expect(try await send("/a", second) == .hit)
    #expect(try await send("/b", second) == .miss)
  }

  @Test func usingAClosedStorageIsAnError() async throws {
    let storage = try await storage()
    await storage.close()
    let error = await #expect(throws: StoreError.self) { try await storage.removeAll() }
    #expect(error?.code == .closed)
    #expect(try await send(storage).history.cacheOutcome == .miss)
  }
}

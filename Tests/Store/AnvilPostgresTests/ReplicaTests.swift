import AnvilPostgres
import AnvilStore
import Foundation
import Testing

/// Stores on a hot standby, which replays the changes of the server and refuses to write.
@Suite(.needsReplica, .timeLimit(.minutes(15))) struct ReplicaTests {
  struct User: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var login: String
  }

  @Test func aReplicaIsReadAndObserved() async throws {
    let schema = try TemporarySchema()
    let primary = try await Store(.postgres(schema.url, connections: 2))
    try await primary.save(User(id: 1, login: "ada"))
    let start = try await primary.recordChanges(of: User.self)
    let standby = try Standby()
    let replica = try await Store(.postgres(standby.url(of: schema), connections: 2))
    #expect(try await replica.fetch(User.self) == [User(id: 1, login: "ada")])
    let error = await #expect(throws: StoreError.self) { try await replica.save(User(id: 2, login: "eve")) }
    #expect(error?.code == .readOnly)

    var values = replica.values(of: User.self).makeAsyncIterator()
    #expect(try await values.next() == [User(id: 1, login: "ada")])
    var changes = replica.changes(of: User.self, after: start).makeAsyncIterator()
    try await primary.save(User(id: 1, login: "countess"))
    while try await values.next() != [User(id: 1, login: "countess")] {}
    #expect(try await changes.next()?.login == "countess")
    // A change that was replayed before the next element is requested.
    try await primary.save(User(id: 3, login: "tom"))
    while try await values.next()?.count != 2 {}
    #expect(try await changes.next()?.login == "tom")

    // The server fails, and the replica takes its place.
    try standby.promote()
    try await replica.save(User(id: 4, login: "grace"))
    while try await values.next()?.count != 3 {}
    let other = try await Store(.postgres(standby.url(of: schema)))
    try await other.save(User(id: 5, login: "alan"))
    while try await values.next()?.count != 4 {}
    await other.close()
    await replica.close()
    await primary.close()
  }
}

extension StoreChange<ReplicaTests.User> {
  fileprivate var login: String {
    switch kind {
    case .inserted(let user), .updated(_, let user), .deleted(let user): user.login
    }
  }
}

/// A replica of the server. It ends with the last reference.
final class Standby: Sendable {
  static let programs = ProcessInfo.processInfo.environment["ANVIL_POSTGRES_PROGRAMS"]

  // A short path: that of a Unix socket has at most 107 bytes.
  private let folder = "/tmp/anvil-standby-\(UUID().uuidString.prefix(8))"

  init() throws {
    let server = try #require(TestServer.url.flatMap { URLComponents(string: $0)?.queryItems })
    func option(_ name: String) throws -> String { try #require(server.first { $0.name == name }?.value) }
    // The server runs as the owner of its folder.
    try run(
      """
      owner=$(stat -c %U '\(try option("host"))') && mkdir '\(folder)' && chown "$owner" '\(folder)'
      "$programs/pg_basebackup" -D '\(folder)/data' -h '\(try option("host"))' -p '\(try option("port"))' -U anvil \
        -R -c fast -X stream --no-sync && chown -R "$owner" '\(folder)'
      as_owner "$programs/pg_ctl" start -D '\(folder)/data' -l '\(folder)/log' -w -t 60 \
        -o "-p 5432 -c listen_addresses='' -c unix_socket_directories='\(folder)'"
      """)
  }

  deinit {
    try? run("as_owner \"$programs/pg_ctl\" stop -D '\(folder)/data' -m immediate -w")
    try? FileManager.default.removeItem(atPath: folder)
  }

  func url(of schema: TemporarySchema) -> String {
    "postgres://anvil@/postgres?host=\(folder)&port=5432&options=-csearch_path%3D\(schema.name)"
  }

  func promote() throws {
    try run("owner=$(stat -c %U '\(folder)'); as_owner \"$programs/pg_ctl\" promote -D '\(folder)/data' -w -t 60")
  }

  private func run(_ script: String) throws {
    let beginning = """
      # Foundation waits until no process has the descriptors that the script has inherited, and the server would keep them.
      for file in /proc/$$/fd/*; do
        number=${file##*/}; [ "$number" -le 2 ] || [ "$number" -eq 255 ] || eval "exec $number>&-"
      done
      set -eu; cd /tmp; programs='\(try #require(Self.programs))'; owner=$(stat -c %U '\(folder)' 2>/dev/null || true)
      as_owner() { if [ "$(id -u)" -eq 0 ]; then setpriv --reuid "$owner" --regid "$(id -g "$owner")" --clear-groups -- "$@"; \
      else "$@"; fi; }

      """
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", beginning + script]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the script failed: \(script)")
  }
}

extension Trait where Self == ConditionTrait {
  static var needsReplica: Self {
    .enabled(
      if: TestServer.url != nil && Standby.programs != nil,
      "ANVIL_POSTGRES_PROGRAMS is not set: run scripts/with-postgres swift test")
  }
}

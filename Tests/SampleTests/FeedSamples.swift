import Anvil
import AnvilSQLite
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct FeedSamples {
  @Test func changesAreReadAfterAPosition() async throws {
    let store = try await Store(.inMemory)
    // sample: feed
    let start = try await store.recordChanges(of: Member.self)
    // end sample
    try await store.save(Member(id: 1, login: "ada"))
    try await store.save(Member(id: 1, login: "countess"))
    var lines: [String] = []
    var position = start
    // sample: feed-reader
    for try await change in store.changes(of: Member.self, after: position) {
      switch change.kind {
      case .inserted(let member): lines.append("new: \(member.login)")
      case .updated(let old, let new): lines.append("\(old.login) is now \(new.login)")
      case .deleted(let member): lines.append("gone: \(member.login)")
      }
      position = change.position  // store it with your work: the next run continues after it
      if lines.count == 2 { break }
    }
    // end sample
    #expect(lines == ["new: ada", "ada is now countess"])
    try await store.delete(Member.self, where: .all)
    let rest = try await store.read { [position] transaction in
      try transaction.changes(of: Member.self, after: position, limit: 10).count
    }
    #expect(rest == 1)
  }
}

import Anvil
import AnvilSQLite
import AnvilSync
import Foundation

extension Operation {
  /// A model that is stored, and must then be in the store as it was served.
  static let item = Operation(name: "item", weight: 14) { call, random in
    let ids = Entities.items(of: call.worker)
    let id = ids.lowerBound + random.below(ids.count)
    let item = try await call.rows.storing(id..<(id + 1)) {
      try await call.managedRequest("items", id).execute().decode(managed: Item.self).value
    }
    call.rows.note(id, stored: item.version)
    call.findings.expect(item.id == id, "item \(id) is \(item)")
    let row = try await call.store.fetch(Item.self, key: id)
    call.findings.expect(row == item, "item \(id) is \(String(describing: row)) in the store, served as \(item)")
  }

  /// A list of models that is stored in one transaction.
  static let list = Operation(name: "list", weight: 8) { call, _ in
    let ids = Entities.items(of: call.worker)
    let items = try await call.rows.storing(ids) {
      try await call.managedRequest("lists", call.worker).execute().decode(managed: [Item].self).value
    }
    for item in items { call.rows.note(item.id, stored: item.version) }
    call.findings.expect(items.map(\.id) == Array(ids), "the list of \(call.worker) has \(items.map(\.id))")
    try await call.checkItems()
  }

  /// A list that is stored as it arrives.
  static let readings = Operation(name: "readings", weight: 6, isStreamed: true) { call, _ in
    let ids = Entities.readings(of: call.worker)
    try await call.rows.storing(ids) {
      let counts = try await call.managedRequest("readings", call.worker).request.storeElements(
        of: Reading.self, in: call.store, batchSize: 16)
      call.findings.expect(
        counts.inserted + counts.updated + counts.unchanged == ids.count, "\(ids.count) readings became \(counts)")
    }
    // The served versions are known, and the last of them was stored.
    for id in ids { call.rows.note(id, stored: call.server.ledger.latestVersion(of: id)) }
    try await call.checkReadings()
  }
}

extension Call {
  /// Checks the worker's items in the store.
  func checkItems() async throws {
    let ids = Entities.items(of: worker)
    let id = StoredColumn<Item, Int>("id")
    let rows = try await store.fetch(Item.self, where: id >= ids.lowerBound && id < ids.upperBound)
    for problem in self.rows.problems(rows.map { ($0.id, $0.version, $0.text) }, among: ids) { findings.add(problem) }
  }

  /// Checks the worker's readings in the store.
  func checkReadings() async throws {
    let ids = Entities.readings(of: worker)
    let id = StoredColumn<Reading, Int>("id")
    let rows = try await store.fetch(Reading.self, where: id >= ids.lowerBound && id < ids.upperBound)
    for problem in self.rows.problems(rows.map { ($0.id, $0.version, $0.text) }, among: ids) { findings.add(problem) }
  }
}

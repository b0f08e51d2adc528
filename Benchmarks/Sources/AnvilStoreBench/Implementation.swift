import Foundation
import Rounds

/// Who stores the records.
enum Implementation: String, CaseIterable {
  case anvil = "Anvil"
  case loop = "C loop"
  /// The loop with the store's own statement, which leaves rows alone that are equal already, and as many pages in memory.
  case sparingLoop = "C loop, as the store"
  /// `upsert_all`, which makes statements of many rows.
  case sqliteUtils = "sqlite-utils"
  /// `upsert` for each record, in one transaction.
  case sqliteUtilsByRecord = "sqlite-utils, each"

  /// What it can be told to do.
  var orders: [Order] {
    switch self {
    case .anvil: Order.allCases
    case .loop: [.insert, .update, .fetch]
    case .sparingLoop, .sqliteUtils, .sqliteUtilsByRecord: [.insert, .update]
    }
  }

  /// Whether it is another program.
  var isPeer: Bool { self == .sqliteUtils || self == .sqliteUtilsByRecord }

  /// Where the other program is, which `setup-peers` makes; `nil` for what is in this one, and for one that is not there.
  var program: URL? {
    guard isPeer else { return nil }
    var folder = URL(filePath: Tool.ownPath)
    while folder.path() != "/", folder.lastPathComponent != ".build" { folder.deleteLastPathComponent() }
    let program = folder.appending(path: "peers/bin/sqlite-utils")
    return FileManager.default.isExecutableFile(atPath: program.path()) ? program : nil
  }

  func contender<Record: BenchRecord>(_ type: Record.Type, count: Int) throws -> any Contender {
    switch self {
    case .anvil: AnvilContender<Record>(count: count)
    case .loop: CContender<Record>(count: count, updatesAll: true)
    case .sparingLoop: CContender<Record>(count: count, updatesAll: false)
    case .sqliteUtils, .sqliteUtilsByRecord: throw BenchmarkError("\(rawValue) is another program")
    }
  }
}

/// What the records are found by.
enum Shape: String, CaseIterable {
  case number
  case text

  var type: any BenchRecord.Type { self == .number ? NumberedRecord.self : NamedRecord.self }
}

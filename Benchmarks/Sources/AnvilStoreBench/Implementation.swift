import Foundation
import Rounds

/// An implementation that stores the records.
enum Implementation: String, CaseIterable {
  case anvil = "Anvil"
  case loop = "C loop"
  /// The loop with the store's statement, which does not write equal rows, and with the store's page cache size.
  case sparingLoop = "C loop, as the store"
  /// `upsert_all`, which builds statements of many rows.
  case sqliteUtils = "sqlite-utils"
  /// `upsert` for each record, in one transaction.
  case sqliteUtilsByRecord = "sqlite-utils, each"

  /// The supported operations.
  var orders: [Order] {
    switch self {
    case .anvil: Order.allCases
    case .loop: [.insert, .update, .fetch, .get, .getWithin, .query]
    case .sparingLoop, .sqliteUtils, .sqliteUtilsByRecord: [.insert, .update]
    }
  }

  /// `true` if the implementation is another program.
  var isPeer: Bool { self == .sqliteUtils || self == .sqliteUtilsByRecord }

  /// The path of the other program, which `setup-peers` installs; `nil` for implementations in this program, and for
  /// programs that are not installed.
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

/// The kind of key that the records have.
enum Shape: String, CaseIterable {
  case number
  case text

  var type: any BenchRecord.Type { self == .number ? NumberedRecord.self : NamedRecord.self }
}

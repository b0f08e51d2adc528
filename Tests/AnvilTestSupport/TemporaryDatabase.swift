package import Foundation

/// A folder for one database, removed with everything in it when the last test that holds it ends.
package final class TemporaryDatabase: Sendable {
  private let folder: TemporaryFolder

  package init() throws {
    folder = try TemporaryFolder()
  }

  package var url: URL { folder.url.appending(path: "store.db") }
}

/// A change of a database's file while it is open.
package enum DatabaseLoss: CaseIterable, Sendable {
  case deleted, moved, replaced

  package func happen(to file: URL) throws {
    let files = FileManager.default
    switch self {
    case .deleted: try files.removeItem(at: file)
    case .moved: try files.moveItem(at: file, to: other(file))
    case .replaced:
      try files.copyItem(at: file, to: other(file))
      try files.removeItem(at: file)
      try files.moveItem(at: other(file), to: file)
    }
  }

  private func other(_ file: URL) -> URL { file.appendingPathExtension("other") }
}

internal import Anvil
internal import AnvilBase
internal import AnvilJSON
internal import AnvilSQLite
internal import Foundation

/// The part of `anvil get` that stores a value and reports the result.
struct StoringCommand {
  /// The longest time to wait for other processes that write to the same database.
  private static let busyTimeout = Duration.seconds(30)

  private let destination: StoreDestination
  private let path: JSONPath?
  private let console: Console
  private var opened: Store?

  init(destination: StoreDestination, path: JSONPath?, console: Console) {
    self.destination = destination
    self.path = path
    self.console = console
  }

  /// Opens the database if its file exists. Returns the exit status if this fails.
  mutating func openExisting() async -> ExitStatus? {
    guard FileManager.default.fileExists(atPath: destination.path) else { return nil }
    do {
      opened = try await open()
      return nil
    } catch {
      return fail(error)
    }
  }

  /// Stores the object, or the objects in the array, in one transaction.
  func store(_ value: JSON) async -> ExitStatus {
    // The kind is checked before a database file is created.
    guard value.kind == .object || value.kind == .array else {
      console.fail("\(path.map { "\($0)" } ?? "the body") is neither an object nor an array of objects: \(value.kind)")
      return .decoding
    }
    do {
      let store = if let opened { opened } else { try await open() }
      let stored: StoredObjects
      do {
        stored = try await store.context.store(value, as: destination.entity, keys: destination.keys)
      } catch {
        await store.close()
        throw error
      }
      await store.close()
      console.writeError(report(stored).printable + "\n")
      return .success
    } catch {
      return fail(error)
    }
  }

  private func open() async throws -> Store {
    try await Store(.sqlite(path: destination.path, busyTimeout: Self.busyTimeout))
  }
}

/// The messages of the command.
extension StoringCommand {
  /// The maximum number of columns whose names are printed.
  private static let mostNames = 20

  /// Returns a line such as `stored 30 rows of User in store.db: 2 inserted, 1 updated, 27 unchanged; new columns:
  /// name, age; widened: score (integer to real)`.
  private func report(_ stored: StoredObjects) -> String {
    let counts = stored.counts
    let count = counts.inserted + counts.updated + counts.unchanged
    var text = """
      stored \(count) \(count == 1 ? "row" : "rows") of \(destination.entity) in \(destination.shownPath): \
      \(counts.inserted) inserted, \(counts.updated) updated, \(counts.unchanged) unchanged
      """
    let new = stored.newColumns
    if !new.isEmpty { text += "; new \(new.count == 1 ? "column" : "columns"): \(Self.list(new))" }
    let widenings = stored.widenings.map { "\($0.name) (\($0.from.rawValue) to \($0.to.rawValue))" }
    if !widenings.isEmpty { text += "; widened: \(Self.list(widenings))" }
    return text
  }

  private static func list(_ names: [String]) -> String {
    let rest = names.count - mostNames
    let shown = names.prefix(mostNames).map { $0.printable(limit: 60) }
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private func fail(_ error: any Error) -> ExitStatus {
    switch error {
    case let error as UnstorableObject:
      console.fail("\(place(of: error)): \(error.reason)")
      return .decoding
    case let error as StoreError where error.code == .schemaMismatch:
      console.fail("cannot store in \(destination.shownPath): \(error.reason ?? "\(error)")")
      return .store
    default:
      console.fail("cannot store in \(destination.shownPath): \(error)")
      return .store
    }
  }

  private func place(of error: UnstorableObject) -> String {
    let place = path.map { $0.isTopLevel ? "" : "\($0)" } ?? ""
    guard let index = error.index else { return place.isEmpty ? "the top level" : place }
    return "\(place)[\(index)]"
  }
}

internal import Synchronization

/// Looks for changes that other stores and processes make, while somebody observes values.
///
/// The database is asked at intervals. That costs little: SQLite has a counter in shared memory, and PostgreSQL sends notifications, which
/// wait in the connection's buffer.
final class ForeignChanges: Sendable {
  /// The pause between two questions.
  private static let interval = Duration.milliseconds(100)

  private struct State {
    var observerCount = 0
    var task: Task<Void, Never>?
  }

  private let store: String
  private let observers: ObserverList
  private let pool: SessionPool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - store: The identifier of the store whose changes are not foreign.
  ///   - observers: Those who are told.
  ///   - pool: A pool of one session: a connection compares the database with what it has seen before.
  init(store: String, observers: ObserverList, pool: SessionPool) {
    self.store = store
    self.observers = observers
    self.pool = pool
  }

  deinit {
    state.withLock { $0.task }?.cancel()
  }

  /// Begins to look for changes. Those that are committed after the call returns are found.
  func begin() async throws {
    state.withLock { $0.observerCount += 1 }
    do {
      // Later answers are compared with this one. While the session is in use, its next answer is that anything may have changed,
      // or it is compared with an earlier one: an element may be the same as the one before.
      if let session = try pool.takeWithoutWaiting() {
        defer { pool.giveBack(session) }
        observers.signal(try await session.foreignChanges(to: store))
      }
    } catch {
      end()
      throw error
    }
    state.withLock { state in
      guard state.task == nil, state.observerCount > 0 else { return }
      // Not a child of the observer that happened to be the first.
      state.task = Task.detached { [weak self] in
        while true {
          do { try await Task.sleep(for: Self.interval) } catch { break }
          guard let self else { return }
          await self.look()
        }
        await self?.ignoreChanges()
      }
    }
  }

  /// Stops looking, if this was the last observer.
  func end() {
    let task = state.withLock { state -> Task<Void, Never>? in
      state.observerCount -= 1
      return state.observerCount == 0 ? state.task.take() : nil
    }
    task?.cancel()
  }

  /// Has the database send nothing that nobody reads.
  private func ignoreChanges() async {
    // The task was cancelled, and another one must not be: it waits for the session like any other.
    await Task.detached { [self] in
      guard let session = try? await pool.take() else { return }
      defer { pool.giveBack(session) }
      // Observers that came meanwhile are not disturbed; later ones find a connection that begins again.
      guard state.withLock({ $0.observerCount == 0 }) else { return }
      await session.ignoreForeignChanges()
    }.value
  }

  func close() async {
    state.withLock { $0.task.take() }?.cancel()
    await pool.close()
  }

  private func look() async {
    do {
      observers.signal(try await changes())
    } catch let error as StoreError where error.code == .connectionLost || error.code == .cannotOpen {
      // The next question opens another connection, which answers that anything may have changed.
    } catch is CancellationError {
      // The last observer has gone.
    } catch {
      // Observers meet the error when they read.
      observers.signal(nil)
    }
  }

  private func changes() async throws -> Set<String>? {
    let session = try await pool.take()
    defer { pool.giveBack(session) }
    return try await session.foreignChanges(to: store)
  }
}

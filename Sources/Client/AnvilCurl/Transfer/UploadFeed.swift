internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import Synchronization

/// A buffer for a request body. A task reads the body, and the loop's thread takes the bytes as fast as the server accepts them.
///
/// The task is created with the feed, by the task that sends the request, so that the body's producer has the task-local values of that task.
/// It waits until the loop's thread starts it.
final class UploadFeed: Sendable {
  /// The number of buffered bytes at which the reading task starts to wait.
  private static let capacity = 512 << 10

  /// The number of bytes that are counted in addition for each chunk, so that the limit also applies to a stream of single bytes.
  fileprivate static let chunkOverhead = 64

  enum ReadResult {
    case bytes(Int)
    /// No bytes are available yet. `Command.feed` is posted when bytes are available.
    case nothingYet
    case end
    case failure(TransportError)
  }

  fileprivate struct State {
    var chunks = Queue<Data>()
    /// The number of bytes of the first chunk that were already taken.
    var position = 0
    /// The number of buffered bytes, including the overhead of each chunk.
    var count = 0
    var end: Result<Void, TransportError>?
    /// True if the loop's thread found no bytes and has to be notified of new ones.
    var isStarved = false
    var waiting: CheckedContinuation<Void, Never>?
    var hasStarted = false
  }

  private let state = Mutex(State())
  private let task: Task<Void, Never>
  /// Passes the work to the task.
  private let starter: AsyncStream<@Sendable () async -> Void>.Continuation

  init() {
    let (works, starter) = AsyncStream<@Sendable () async -> Void>.makeStream()
    self.starter = starter
    task = Task { for await work in works { await work() } }
  }

  deinit {
    starter.finish()
  }

  /// Starts to read `body`, unless this was done or the feed was cancelled. `onMore` is called when the loop's thread has found no data and more
  /// data, or the end, is available.
  ///
  /// Called on the loop's thread only.
  func start(_ body: HTTP.Body, onMore: @escaping @Sendable () -> Void) {
    let mayStart = state.withLock { state in
      defer { state.hasStarted = true }
      return !state.hasStarted && state.end == nil
    }
    guard mayStart else { return }
    starter.yield { await self.read(body, onMore) }
    starter.finish()
  }

  private func read(_ body: HTTP.Body, _ onMore: @Sendable () -> Void) async {
    let end: Result<Void, TransportError>
    do {
      for try await chunk in body {
        guard append(chunk, onMore) else { return }
        await waitForRoom()
      }
      end = .success(())
    } catch {
      end = .failure(TransportError(readingRequestBody: error))
    }
    finish(end, onMore)
  }

  /// Appends a chunk. Returns `false` if no more chunks are needed.
  private func append(_ chunk: Data, _ onMore: @Sendable () -> Void) -> Bool {
    let (isWanted, wasStarved) = state.withLock { state -> (Bool, Bool) in
      guard state.end == nil else { return (false, false) }
      state.chunks.append(chunk)
      state.count += chunk.count + Self.chunkOverhead
      defer { state.isStarved = false }
      return (true, state.isStarved)
    }
    if wasStarved { onMore() }
    return isWanted
  }

  private func waitForRoom() async {
    await withCheckedContinuation { continuation in
      let mayGoOn = state.withLock { state in
        guard state.count >= Self.capacity, state.end == nil else { return true }
        state.waiting = continuation
        return false
      }
      if mayGoOn { continuation.resume() }
    }
  }

  private func finish(_ end: Result<Void, TransportError>, _ onMore: @Sendable () -> Void) {
    let wasStarved = state.withLock { state in
      if state.end == nil { state.end = end }
      defer { state.isStarved = false }
      return state.isStarved
    }
    if wasStarved { onMore() }
  }

  func take(into target: UploadTarget) -> ReadResult {
    let (result, waiting) = state.withLock { state -> (ReadResult, CheckedContinuation<Void, Never>?) in
      if case .failure(let error) = state.end { return (.failure(error), nil) }
      let count = state.copy(to: target)
      if count > 0 { return (.bytes(count), state.count < Self.capacity / 2 ? state.waiting.take() : nil) }
      if state.end != nil { return (.end, nil) }
      state.isStarved = true
      return (.nothingYet, nil)
    }
    waiting?.resume()
    return result
  }

  func cancel() {
    let waiting = state.withLock { state in
      if state.end == nil { state.end = .failure(TransportError(code: .cancelled, phase: .send)) }
      state.chunks = Queue()
      return state.waiting.take()
    }
    task.cancel()
    waiting?.resume()
  }
}

extension UploadFeed.State {
  fileprivate mutating func copy(to target: UploadTarget) -> Int {
    var target = target
    var copied = 0
    while let chunk = chunks.first {
      let count = target.fill(from: chunk.dropFirst(position))
      guard count > 0 else { break }
      target = target.dropping(count)
      copied += count
      position += count
      guard position == chunk.count else { continue }
      self.count -= UploadFeed.chunkOverhead
      chunks.popFirst()
      position = 0
    }
    count -= copied
    return copied
  }
}

public import AnvilBase
internal import AnvilHTTP
internal import Synchronization

/// A response's body as it arrives: chunks in order, then the end or the ``TransportError`` that interrupted it.
///
/// It can be read once; a second iterator continues where the first one stopped. When all copies of the body and all its iterators are
/// released before the end, the transfer is cancelled. A body that ended before its reader was cancelled can still be read.
public struct TransportBody: AsyncSequence, Sendable {
  /// An iterator that returns the chunks in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let source: Source

    /// Returns the next chunk, which is never empty; `nil` at the end.
    ///
    /// - Throws: the error that interrupted the body, or `TransportError.Code.cancelled` when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(TransportError) -> Data?
    {
      try await source.next()
    }
  }

  let source: Source

  init(_ source: Source) {
    self.source = source
  }

  /// Creates a body whose bytes are all available.
  public init(_ data: Data) {
    source = .whole(WholeBody(data))
  }

  /// Returns a body with the same chunks that calls `observe` for each chunk that is read, and once at the end.
  ///
  /// - Parameter observe: called by the task that reads, one call at a time, before the task receives the chunk. If the body is
  ///   released before its end, the last call is made wherever its last copy is released.
  package func observed(_ observe: @escaping @Sendable (BodyEvent) -> Void) -> TransportBody {
    TransportBody(.observed(ObservedBody(source, observe)))
  }

  /// Creates a body and the writer through which a session fills it.
  ///
  /// If the reader is slower than the network, the body stores what has been written and not read. A session that can pause its source
  /// should pause it from a `pause` to the next `resume`. A session that cannot omits `onFlow`, and the body grows.
  ///
  /// - Parameters:
  ///   - onAbandon: called once when the body can no longer be read, because all copies were released or the reading task was cancelled.
  ///     Not called if the body was finished before.
  ///   - onFlow: called with `pause` and `resume` alternately, one call at a time, on the thread that writes or reads. It may write. After
  ///     the body was abandoned or finished, no further call begins, but a call may still be in progress.
  public static func makeStream(
    onAbandon: @escaping @Sendable () -> Void = {}, onFlow: (@Sendable (Flow) -> Void)? = nil
  ) -> (body: TransportBody, writer: Writer) {
    let channel = BodyChannel(onAbandon: onAbandon, onFlow: onFlow)
    return (TransportBody(.channel(BodyReader(channel: channel))), Writer(channel: channel))
  }

  /// Returns the bytes of a body that is available as a whole, if they were not read before; `nil` for any other body.
  func takeWhole() -> Data? {
    if case .whole(let body) = source { body.take() ?? Data() } else { nil }
  }

  /// Returns an iterator that starts to read, or continues where the previous iterator stopped.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source: source)
  }

  /// A backpressure signal from a body to the session that fills it.
  public enum Flow: Hashable, Sendable {
    /// At least 1 MiB is unread: pause the source. Chunks that arrive nevertheless are accepted.
    case pause
    /// At most 256 KiB are unread: resume the source.
    case resume
  }

  /// The writer through which a session fills a body. It can be used on any thread and never blocks.
  public struct Writer: Sendable {
    let channel: BodyChannel

    /// The current signal of the body. If it is `pause`, `onFlow` is later called with `resume`. After the end of the body it is always
    /// `pause`, and no call follows.
    public var flow: Flow { channel.flow }

    /// Appends a chunk. Empty chunks and chunks after the end are discarded.
    public func yield(_ chunk: Data) {
      channel.yield(chunk)
    }

    /// Ends the body, with the error that interrupted it if there is one. Only the first call has an effect.
    public func finish(_ error: TransportError? = nil) {
      channel.finish(error)
    }
  }
}

extension TransportBody {
  enum Source: Sendable {
    /// A body that is complete when its head is delivered, as most bodies are. It needs no channel.
    case whole(WholeBody)
    case channel(BodyReader)
    case observed(ObservedBody)
    case limited(LimitedBody)

    /// The channel that passes the chunks; `nil` for a complete body.
    var channel: BodyChannel? {
      switch self {
      case .whole: nil
      case .channel(let reader): reader.channel
      case .observed(let body): body.channel
      case .limited(let body): body.channel
      }
    }

    func next() async throws(TransportError) -> Data? {
      if case .whole(let body) = self { return body.take() }
      return try await nextFromChannel()
    }

    /// Returns the next chunk of a body that is not available as a whole.
    ///
    /// Not inlined, because otherwise the continuation and the cancellation handler of a channel would be compiled again for each loop over
    /// a body.
    @inline(never)
    private func nextFromChannel() async throws(TransportError) -> Data? {
      switch self {
      case .whole(let body): body.take()
      case .channel(let reader): try await reader.channel.next()
      case .observed(let body): try await body.next()
      case .limited(let body): try await body.next()
      }
    }
  }
}

/// A body that is available as a whole and is read once.
final class WholeBody: Sendable {
  private let data: Mutex<Data?>

  init(_ data: Data) {
    self.data = Mutex(data.isEmpty ? nil : data)
  }

  /// Returns the bytes at the first call, and `nil` after that.
  func take() -> Data? { data.withLock { $0.take() } }
}

/// The reading end, shared by a body's copies and iterators. When it is released, the body can no longer be read.
final class BodyReader: Sendable {
  let channel: BodyChannel

  init(channel: BodyChannel) {
    self.channel = channel
  }

  deinit {
    channel.abandon()
  }
}

extension TransportBody {
  /// Returns the body with time limits: if no data arrives for `idleTimeout` while it is read, and at the deadline, reading fails and the
  /// transfer ends. Rules R9 and T1.
  func limited(idleTimeout: Duration?, by deadline: RequestDeadline?, clock: any Clock<Duration>) -> TransportBody {
    let idleTimeout = idleTimeout?.asLimit
    guard idleTimeout != nil || deadline != nil, let channel = source.channel else { return self }
    return TransportBody(.limited(LimitedBody(source, channel, idleTimeout: idleTimeout, by: deadline, clock: clock)))
  }
}

/// Bodies that are read only so that their connections can be reused.
extension TransportBody {
  /// Reads and discards chunks until the end, an error, or more than `limit` bytes.
  func drain(upTo limit: Int) async {
    var rest = limit
    var chunks = makeAsyncIterator()
    while rest >= 0, let chunk = try? await chunks.next() { rest -= chunk.count }
  }

  /// Returns a task that ends the transfer after `time`, unless the task is cancelled; `nil` for a body that is available as a whole.
  func abandoning(after time: Duration, clock: any Clock<Duration>) -> Task<Void, Never>? {
    source.channel.map { channel in
      Task {
        guard (try? await clock.sleep(for: time)) != nil else { return }
        channel.abandon()
      }
    }
  }
}

/// A body whose transfer ends when a time limit passes.
final class LimitedBody: Sendable {
  let channel: BodyChannel
  private let source: TransportBody.Source
  private let silence: SilenceLimit?
  /// Ends the transfer at the deadline, also while it is not read.
  private let deadlineWatch: Task<Void, Never>?

  init(
    _ source: TransportBody.Source, _ channel: BodyChannel, idleTimeout: Duration?, by deadline: RequestDeadline?,
    clock: any Clock<Duration>
  ) {
    self.source = source
    self.channel = channel
    silence = idleTimeout.map { SilenceLimit($0, clock: clock, channel) }
    deadlineWatch = deadline.map { deadline in
      Task {
        guard (try? await deadline.wait()) != nil else { return }
        channel.abandon(with: deadline.error(in: .body))
      }
    }
  }

  deinit {
    silence?.endWatch()
    deadlineWatch?.cancel()
  }

  func next() async throws(TransportError) -> Data? {
    guard let silence else { return try await source.next() }
    silence.beginWait()
    defer { silence.endWait() }
    return try await source.next()
  }
}

/// Ends a body if its reader waits for a chunk for longer than a limit.
///
/// One task watches all waits, because a task and a timer for each chunk took 20 µs. The task ends at the first limit that finds no wait.
private final class SilenceLimit: Sendable {
  private struct State {
    /// The time on the stopwatch when the reader began to wait; `nil` if it does not wait.
    var waitStart: Duration?
    var watch: Task<Void, Never>?
  }

  private let limit: Duration
  private let stopwatch: Stopwatch
  /// A clock that a test advances must have a sleeper exactly while the reader waits.
  private let keepsWatch: Bool
  private let channel: BodyChannel
  private let state = Mutex(State())

  init(_ limit: Duration, clock: any Clock<Duration>, _ channel: BodyChannel) {
    self.limit = limit
    self.channel = channel
    stopwatch = Stopwatch(clock)
    keepsWatch = clock is ContinuousClock
  }

  func beginWait() {
    state.withLock { state in
      state.waitStart = stopwatch()
      if state.watch == nil { state.watch = Task { await watch() } }
    }
  }

  func endWait() {
    state.withLock { $0.waitStart = nil }
    if !keepsWatch { endWatch() }
  }

  func endWatch() {
    state.withLock { $0.watch.take() }?.cancel()
  }

  private func watch() async {
    while let end = nextEnd() {
      guard stopwatch() < end else {
        let reason = "no data was received in this time"
        return channel.abandon(with: TransportError(code: .timedOut, phase: .body, elapsed: limit, reason: reason))
      }
      // A clock that does not wait, and whose time does not pass, ends nothing.
      guard (try? await stopwatch.sleep(until: end)) != nil, stopwatch() >= end else { return }
    }
  }

  /// Returns the end of the limit of the present wait. Without a wait, the watch is over.
  private func nextEnd() -> Duration? {
    state.withLock { state in
      if state.waitStart == nil { state.watch = nil }
      return state.waitStart.map { $0 + limit }
    }
  }
}

package enum BodyEvent: Sendable {
  case chunk(Data)
  /// The complete body was read.
  case ended
  /// Reading failed; no other event follows.
  case failed(TransportError)
  /// The body was released before its end.
  case dropped
}

/// A body that reports how it is read: each chunk, and its end once, whatever the reason for the end.
final class ObservedBody: Sendable {
  private let source: TransportBody.Source
  private let observe: @Sendable (BodyEvent) -> Void
  private let isOver = Atomic(false)

  init(_ source: TransportBody.Source, _ observe: @escaping @Sendable (BodyEvent) -> Void) {
    self.source = source
    self.observe = observe
  }

  deinit {
    end(.dropped)
  }

  var channel: BodyChannel? { source.channel }

  func next() async throws(TransportError) -> Data? {
    do throws(TransportError) {
      guard let chunk = try await source.next() else {
        end(.ended)
        return nil
      }
      observe(.chunk(chunk))
      return chunk
    } catch {
      end(.failed(error))
      throw error
    }
  }

  private func end(_ event: BodyEvent) {
    if !isOver.exchange(true, ordering: .relaxed) { observe(event) }
  }
}

/// The chunks of a streamed response, whose total is checked against the length announced in its head.
///
/// Every error is a `TransportError`. The session marks the end of the body and distinguishes a truncated body from a complete one. If a
/// reader is cancelled after the end, it has therefore read the complete body.
final class ResponseChunks: ChunkProducer {
  private var iterator: TransportBody.AsyncIterator
  private let length: Int?
  private var progress: ProgressCounter?
  private var count = 0

  init(_ body: TransportBody, length: Int?, progress: ProgressCounter?) {
    iterator = body.makeAsyncIterator()
    self.length = length
    self.progress = progress
  }

  var cancellation: any Error { TransportError(code: .cancelled) }

  func next() async throws -> Data? {
    guard let chunk = try await iterator.next() else {
      if let length, count < length { throw TransportError(truncatedAfter: count, of: length) }
      progress?.finish()
      return nil
    }
    count += chunk.count
    if let length, count > length {
      throw TransportError(
        code: .malformedResponse, phase: .body, reason: "more than the announced \(length) bytes were received")
    }
    progress?.add(chunk.count)
    return chunk
  }
}

extension TransportError {
  /// Creates the error of a response body that ended after `count` of the `length` bytes that its head announces.
  package init(truncatedAfter count: Int, of length: Int) {
    self.init(
      code: .truncatedResponse, phase: .body, reason: "only \(count) of \(length) bytes were received")
  }
}

extension HTTP.Response {
  /// Returns the response with `body` as a stream, with the media type and the length that its fields state.
  func streaming(_ body: TransportBody, progress: ProgressCounter?) -> HTTP.Response {
    let length = announcedLength
    var response = self
    response.body = HTTP.Body(
      storage: .stream(OneShotStream(length: length) { ResponseChunks(body, length: length, progress: progress) }),
      contentType: headers.contentType)
    return response
  }

  /// The length of the body in bytes. `nil` if the fields do not state it, contradict each other, or state the compressed length.
  ///
  /// Source: RFC 9112 §6.3.
  package var announcedLength: Int? {
    guard !headers.contains(.contentEncoding) || headers.contentCodings.isEmpty, !headers.contains(.transferEncoding),
      case .bytes(let length) = headers.contentLength
    else { return nil }
    return length
  }
}

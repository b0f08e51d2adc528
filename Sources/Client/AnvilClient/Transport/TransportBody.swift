internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

    /// Returns the next chunk, which is never empty; `nil` at the end.
    public mutating func next() async throws(TransportError) -> Data? {
      try await source.next()
    }
  }

  let source: Source

  init(_ source: Source) {
    self.source = source
  }

  /// Creates a body whose bytes are all available.
  public init(_ data: Data) {
    self.init(.whole(WholeBody(data)))
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

  /// The number of bytes of a body that is available as a whole; `nil` for any other body.
  var wholeCount: Int? {
    if case .whole(let body) = source { body.count } else { nil }
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
  /// The source of the chunks.
  enum Source: Sendable {
    /// A body that is complete when its head is delivered, as most bodies are. It needs no channel.
    case whole(WholeBody)
    case channel(BodyReader)
    /// A body with an observer.
    case observed(ObservedBody)
    /// A body with time limits.
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
  /// The number of bytes of the body. It does not change when the bytes are taken.
  let count: Int
  private let data: Mutex<Data?>

  init(_ data: Data) {
    count = data.count
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

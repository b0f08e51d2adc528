internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A response's body as it arrives: chunks in order, then the end or the ``TransportError`` that cut it short.
///
/// Read it once; a second iterator goes on where the first stopped. When every copy of the body and its iterators is gone
/// before the end, the transfer is cancelled. A body that has ended before its reader was cancelled can still be read.
public struct TransportBody: AsyncSequence, Sendable {
  /// Gives the chunks in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let source: Source

    /// The next chunk, never empty; `nil` at the end.
    ///
    /// - Throws: what cut the body short, or `TransportError.Code.cancelled` when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(TransportError) -> Data?
    {
      try await source.next()
    }

    /// The next chunk, never empty; `nil` at the end.
    public mutating func next() async throws(TransportError) -> Data? {
      try await source.next()
    }
  }

  let source: Source

  private init(_ source: Source) {
    self.source = source
  }

  /// A body whose bytes are all there.
  public init(_ data: Data) {
    self.init(.whole(WholeBody(data)))
  }

  /// The same body, of which `observe` hears what is read, and once that it is over.
  ///
  /// - Parameter observe: called from whichever task reads, one call at a time, before that gets the chunk; at the end from
  ///   wherever the last copy of the body goes.
  package func observed(_ observe: @escaping @Sendable (BodyEvent) -> Void) -> TransportBody {
    TransportBody(.observed(ObservedBody(source, observe)))
  }

  /// A body and the end through which a session fills it.
  ///
  /// A body whose reader is slower than the network holds what its writer has sent too much of: a session that can hold
  /// its source back does so from a `pause` to the next `resume`. One that cannot leaves `onFlow` out, and the body grows.
  ///
  /// - Parameters:
  ///   - onAbandon: called once, when nobody is left to read the body or the reading task is cancelled, unless the body was
  ///     finished before.
  ///   - onFlow: called with `pause` and `resume` in turn, one call at a time, from whichever thread writes or reads; it may
  ///     write. After the end of the body, abandoned or finished, comes at most a call that was on its way.
  public static func makeStream(
    onAbandon: @escaping @Sendable () -> Void = {}, onFlow: (@Sendable (Flow) -> Void)? = nil
  ) -> (body: TransportBody, writer: Writer) {
    let channel = BodyChannel(onAbandon: onAbandon, onFlow: onFlow)
    return (TransportBody(.channel(BodyReader(channel: channel))), Writer(channel: channel))
  }

  /// Begins or goes on to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source: source)
  }

  /// What a body asks of the session that fills it.
  public enum Flow: Hashable, Sendable {
    /// A MiB or more waits to be read: hold back. What is on its way is taken all the same.
    case pause
    /// Not more than 256 KiB of that are left: go on.
    case resume
  }

  /// The end of a body through which a session fills it; from any thread, without waiting.
  public struct Writer: Sendable {
    let channel: BodyChannel

    /// What the body asks for now. After a pause that is seen here `onFlow` is called with `resume`, unless the body has
    /// ended: then it is a pause for good.
    public var flow: Flow { channel.flow }

    /// Appends a chunk; an empty one is left out, and so is any that comes after the end.
    public func yield(_ chunk: Data) {
      channel.yield(chunk)
    }

    /// Ends the body, with the error that cut it short if there is one. Only the first call counts.
    public func finish(_ error: TransportError? = nil) {
      channel.finish(error)
    }
  }
}

extension TransportBody {
  /// Where the chunks come from.
  enum Source: Sendable {
    /// All of them are there, as most bodies are when their head is handed over: they need no channel.
    case whole(WholeBody)
    case channel(BodyReader)
    /// Somebody hears what is read.
    case observed(ObservedBody)

    /// What hands the chunks over; `nil` where all of them are there.
    var channel: BodyChannel? {
      switch self {
      case .whole: nil
      case .channel(let reader): reader.channel
      case .observed(let body): body.channel
      }
    }

    func next() async throws(TransportError) -> Data? {
      switch self {
      case .whole(let body): body.take()
      case .channel(let reader): try await reader.channel.next()
      case .observed(let body): try await body.next()
      }
    }
  }
}

/// A body that is there as a whole and is read once.
final class WholeBody: Sendable {
  private let data: Mutex<Data?>

  init(_ data: Data) {
    self.data = Mutex(data.isEmpty ? nil : data)
  }

  /// The bytes, the first time.
  func take() -> Data? { data.withLock { $0.take() } }
}

/// The reading end, shared by a body's copies and iterators: when it goes, nobody is left to read.
final class BodyReader: Sendable {
  let channel: BodyChannel

  init(channel: BodyChannel) {
    self.channel = channel
  }

  deinit {
    channel.abandon()
  }
}

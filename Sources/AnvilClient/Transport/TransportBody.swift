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
    let reader: BodyReader

    /// The next chunk, never empty; `nil` at the end.
    ///
    /// - Throws: what cut the body short, or `TransportError.Code.cancelled` when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(TransportError) -> Data?
    {
      try await reader.channel.next()
    }

    /// The next chunk, never empty; `nil` at the end.
    public mutating func next() async throws(TransportError) -> Data? {
      try await reader.channel.next()
    }
  }

  private let reader: BodyReader

  init(reader: BodyReader) {
    self.reader = reader
  }

  /// A body whose bytes are all there.
  public init(_ data: Data) {
    let channel = BodyChannel()
    channel.yield(data)
    channel.finish()
    self.init(reader: BodyReader(channel: channel))
  }

  /// A body and the end through which a session fills it.
  ///
  /// - Parameter onAbandon: called once, when nobody is left to read the body or the reading task is cancelled, unless the
  ///   body was finished before.
  public static func makeStream(onAbandon: @escaping @Sendable () -> Void = {}) -> (body: TransportBody, writer: Writer)
  {
    let channel = BodyChannel(onAbandon: onAbandon)
    return (TransportBody(reader: BodyReader(channel: channel)), Writer(channel: channel))
  }

  /// Begins or goes on to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: reader)
  }

  /// The end of a body through which a session fills it; from any thread, without waiting.
  public struct Writer: Sendable {
    let channel: BodyChannel

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

/// Hands chunks from a session's thread to one reading task.
///
/// Unbounded: whoever writes decides how far ahead it runs. Back-pressure comes with the sessions that can have it.
final class BodyChannel: Sendable {
  private typealias Reading = CheckedContinuation<Result<Data?, TransportError>, Never>

  private struct State {
    var chunks: [Data] = []
    var firstChunk = 0
    var end: Result<Data?, TransportError>?
    var reading: Reading?
    var onAbandon: (@Sendable () -> Void)?

    mutating func takeChunk() -> Data? {
      guard firstChunk < chunks.count else { return nil }
      defer {
        firstChunk += 1
        if firstChunk == chunks.count {
          chunks.removeAll(keepingCapacity: true)
          firstChunk = 0
        }
      }
      let chunk = chunks[firstChunk]
      chunks[firstChunk] = Data()
      return chunk
    }
  }

  private let state: Mutex<State>

  init(onAbandon: (@Sendable () -> Void)? = nil) {
    state = Mutex(State(onAbandon: onAbandon))
  }

  func yield(_ chunk: Data) {
    guard !chunk.isEmpty else { return }
    let reading = state.withLock { state -> Reading? in
      guard state.end == nil else { return nil }
      if let reading = state.reading.take() { return reading }
      state.chunks.append(chunk)
      return nil
    }
    reading?.resume(returning: .success(chunk))
  }

  func finish(_ error: TransportError? = nil) {
    let end = error.map { Result<Data?, TransportError>.failure($0) } ?? .success(nil)
    let reading = state.withLock { state -> Reading? in
      guard state.end == nil else { return nil }
      state.end = end
      state.onAbandon = nil
      return state.reading.take()
    }
    reading?.resume(returning: end)
  }

  func next() async throws(TransportError) -> Data? {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (reading: Reading) in
        if let result = register(reading) { reading.resume(returning: result) }
      }
    } onCancel: {
      abandon()
    }
    return try result.get()
  }

  /// What can be read at once; otherwise keeps `reading` for when there is something.
  private func register(_ reading: Reading) -> Result<Data?, TransportError>? {
    state.withLock { state in
      // A cancelled reader gets no more chunks: part of a body must not look like a whole one.
      if case .failure(let error) = state.end, error.code == .cancelled { return .failure(error) }
      if let chunk = state.takeChunk() { return .success(chunk) }
      if let end = state.end { return end }
      guard state.reading == nil else {
        return .failure(TransportError(code: .other, reason: "the body is being read by another task"))
      }
      state.reading = reading
      return nil
    }
  }

  /// Ends the body as cancelled and tells the writer, unless it has ended already.
  func abandon() {
    let cancelled = TransportError(code: .cancelled)
    let (reading, onAbandon) = state.withLock { state -> (Reading?, (@Sendable () -> Void)?) in
      guard state.end == nil else { return (nil, nil) }
      state.end = .failure(cancelled)
      return (state.reading.take(), state.onAbandon.take())
    }
    reading?.resume(returning: .failure(cancelled))
    onAbandon?()
  }
}

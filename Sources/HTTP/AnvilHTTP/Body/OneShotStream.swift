internal import AnvilBase
internal import Synchronization

/// A stream of chunks that can be taken once.
package final class OneShotStream: Sendable {
  /// The declared number of bytes; `nil` if it is unknown.
  let length: Int?
  let trailers: (@Sendable () -> HTTP.Headers)?
  private let source: Mutex<Source>

  /// The value of the mutex. It is a structure, because each access to a mutex that contains a closure directly would wrap the closure in
  /// two further closures.
  private struct Source {
    var makeProducer: (@Sendable () -> any ChunkProducer)?
  }

  init<Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks, length: Int?, trailers: (@Sendable () -> HTTP.Headers)? = nil
  ) where Chunks.Element == Data {
    self.length = length
    self.trailers = trailers
    source = Mutex(Source { SequenceChunks(chunks.makeAsyncIterator(), length: length) })
  }

  /// Creates a stream of the chunks of `producer`. The producer must check their total against `length`.
  package init(length: Int?, producer: @escaping @Sendable () -> any ChunkProducer) {
    self.length = length
    trailers = nil
    source = Mutex(Source(makeProducer: producer))
  }

  var isTaken: Bool {
    source.withLock { $0.makeProducer == nil }
  }

  /// Returns the chunks on the first call; `nil` afterwards.
  func take() -> (any ChunkProducer)? {
    source.withLock { $0.makeProducer.take() }?()
  }
}

/// The chunks of any asynchronous sequence, without empty ones. Their total is checked against the declared length.
private final class SequenceChunks<Iterator: AsyncIteratorProtocol>: ChunkProducer where Iterator.Element == Data {
  private var iterator: Iterator
  private let length: Int?
  private var count = 0

  init(_ iterator: Iterator, length: Int?) {
    self.iterator = iterator
    self.length = length
  }

  func next() async throws -> Data? {
    while let chunk = try await iterator.next(isolation: #isolation) {
      guard !chunk.isEmpty else { continue }
      count += chunk.count
      if let length, count > length { throw HTTP.BodyError.wrongLength(expected: length, found: count) }
      return chunk
    }
    // A cancelled sequence may end early without an error, which must not be mistaken for its end.
    try Task.checkCancellation()
    if let length, count < length { throw HTTP.BodyError.wrongLength(expected: length, found: count) }
    return nil
  }
}

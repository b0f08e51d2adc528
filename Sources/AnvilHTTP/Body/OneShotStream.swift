internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A stream of chunks that is handed to the first who asks and to no one after.
package final class OneShotStream: Sendable {
  /// How many bytes the stream promises, if it does.
  let length: Int?
  /// Returns the trailer fields, once the stream has ended.
  let trailers: (@Sendable () -> HTTP.Headers)?
  private let source: Mutex<Source>

  /// In a structure: each access to a mutex of a bare closure would wrap it in two more closures.
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

  /// A stream of what `producer` makes, which sees to the promised length itself.
  package init(length: Int?, producer: @escaping @Sendable () -> any ChunkProducer) {
    self.length = length
    trailers = nil
    source = Mutex(Source(makeProducer: producer))
  }

  /// Whether someone has taken the chunks.
  var isTaken: Bool {
    source.withLock { $0.makeProducer == nil }
  }

  /// The chunks, the first time; `nil` ever after.
  func take() -> (any ChunkProducer)? {
    source.withLock { $0.makeProducer.take() }?()
  }
}

/// The chunks of any asynchronous sequence, counted against the promised length, empty ones left out.
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
    // A cancelled sequence ends early without an error: never take that for its end.
    try Task.checkCancellation()
    if let length, count < length { throw HTTP.BodyError.wrongLength(expected: length, found: count) }
    return nil
  }
}

internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Cuts bytes that come in chunks into pieces, without holding more than one of them and a chunk.
protocol ChunkSplitter {
  associatedtype Piece

  /// Takes the next bytes; those before have been used up: ``next()`` has returned `nil`.
  mutating func append(_ chunk: Data)
  /// The next piece; `nil` when it does not end in what has been given.
  mutating func next() throws -> Piece?
  /// The piece that the end of the bytes ends, if there is one.
  mutating func finish() throws -> Piece?
}

extension ElementSplitter: ChunkSplitter {}
extension LineSplitter: ChunkSplitter {}
extension ServerSentEventParser: ChunkSplitter {}

/// Reads a body piece by piece, a chunk only when it is needed.
struct PieceReader<Splitter: ChunkSplitter> {
  /// `nil` after the end and after an error, so that nobody holds on to a transfer that is no longer read.
  private var chunks: HTTP.Body.AsyncIterator?
  private(set) var splitter: Splitter

  init(_ body: HTTP.Body, _ splitter: Splitter) {
    chunks = body.makeAsyncIterator()
    self.splitter = splitter
  }

  /// The next piece; `nil` at the end and after an error.
  ///
  /// - Throws: what the splitter and reading the body throw, as it is, and `CancellationError` when the task is cancelled.
  mutating func next() async throws -> Splitter.Piece? {
    do {
      while chunks != nil {
        try Task.checkCancellation()
        if let piece = try splitter.next() { return piece }
        guard let chunk = try await chunks?.next() else {
          // What a cancelled reader has got is not the whole.
          try Task.checkCancellation()
          chunks = nil
          return try splitter.finish()
        }
        splitter.append(chunk)
      }
      return nil
    } catch {
      chunks = nil
      throw error
    }
  }

  /// Reads no further.
  mutating func stop() {
    chunks = nil
  }
}

internal import AnvilHTTP
internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Splits bytes that arrive in chunks into pieces, with at most a piece and a chunk in memory.
protocol ChunkSplitter {
  associatedtype Piece

  /// Appends the next bytes. The previous chunk must be used up: ``next()`` has returned `nil`.
  mutating func append(_ chunk: Data)
  /// Returns the next piece; `nil` if more bytes are needed.
  mutating func next() throws -> Piece?
  /// Returns the last piece, which consists of the remaining bytes; `nil` if no bytes remain.
  mutating func finish() throws -> Piece?
}

extension ElementSplitter: ChunkSplitter {}
extension LineSplitter: ChunkSplitter {}
extension ServerSentEventParser: ChunkSplitter {}

/// Reads a body piece by piece. A chunk is read only when it is needed.
struct PieceReader<Splitter: ChunkSplitter> {
  /// The remaining chunks of the body. `nil` after the end and after an error, so that the transfer is released.
  private var chunks: HTTP.Body.AsyncIterator?
  private(set) var splitter: Splitter

  init(_ body: HTTP.Body, _ splitter: Splitter) {
    chunks = body.makeAsyncIterator()
    self.splitter = splitter
  }

  /// Returns the next piece; `nil` at the end and after an error.
  ///
  /// - Throws: Errors of the splitter and of reading the body, unchanged, and `CancellationError` if the task is cancelled.
  mutating func next() async throws -> Splitter.Piece? {
    do {
      while chunks != nil {
        try Task.checkCancellation()
        if let piece = try splitter.next() { return piece }
        guard let chunk = try await chunks?.next() else {
          // A cancelled read may end early, which must not be mistaken for the end of the body.
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

  /// Stops reading.
  mutating func stop() {
    chunks = nil
  }
}

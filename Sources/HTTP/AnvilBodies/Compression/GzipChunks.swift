internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The chunks of a body, compressed as they are read. At most a chunk and zlib's window are in memory.
struct GzipChunks: AsyncSequence, Sendable {
  let body: HTTP.Body
  let level: GzipLevel

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(chunks: body.makeAsyncIterator(), encoder: GzipEncoder(level: level.number))
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    private enum State {
      case ready
      case finished
    }

    private var chunks: HTTP.Body.AsyncIterator
    private let encoder: GzipEncoder?
    private var state = State.ready

    init(chunks: HTTP.Body.AsyncIterator, encoder: GzipEncoder?) {
      self.chunks = chunks
      self.encoder = encoder
    }

    mutating func next() async throws -> Data? {
      guard case .ready = state else { return nil }
      guard let encoder else { throw HTTP.BodyError.compressionFailed }
      while let chunk = try await chunks.next() {
        let compressed = encoder.compress(chunk)
        if !compressed.isEmpty { return compressed }
      }
      // A cancelled sequence may end early without an error, and must not produce a complete gzip member.
      try Task.checkCancellation()
      state = .finished
      return encoder.finish()
    }
  }
}

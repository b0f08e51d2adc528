import Foundation

/// An endless sequence that repeats one chunk.
struct EndlessChunks: AsyncSequence, Sendable {
  struct AsyncIterator: AsyncIteratorProtocol {
    let chunk: Data

    mutating func next() async -> Data? { Task.isCancelled ? nil : chunk }
  }

  let chunk: Data

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunk: chunk) }
}

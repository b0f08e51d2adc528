import Foundation

/// The same chunk again and again.
struct EndlessChunks: AsyncSequence, Sendable {
  struct AsyncIterator: AsyncIteratorProtocol {
    let chunk: Data

    mutating func next() async -> Data? { Task.isCancelled ? nil : chunk }
  }

  let chunk: Data

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunk: chunk) }
}

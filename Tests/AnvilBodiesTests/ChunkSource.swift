import AnvilHTTP
import Foundation
import Synchronization

/// Chunks that are counted as they are asked for, and then an end.
final class ChunkSource: AsyncSequence, Sendable {
  enum End: Sendable {
    case end
    case error(any Error)
    /// Nothing comes until the reader is cancelled, which then looks like an end.
    case silence
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    let source: ChunkSource

    mutating func next() async throws -> Data? { try await source.next() }
  }

  private struct State {
    var chunks: ArraySlice<Data>
    var readCount = 0
  }

  private let state: Mutex<State>
  private let end: End

  init(_ chunks: [Data], then end: End = .end) {
    state = Mutex(State(chunks: chunks[...]))
    self.end = end
  }

  convenience init(_ texts: [String], then end: End = .end) {
    self.init(texts.map { Data($0.utf8) }, then: end)
  }

  /// How many chunks have been given.
  var readCount: Int { state.withLock(\.readCount) }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: self) }

  private func next() async throws -> Data? {
    let chunk = state.withLock { state -> Data? in
      guard let chunk = state.chunks.popFirst() else { return nil }
      state.readCount += 1
      return chunk
    }
    if let chunk { return chunk }
    switch end {
    case .end: break
    case .error(let error): throw error
    case .silence: for await _ in AsyncStream<Void>.makeStream().stream {}
    }
    return nil
  }
}

extension HTTP.Body {
  /// The chunks as a stream.
  static func chunks(_ texts: String..., then end: ChunkSource.End = .end) -> HTTP.Body {
    .stream(ChunkSource(texts, then: end))
  }

  /// `data` as a stream of chunks of these sizes, in turn; those of 0 are left out.
  static func cut(_ data: Data, sizes: [Int]) -> HTTP.Body {
    var chunks: [Data] = []
    var rest = data
    var turn = 0
    while !rest.isEmpty {
      // Copies: slices would all begin where the data does.
      chunks.append(Data(rest.prefix(sizes[turn % sizes.count])))
      rest = rest.dropFirst(sizes[turn % sizes.count])
      turn += 1
    }
    return .stream(ChunkSource(chunks))
  }

  /// `text` in every two chunks and in chunks of one byte.
  static func cuttings(of text: String) -> [HTTP.Body] {
    let data = Data(text.utf8)
    return [HTTP.Body(data), .cut(data, sizes: [1])]
      + (0..<data.count).map { .cut(data, sizes: [$0, data.count]) }
  }
}

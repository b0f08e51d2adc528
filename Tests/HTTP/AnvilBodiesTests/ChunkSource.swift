import AnvilHTTP
import Foundation
import Synchronization

/// A sequence of chunks that counts the requested chunks, followed by an end.
final class ChunkSource: AsyncSequence, Sendable {
  enum End: Sendable {
    case end
    case error(any Error)
    /// No end until the reader is cancelled. The sequence then ends normally.
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

  /// The number of chunks that were read.
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

  /// Returns `data` as a stream of chunks with these sizes, in turn. A size of 0 yields no chunk.
  static func cut(_ data: Data, sizes: [Int]) -> HTTP.Body {
    var chunks: [Data] = []
    var rest = data
    var turn = 0
    while !rest.isEmpty {
      // A copy: the indices of a slice would not begin at 0.
      chunks.append(Data(rest.prefix(sizes[turn % sizes.count])))
      rest = rest.dropFirst(sizes[turn % sizes.count])
      turn += 1
    }
    return .stream(ChunkSource(chunks))
  }

  /// Returns `text` divided into two chunks at each position, and into chunks of one byte.
  static func cuttings(of text: String) -> [HTTP.Body] {
    let data = Data(text.utf8)
    return [HTTP.Body(data), .cut(data, sizes: [1])]
      + (0..<data.count).map { .cut(data, sizes: [$0, data.count]) }
  }
}

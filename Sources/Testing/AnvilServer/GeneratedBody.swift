package import AnvilBase
internal import Synchronization

/// A body as a sequence of steps that send it, of which each is produced after the previous one was performed. Source: RFC 9112 §7.1.
struct GeneratedBody: Sequence, IteratorProtocol {
  enum Framing {
    /// Each chunk is preceded by its size, and the last chunk is followed by this trailer section.
    case chunks(trailers: Data)
    /// The head contains the length of the body. Further bytes are not sent.
    case length(Int)
    /// The connection is closed at the end of the body.
    case close
  }

  private enum State {
    case start
    case between
    /// The last step was the pause before this chunk.
    case paused(Data)
    case end
  }

  private var chunks: any IteratorProtocol<Data>
  private let failable: FailableChunks?
  private let isCutShort: Bool
  private let interval: Duration
  private let framing: Framing
  private var state = State.start
  private var count = 0

  /// - Parameter isCutShort: True if the connection is reset after the chunks, in place of the end of the body.
  init(_ chunks: any Sequence<Data>, every interval: Duration, framing: Framing, isCutShort: Bool = false) {
    self.chunks = chunks.makeIterator()
    failable = chunks as? FailableChunks
    self.interval = interval
    self.framing = framing
    self.isCutShort = isCutShort
  }

  /// True if the client can find the end of the body while the connection stays open, which otherwise must be closed.
  var isComplete: Bool {
    switch framing {
    case .chunks: true
    case .length(let length): count == length
    case .close: false
    }
  }

  mutating func next() -> LoopbackServer.Step? {
    switch state {
    case .end: return nil
    case .paused(let chunk):
      state = .between
      return send(chunk)
    case .start, .between:
      guard let chunk = nextChunk() else {
        state = .end
        guard !isCutShort, failable?.hasFailed != true else { return .reset }
        guard case .chunks(let trailers) = framing else { return nil }
        return .send(Self.lastChunk(trailers: trailers))
      }
      if case .between = state, interval > .zero {
        state = .paused(chunk)
        return .wait(interval)
      }
      state = .between
      return send(chunk)
    }
  }

  /// Returns the next chunk that is not empty, cut to the announced length. Empty chunks are skipped, as they would end the body.
  private mutating func nextChunk() -> Data? {
    while count < limit, let chunk = chunks.next() {
      guard !chunk.isEmpty else { continue }
      let part = chunk.prefix(limit - count)
      count += part.count
      return part
    }
    return nil
  }

  private var limit: Int {
    if case .length(let length) = framing { length } else { .max }
  }

  private func send(_ chunk: Data) -> LoopbackServer.Step {
    guard case .chunks = framing else { return .send(chunk) }
    return .send(Self.chunk(chunk))
  }

  /// Returns `content` as a chunk, preceded by its size. `content` must not be empty.
  static func chunk(_ content: Data) -> Data {
    Data("\(String(content.count, radix: 16))\r\n".utf8) + content + Data("\r\n".utf8)
  }

  static func lastChunk(trailers: Data) -> Data {
    Data("0\r\n".utf8) + trailers + Data("\r\n".utf8)
  }
}

/// The chunks of a body whose source may fail. The connection is then reset, so that a part of the body does not look complete.
package final class FailableChunks: Sequence, IteratorProtocol, Sendable {
  private let produce: @Sendable () throws -> Data?
  private let failed = Mutex(false)

  init(_ produce: @escaping @Sendable () throws -> Data?) {
    self.produce = produce
  }

  var hasFailed: Bool { failed.withLock { $0 } }

  package func next() -> Data? {
    do {
      return try produce()
    } catch {
      failed.withLock { $0 = true }
      return nil
    }
  }
}

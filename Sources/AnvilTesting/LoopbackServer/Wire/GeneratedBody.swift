#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A body as the steps that send it, each made when the one before it is done: of the body there is one chunk in memory.
///
/// Source: RFC 9112 §7.1.
struct GeneratedBody: Sequence, IteratorProtocol {
  /// How the client finds the end of the body.
  enum Framing {
    /// Each chunk by its size, and the last followed by this trailer section.
    case chunks(trailers: Data)
    /// The head has said how many bytes come: no more are sent.
    case length(Int)
    /// The end of the connection.
    case close
  }

  private enum Place {
    case start
    case between
    /// After the pause, with the chunk that comes next.
    case paused(Data)
    case end
  }

  private var chunks: any IteratorProtocol<Data>
  private let failable: FailableChunks?
  private let interval: Duration
  private let framing: Framing
  private var place = Place.start
  private var count = 0

  init(_ chunks: any Sequence<Data>, every interval: Duration, framing: Framing) {
    self.chunks = chunks.makeIterator()
    failable = chunks as? FailableChunks
    self.interval = interval
    self.framing = framing
  }

  /// Whether all was sent that the head announced: unless it was, the connection has to end with the body.
  var isComplete: Bool {
    switch framing {
    case .chunks: true
    case .length(let length): count == length
    case .close: false
    }
  }

  mutating func next() -> LoopbackServer.Step? {
    switch place {
    case .end: return nil
    case .paused(let chunk):
      place = .between
      return send(chunk)
    case .start, .between:
      guard let chunk = nextChunk() else {
        place = .end
        guard failable?.hasFailed != true else { return .reset }
        guard case .chunks(let trailers) = framing else { return nil }
        return .send(Self.lastChunk(trailers: trailers))
      }
      if case .between = place, interval > .zero {
        place = .paused(chunk)
        return .wait(interval)
      }
      place = .between
      return send(chunk)
    }
  }

  /// The next chunk that is not empty, as an empty one would end the body, cut to what the head has announced.
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

  /// A chunk, which is not empty, with its size.
  static func chunk(_ content: Data) -> Data {
    Data("\(String(content.count, radix: 16))\r\n".utf8) + content + Data("\r\n".utf8)
  }

  /// The chunk that ends a body.
  static func lastChunk(trailers: Data) -> Data {
    Data("0\r\n".utf8) + trailers + Data("\r\n".utf8)
  }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reading a body chunk by chunk. Chunks are never empty; their sizes are the producer's.
extension HTTP.Body: AsyncSequence {
  /// Gives a body's chunks in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private enum State {
      case bytes(Data)
      case chunks(any ChunkProducer)
      case failed(HTTP.BodyError)
      case done
    }

    private var state: State

    init(_ body: HTTP.Body) {
      state =
        switch body.storage {
        case .empty: .done
        case .data(let data): data.isEmpty ? .done : .bytes(data)
        case .value: Self.state(encoding: body)
        case .file(let url): .chunks(FileChunks(url))
        case .form(let form): form.error.map(State.failed) ?? .chunks(form.makeChunks())
        case .stream(let stream): stream.take().map(State.chunks) ?? .failed(.alreadyConsumed)
        }
    }

    private static func state(encoding body: HTTP.Body) -> State {
      do throws(HTTP.BodyError) {
        return .bytes(try body.bytes())
      } catch {
        return .failed(error)
      }
    }

    /// The next chunk; `nil` at the end.
    ///
    /// - Throws: ``HTTP/BodyError``, or what the stream's own sequence throws. After an error there are no more chunks.
    public mutating func next() async throws -> Data? {
      switch state {
      case .done: return nil
      case .bytes(let data):
        state = .done
        return data
      case .failed(let error):
        state = .done
        throw error
      case .chunks(let producer):
        do {
          if let chunk = try await producer.next() { return chunk }
          state = .done
          return nil
        } catch {
          state = .done
          throw error
        }
      }
    }
  }

  /// Begins to read the body; for a stream, the one time that it can be read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(self)
  }

  /// All bytes, in memory.
  ///
  /// - Parameter limit: the most bytes that are read.
  /// - Throws: ``HTTP/BodyError/tooLarge(limit:)`` as soon as there are more than `limit` bytes, and what reading throws.
  public func collect(upTo limit: Int = .max) async throws -> Data {
    if let length, length > limit { throw HTTP.BodyError.tooLarge(limit: limit) }
    if let data { return data }
    var collected = Data()
    for try await chunk in self {
      guard chunk.count <= limit - collected.count else { throw HTTP.BodyError.tooLarge(limit: limit) }
      collected.append(chunk)
    }
    return collected
  }
}

/// Gives chunks to one reader.
package protocol ChunkProducer: AnyObject {
  /// The next chunk, never empty; `nil` at the end.
  func next() async throws -> Data?
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reads a body chunk by chunk. Chunks are never empty; their sizes depend on the producer.
extension HTTP.Body: AsyncSequence {
  /// An iterator over the chunks of a body, in order.
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

    /// Returns the next chunk; `nil` at the end.
    ///
    /// - Throws: ``HTTP/BodyError``, or an error of the stream's underlying sequence. After an error there are no more chunks.
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

  /// Creates an iterator over the chunks. A stream can be read only once.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(self)
  }

  /// Returns all bytes in memory.
  ///
  /// - Parameter limit: The maximum number of bytes to read.
  /// - Throws: ``HTTP/BodyError/tooLarge(limit:)`` as soon as there are more than `limit` bytes, and errors of reading the body.
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

/// A source of chunks for one reader.
package protocol ChunkProducer: AnyObject {
  /// Returns the next chunk, which is not empty; `nil` at the end.
  func next() async throws -> Data?
}

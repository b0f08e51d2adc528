public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

public protocol ClientTransport: Sendable {
  func send(
    _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
  ) async throws -> (HTTPResponse, HTTPBody?)
}

public enum IterationBehavior: Sendable {
  case single, multiple
}

public final class HTTPBody: AsyncSequence, Sendable {
  public typealias ByteChunk = ArraySlice<UInt8>
  public typealias Element = ByteChunk

  public enum Length: Equatable, Sendable {
    case unknown
    case known(Int64)
  }

  public struct Iterator: AsyncIteratorProtocol {
    private let produce: () async throws -> ByteChunk?

    init<Chunks: AsyncSequence>(_ chunks: Chunks) where Chunks.Element == ByteChunk {
      var iterator = chunks.makeAsyncIterator()
      produce = { try await iterator.next() }
    }

    public mutating func next() async throws -> ByteChunk? { try await produce() }
  }

  public let iterationBehavior: IterationBehavior
  public let length: Length
  private let makeIterator: @Sendable () -> Iterator

  public init<Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks, length: Length, iterationBehavior: IterationBehavior
  ) where Chunks.Element == ByteChunk {
    makeIterator = { Iterator(chunks) }
    self.length = length
    self.iterationBehavior = iterationBehavior
  }

  public convenience init(_ data: Data) {
    let bytes = ArraySlice(data)
    self.init(
      AsyncStream { continuation in
        continuation.yield(bytes)
        continuation.finish()
      }, length: .known(Int64(bytes.count)), iterationBehavior: .multiple)
  }

  public func makeAsyncIterator() -> Iterator { makeIterator() }
}

/// More bytes than the caller accepts.
public struct TooManyBytesError: Error {}

extension Data {
  public init(collecting body: HTTPBody, upTo limit: Int) async throws {
    self.init()
    for try await chunk in body {
      guard count + chunk.count <= limit else { throw TooManyBytesError() }
      append(contentsOf: chunk)
    }
  }
}

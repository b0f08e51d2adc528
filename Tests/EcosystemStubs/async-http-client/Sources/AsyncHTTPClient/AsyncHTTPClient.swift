public import Logging
public import NIOCore
public import NIOHTTP1
import Synchronization

public final class HTTPClient: Sendable {
  public struct Configuration: Sendable {
    public struct RedirectConfiguration: Sendable {
      public static let disallow = RedirectConfiguration()
    }

    public var redirectConfiguration = RedirectConfiguration()

    public init() {}
  }

  public typealias Exchange = @Sendable (HTTPClientRequest, NIODeadline) async throws -> HTTPClientResponse

  private static let commonExchange = Mutex<Exchange?>(nil)

  private let exchange: Exchange?

  /// Only in the stub: performs the requests of all clients without an exchange of their own.
  public static func stub(_ exchange: @escaping Exchange) { commonExchange.withLock { $0 = exchange } }

  /// The parameter `exchange`, which performs the requests, is only in the stub.
  public init(configuration: Configuration = Configuration(), exchange: Exchange? = nil) { self.exchange = exchange }

  public func execute(
    _ request: HTTPClientRequest, deadline: NIODeadline, logger: Logger? = nil
  ) async throws -> HTTPClientResponse {
    guard let exchange = exchange ?? Self.commonExchange.withLock(\.self) else {
      fatalError("the stub of async-http-client has no exchange")
    }
    return try await exchange(request, deadline)
  }

  public func shutdown() async throws {}
}

public struct HTTPClientRequest: Sendable {
  public struct Body: Sendable, AsyncSequence {
    public typealias Element = ByteBuffer

    public struct Length: Sendable {
      public static let unknown = Length(count: nil)
      public static func known(_ count: Int64) -> Length { Length(count: count) }

      /// Only in the stub.
      public let count: Int64?
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      let produce: () async throws -> ByteBuffer?

      public mutating func next() async throws -> ByteBuffer? { try await produce() }
    }

    /// Only in the stub.
    public let length: Length
    private let makeIterator: @Sendable () -> AsyncIterator

    public static func stream<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Length) -> Body
    where Chunks.Element == ByteBuffer {
      Body(length: length) {
        var iterator = chunks.makeAsyncIterator()
        return AsyncIterator { try await iterator.next() }
      }
    }

    public func makeAsyncIterator() -> AsyncIterator { makeIterator() }
  }

  public var url: String
  public var method = HTTPMethod(rawValue: "GET")
  public var headers = HTTPHeaders()
  public var body: Body?

  public init(url: String) { self.url = url }
}

public struct HTTPResponseHead: Sendable {}

public struct HTTPClientRequestResponse: Sendable {
  public var request: HTTPClientRequest

  /// Only in the stub: the response of the library has a head, too.
  public init(request: HTTPClientRequest) { self.request = request }
}

public struct HTTPClientResponse: Sendable {
  public struct Body: Sendable, AsyncSequence {
    public typealias Element = ByteBuffer

    public struct AsyncIterator: AsyncIteratorProtocol {
      let produce: () async throws -> ByteBuffer?

      public mutating func next() async throws -> ByteBuffer? { try await produce() }
    }

    private let makeIterator: @Sendable () -> AsyncIterator

    public static func stream<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) -> Body
    where Chunks.Element == ByteBuffer {
      Body {
        var iterator = chunks.makeAsyncIterator()
        return AsyncIterator { try await iterator.next() }
      }
    }

    public func makeAsyncIterator() -> AsyncIterator { makeIterator() }
  }

  public var version: HTTPVersion
  public var status: HTTPResponseStatus
  public var headers: HTTPHeaders
  public var body: Body
  public var history: [HTTPClientRequestResponse]

  public init(
    version: HTTPVersion = .http1_1, status: HTTPResponseStatus, headers: HTTPHeaders = HTTPHeaders(), body: Body,
    history: [HTTPClientRequestResponse] = []
  ) {
    self.version = version
    self.status = status
    self.headers = headers
    self.body = body
    self.history = history
  }
}

public struct HTTPClientError: Error, Equatable, CustomStringConvertible, Sendable {
  public let description: String

  private init(_ name: String) { description = "HTTPClientError.\(name)" }

  public static let bodyLengthMismatch = HTTPClientError("bodyLengthMismatch")
  public static let cancelled = HTTPClientError("cancelled")
  public static let connectTimeout = HTTPClientError("connectTimeout")
  public static let deadlineExceeded = HTTPClientError("deadlineExceeded")
  public static let emptyHost = HTTPClientError("emptyHost")
  public static let emptyScheme = HTTPClientError("emptyScheme")
  public static let getConnectionFromPoolTimeout = HTTPClientError("getConnectionFromPoolTimeout")
  public static let httpProxyHandshakeTimeout = HTTPClientError("httpProxyHandshakeTimeout")
  public static let invalidProxyResponse = HTTPClientError("invalidProxyResponse")
  public static let invalidURL = HTTPClientError("invalidURL")
  public static let proxyAuthenticationRequired = HTTPClientError("proxyAuthenticationRequired")
  public static let readTimeout = HTTPClientError("readTimeout")
  public static let redirectCycleDetected = HTTPClientError("redirectCycleDetected")
  public static let redirectLimitReached = HTTPClientError("redirectLimitReached")
  public static let remoteConnectionClosed = HTTPClientError("remoteConnectionClosed")
  public static let requestStreamCancelled = HTTPClientError("requestStreamCancelled")
  public static let socksHandshakeTimeout = HTTPClientError("socksHandshakeTimeout")
  public static let tlsHandshakeTimeout = HTTPClientError("tlsHandshakeTimeout")
  public static let traceRequestWithBody = HTTPClientError("traceRequestWithBody")
  public static let uncleanShutdown = HTTPClientError("uncleanShutdown")
  public static let writeTimeout = HTTPClientError("writeTimeout")
}

#if AsyncHTTPClient && ECOSYSTEM_STUBS
import Anvil
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Performs the requests of the stub of async-http-client with libcurl, and fails as the library does.
enum StubbedExchange {
  private static let session: CurlSession = {
    var configuration = CurlSession.Configuration()
    configuration.decompression = .off
    return CurlSession(configuration: configuration)
  }()

  static func perform(_ request: HTTPClientRequest, until deadline: NIODeadline) async throws -> HTTPClientResponse {
    guard let url = URL(string: request.url) else { throw HTTPClientError.invalidURL }
    let headers = HTTP.Headers(
      request.headers.map { HTTP.Headers.Field(.init(rawValue: $0.name), .init(rawValue: $0.value)) })
    let body = request.body.map { body in
      HTTP.Body.stream(body.map { Data($0.readableBytesView) }, length: body.length.count.map(Int.init))
    }
    let message = HTTP.Request(
      method: HTTP.Method(rawValue: request.method.rawValue), url: url, headers: headers, body: body ?? .empty)
    do throws(TransportError) {
      let response = try await session.send(
        message, options: TransportOptions(timeout: deadline.instant.map { $0 - .now }, responseDelivery: .streamed))
      let chunks = response.body
      return HTTPClientResponse(
        status: HTTPResponseStatus(statusCode: response.head.code),
        headers: NIOHTTP1.HTTPHeaders(response.head.headers.map { ($0.key.rawValue, $0.value.rawValue) }),
        body: .stream(FailingChunks(body: chunks)),
        history: [HTTPClientRequestResponse(request: request)])
    } catch {
      throw error.asClientError(host: url.host() ?? "")
    }
  }

  private struct FailingChunks: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
      var chunks: TransportBody.AsyncIterator

      mutating func next() async throws -> ByteBuffer? {
        do throws(TransportError) {
          return try await chunks.next().map { ByteBuffer(bytes: $0) }
        } catch {
          throw error.asClientError(host: "")
        }
      }
    }

    let body: TransportBody

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: body.makeAsyncIterator()) }
  }
}

extension TransportError {
  /// The error of the library for this one.
  fileprivate func asClientError(host: String) -> any Error {
    switch code {
    case .cancelled: HTTPClientError.cancelled
    case .timedOut: HTTPClientError.deadlineExceeded
    case .connectionLost: HTTPClientError.remoteConnectionClosed
    case .truncatedResponse: HTTPParserError.invalidEOFState
    case .noConnection: IOError(errnoCode: ECONNREFUSED, reason: "connect")
    case .malformedResponse: HTTPParserError.unknown
    case .hostNotFound: NIOConnectionError(host: host, port: 0, isUnknownHost: true, self)
    case .requestBodyFailed: underlyingError ?? self
    default: self
    }
  }
}
#endif

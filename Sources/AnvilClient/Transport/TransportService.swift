public import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sends requests through a session and sorts what came back: a success, or a failure that says which kind.
public struct TransportService: Sendable {
  /// How much of the body of a failure is kept where a stream was asked for: an error's text, not a download.
  private static let streamedFailureLimit = 1 << 20

  private let session: any TransportSession

  /// A service over `session`.
  ///
  /// - Parameter interceptors: asked in order, the first one outermost: it sees a request first and its response last.
  public init(session: any TransportSession, interceptors: [any Interceptor] = []) {
    self.session = interceptors.reversed().reduce(session) { InterceptedSession(interceptor: $1, next: $0) }
  }

  /// Sends `request` and sorts the response by its status, with its body collected unless `options` ask for a stream.
  ///
  /// The media type of the request's body becomes its `Content-Type`, unless its fields have one.
  ///
  /// Never hangs on to a body that came short: a failure while it is read carries the response with what had arrived.
  /// Cancelling the task ends the transfer at once with `TransportError.Code.cancelled`.
  public func execute(
    _ request: HTTP.Request, options: TransportOptions = TransportOptions()
  ) async -> Result<TransportSuccess, TransportFailure> {
    var request = request
    if let contentType = request.body.contentType, !request.headers.contains(.contentType) {
      request.headers.add(.contentType, contentType)
    }
    do throws(HTTP.InvalidMessage) {
      try request.validate()
    } catch {
      let invalid = TransportError(code: .invalidRequest, reason: error.description, underlyingError: error)
      return .failure(TransportFailure(error: invalid, request: request))
    }

    let response: TransportResponse
    do throws(TransportError) {
      response = try await session.send(request, options: options)
    } catch {
      return .failure(TransportFailure(error: error, request: request))
    }
    let head = response.head
    let progress =
      head.canHaveBody
      ? ProgressCounter(.received, total: head.announcedLength, handler: options.progressHandler) : nil
    switch options.responseDelivery {
    case .collected:
      return await collect(response.body, of: head, upTo: .max, progress: progress)
    case .streamed where head.status.isSuccess && head.canHaveBody:
      return head.streaming(response.body, progress: progress).transportResult
    case .streamed:
      return await collect(response.body, of: head, upTo: Self.streamedFailureLimit, progress: progress)
    }
  }

  /// The response with the first `limit` bytes of its body; what comes after them is not waited for.
  private func collect(
    _ body: TransportBody, of head: HTTP.Response, upTo limit: Int, progress: ProgressCounter?
  ) async -> Result<TransportSuccess, TransportFailure> {
    var progress = progress
    var collected = Data()
    do throws(TransportError) {
      for try await chunk in body {
        guard chunk.count <= limit - collected.count else {
          collected.append(chunk.prefix(limit - collected.count))
          return head.with(collected).transportResult.mapError { $0.cut(at: limit) }
        }
        collected.append(chunk)
        progress?.add(chunk.count)
      }
      progress?.finish()
      return head.with(collected).transportResult
    } catch {
      let response = head.with(collected)
      return .failure(TransportFailure(error: error, request: response.request, response: response))
    }
  }
}

extension TransportFailure {
  /// The same failure, which says that its response has only the first `limit` bytes of its body.
  fileprivate func cut(at limit: Int) -> TransportFailure {
    let error = TransportError(code: error.code, reason: "only the first \(limit) bytes of the body were kept")
    return TransportFailure(error: error, request: request, response: response)
  }
}

extension HTTP.Response {
  /// The response with `data` as its body, of the type that its fields state.
  fileprivate func with(_ data: Data) -> HTTP.Response {
    var response = self
    response.body = data.isEmpty ? .empty : HTTP.Body(data, contentType: headers[.contentType])
    return response
  }
}

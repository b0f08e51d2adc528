public import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sends requests through a session and sorts what came back: a success, or a failure that says which kind.
public struct TransportService: Sendable {
  private let session: any TransportSession

  /// A service over `session`.
  ///
  /// - Parameter interceptors: asked in order, the first one outermost: it sees a request first and its response last.
  public init(session: any TransportSession, interceptors: [any Interceptor] = []) {
    self.session = interceptors.reversed().reduce(session) { InterceptedSession(interceptor: $1, next: $0) }
  }

  /// Sends `request`, collects the body and sorts the response by its status.
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

    var head: HTTP.Response?
    var collected = Data()
    do throws(TransportError) {
      let response = try await session.send(request, options: options)
      head = response.head
      for try await chunk in response.body { collected.append(chunk) }
      return response.head.with(collected).transportResult
    } catch {
      let response = head?.with(collected)
      return .failure(TransportFailure(error: error, request: response?.request ?? request, response: response))
    }
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

import AnvilClient
import AnvilHTTP
import Foundation
import Synchronization

/// A session with a scripted answer for each attempt, which records its requests and options.
final class ScriptedSession: TransportSession, ClockedSession {
  typealias Answer = @Sendable (HTTP.Request, TransportOptions) async throws(TransportError) -> TransportResponse

  struct Attempt: Sendable {
    let request: HTTP.Request
    let options: TransportOptions
  }

  private let attempts = Mutex<[Attempt]>([])
  private let answer: @Sendable (_ number: Int) -> Answer

  /// - Parameter answer: Returns the answer for the attempt with a number, counted from 0.
  init(_ answer: @escaping @Sendable (_ number: Int) -> Answer) {
    self.answer = answer
  }

  var sent: [Attempt] { attempts.withLock { $0 } }

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    let number = attempts.withLock { attempts in
      attempts.append(Attempt(request: request, options: options))
      return attempts.count - 1
    }
    return try await answer(number)(request, options)
  }

  static func respond(
    _ status: HTTP.Status, headers: HTTP.Headers = [:], body: TransportBody = TransportBody(Data())
  ) -> Answer {
    { request, _ in
      TransportResponse(head: HTTP.Response(request: request, status: status, headers: headers), body: body)
    }
  }

  static func fail(_ code: TransportError.Code, _ phase: TransportError.Phase? = nil) -> Answer {
    { _, _ throws(TransportError) in throw TransportError(code: code, phase: phase) }
  }
}

extension Interceptor {
  /// Returns the outcome of `request` through this interceptor and `session`.
  func outcome(
    of request: HTTP.Request, options: TransportOptions = TransportOptions(), over session: any TransportSession
  ) async -> Result<TransportResponse, TransportError> {
    do throws(TransportError) {
      return .success(try await intercept(request, options: options, next: session))
    } catch {
      return .failure(error)
    }
  }
}

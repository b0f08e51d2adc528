import AnvilClient
import AnvilHTTP
import Foundation
import Synchronization

/// A session that answers 200 with one text, and records its requests.
final class RecordingSession: TransportSession {
  private let state = Mutex<(answer: String, sent: [(HTTP.Request, TransportOptions)])>(("", []))

  var answer: String {
    get { state.withLock(\.answer) }
    set { state.withLock { $0.answer = newValue } }
  }

  var last: (HTTP.Request, TransportOptions)? { state.withLock { $0.sent.last } }
  var requests: [HTTP.Request] { state.withLock { $0.sent.map(\.0) } }

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    let answer = state.withLock {
      $0.sent.append((request, options))
      return $0.answer
    }
    return TransportResponse(HTTP.Response(request: request, status: 200), body: Data(answer.utf8))
  }
}

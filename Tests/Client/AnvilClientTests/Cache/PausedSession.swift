import AnvilClient
import AnvilHTTP
import Foundation
import Synchronization

/// A session that answers each request when the test tells it to.
final class PausedSession: TransportSession {
  private struct State {
    var waiting: [CheckedContinuation<Result<TransportResponse, TransportError>, Never>] = []
    var requests: [HTTP.Request] = []
    var options: [TransportOptions] = []
    var cancelled = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var requests: [HTTP.Request] { state.withLock(\.requests) }
  /// The options of each request.
  var options: [TransportOptions] { state.withLock(\.options) }
  var cancelledCount: Int { state.withLock(\.cancelled) }

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let watchers = state.withLock { state in
          state.requests.append(request)
          state.options.append(options)
          state.waiting.append(continuation)
          defer { state.watchers.removeAll { $0.count <= state.requests.count } }
          return state.watchers.filter { $0.count <= state.requests.count }
        }
        for watcher in watchers { watcher.continuation.resume() }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.cancelled += 1
        defer { state.waiting = [] }
        return state.waiting
      }
      for one in waiting { one.resume(returning: .failure(TransportError(code: .cancelled))) }
    }
    return try result.get()
  }

  /// Waits until the session has received `count` requests.
  func waitForRequests(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isSatisfied = state.withLock { state in
        if state.requests.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isSatisfied { continuation.resume() }
    }
  }

  func answer(
    _ status: HTTP.Status = 200, _ headers: HTTP.Headers = [.cacheControl: "max-age=100"],
    _ body: TransportBody = TransportBody(Data("body".utf8))
  ) {
    answer(.success((status, headers, body)))
  }

  func fail(_ code: TransportError.Code) {
    answer(.failure(TransportError(code: code)))
  }

  private func answer(_ result: Result<(HTTP.Status, HTTP.Headers, TransportBody), TransportError>) {
    let (continuation, request) = state.withLock { state in
      (state.waiting.removeFirst(), state.requests[state.requests.count - state.waiting.count - 1])
    }
    continuation.resume(
      returning: result.map { status, headers, body in
        TransportResponse(head: HTTP.Response(request: request, status: status, headers: headers), body: body)
      })
  }
}

extension PausedSession {
  /// Answers the latest request.
  func answerLast(_ status: HTTP.Status) {
    let (continuation, request) = state.withLock { ($0.waiting.removeLast(), $0.requests[$0.requests.count - 1]) }
    let head = HTTP.Response(request: request, status: status)
    continuation.resume(returning: .success(TransportResponse(head, body: Data())))
  }
}

internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A delegate that forwards the callbacks of a session to their exchanges.
///
/// All methods are declared in the class that declares the conformances: on Linux, methods of a subclass are not called.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let exchanges = Mutex<[Int: Exchange]>([:])
  private let foundation = FoundationImplementation.current

  func add(_ exchange: Exchange) {
    exchanges.withLock { $0[exchange.task.taskIdentifier] = exchange }
  }

  private func exchange(for task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(for: dataTask)?.received(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(for: dataTask)?.received(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    exchange(for: task)?.sent(totalBytesSent)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.completed(error)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    let isExpected = exchange(for: task)?.refuseRedirection() == true
    // On Linux a transfer that was cancelled in the meantime does not expect an answer, and traps if it receives one.
    if isExpected || foundation == .apple { completionHandler(nil) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    switch foundation {
    case .corelibs:
      // Called only for a 401 with Basic authentication, after its head and body were received. Any answer other than cancelling makes
      // Foundation hang, repeat the request endlessly, or abort. The response is therefore completed here, and the cancellation ignored.
      exchange(for: task)?.completed(nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    case .apple:
      // The system handles server trust and client certificates. A 401 is handled by the client.
      let isHTTP = [
        NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodNTLM,
        NSURLAuthenticationMethodNegotiate,
      ].contains(challenge.protectionSpace.authenticationMethod)
      completionHandler(isHTTP ? .rejectProtectionSpace : .performDefaultHandling, nil)
    }
  }
}

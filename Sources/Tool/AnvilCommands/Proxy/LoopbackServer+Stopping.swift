internal import AnvilServer
internal import Foundation

extension LoopbackServer {
  /// Stops the server, and waits until all of its threads have ended.
  func stopped() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        self.stop()
        continuation.resume()
      }
    }
  }
}

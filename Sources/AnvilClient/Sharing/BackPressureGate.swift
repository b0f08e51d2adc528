internal import Synchronization

/// Holds back who writes a body while its reader has enough.
final class BackPressureGate: Sendable {
  private struct State {
    var flow = TransportBody.Flow.resume
    var isEnded = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  func set(_ flow: TransportBody.Flow) {
    let waiting = state.withLock { state in
      state.flow = flow
      return flow == .resume ? state.waiting.take() : nil
    }
    waiting?.resume()
  }

  /// Says that the reader has gone: nobody waits from now on, though a pause may still be on its way.
  func end() {
    let waiting = state.withLock { state in
      state.isEnded = true
      return state.waiting.take()
    }
    waiting?.resume()
  }

  /// Waits while the reader has enough. When the reader goes, so does the wait.
  func wait() async {
    await withCheckedContinuation { waiting in
      let isOpen = state.withLock { state in
        guard state.flow == .pause, !state.isEnded else { return true }
        state.waiting = waiting
        return false
      }
      if isOpen { waiting.resume() }
    }
  }
}

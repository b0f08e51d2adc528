internal import Synchronization

/// A gate that suspends the writer of a body while its reader requests a pause.
package final class BackPressureGate: Sendable {
  private struct State {
    var flow = TransportBody.Flow.resume
    var isEnded = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  package init() {}

  package func set(_ flow: TransportBody.Flow) {
    let waiting = state.withLock { state in
      state.flow = flow
      return flow == .resume ? state.waiting.take() : nil
    }
    waiting?.resume()
  }

  /// Opens the gate permanently because the body was released. A `pause` may still arrive and has no effect.
  package func end() {
    let waiting = state.withLock { state in
      state.isEnded = true
      return state.waiting.take()
    }
    waiting?.resume()
  }

  /// Suspends while the reader requests a pause. Returns immediately once the body was released.
  package func wait() async {
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

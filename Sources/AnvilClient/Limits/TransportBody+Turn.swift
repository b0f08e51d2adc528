internal import Synchronization

/// A turn of a request in progress. It ends once: when it is ended explicitly or when its last owner releases it.
final class Turn: Sendable {
  private let onEnd: Mutex<(@Sendable () -> Void)?>

  init(onEnd: @escaping @Sendable () -> Void) {
    self.onEnd = Mutex(onEnd)
  }

  deinit {
    end()
  }

  func end() {
    onEnd.withLock { $0.take() }?()
  }
}

extension TransportBody {
  /// Returns the same body, which ends `turn` when the body ends or is released.
  func holding(_ turn: Turn) -> TransportBody {
    observed { event in
      if case .chunk = event { return }
      turn.end()
    }
  }
}

internal import Synchronization

/// What a request holds while it is under way, and gives back once: when it says so, or when nobody holds it any more.
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
  /// The same body, which ends `turn` with its own end, or when nobody is left to read it.
  func holding(_ turn: Turn) -> TransportBody {
    observed { event in
      if case .chunk = event { return }
      turn.end()
    }
  }
}

internal import Synchronization

/// The permission of a request to be in progress. It ends once: when it is ended explicitly or when its last owner releases it.
final class Permit: Sendable {
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
  /// Returns the same body, which ends `permit` when the body ends or is released.
  func holding(_ permit: Permit) -> TransportBody {
    observed { event in
      if case .chunk = event { return }
      permit.end()
    }
  }
}

internal import AnvilBase
internal import Synchronization

/// A gate that blocks threads of a store until it is opened. These threads are allowed to block.
final class Gate: Sendable {
  private let isOpen = Atomic(false)

  func open() {
    isOpen.store(true, ordering: .releasing)
  }

  /// Waits until the gate is open.
  func wait() {
    while !isOpen.load(ordering: .acquiring) { usleep(1_000) }
  }
}

internal import AnvilBase

/// A queue whose `next` blocks the calling thread while the queue is empty. Only for threads that the package owns.
///
/// It uses a condition variable, which `Synchronization` does not have.
///
/// `@unchecked Sendable`: `elements` and `isFinished` are accessed only while `lock` is held.
@safe
final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var elements = Queue<Element>()
  private var isFinished = false

  init() {
    // Safety: both are allocated and initialized here, do not move, and are freed once, by `deinit`.
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe changed = .allocate(capacity: 1)
    unsafe changed.initialize(to: pthread_cond_t())
    unsafe pthread_mutex_init(lock, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    // Safety: a thread that waits or signals retains the queue, so there is no such thread here.
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(lock)
    unsafe changed.deallocate()
    unsafe lock.deallocate()
  }

  func append(_ element: Element) {
    withLock { elements.append(element) }
  }

  /// Makes `next` return `nil` once all elements are taken. Nothing may be appended afterwards.
  func finish() {
    withLock { isFinished = true }
  }

  /// Waits for the first element and returns it; `nil` when the queue is finished and empty.
  func next() -> Element? {
    // Safety: the lock is held until the function returns, except while the condition variable waits.
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    while elements.isEmpty {
      if isFinished { return nil }
      unsafe pthread_cond_wait(changed, lock)
    }
    return elements.popFirst()
  }

  private func withLock(_ body: () -> Void) {
    // Safety: both exist as long as the queue.
    unsafe pthread_mutex_lock(lock)
    body()
    unsafe pthread_mutex_unlock(lock)
    // Without the lock, so that the thread that wakes up does not wait for it at once.
    unsafe pthread_cond_signal(changed)
  }
}

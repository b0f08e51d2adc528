#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Elements on their way to a thread that sleeps while there are none. For threads of our own only: `next` blocks.
///
/// A condition variable, which `Synchronization` does not have.
///
/// `@unchecked Sendable`: `elements`, `position` and `isFinished` are touched under `lock` only.
@safe
final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  /// Elements before `position` were taken.
  private var elements: [Element?] = []
  private var position = 0
  private var isFinished = false

  init() {
    // Safety: both are allocated and initialised here, do not move, and are freed by `deinit`, once.
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe changed = .allocate(capacity: 1)
    unsafe changed.initialize(to: pthread_cond_t())
    unsafe pthread_mutex_init(lock, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    // Safety: whoever waits or signals holds the queue, so nobody does.
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(lock)
    unsafe changed.deallocate()
    unsafe lock.deallocate()
  }

  func append(_ element: Element) {
    withLock { elements.append(element) }
  }

  /// Has `next` give `nil` when all elements are taken. Nothing may be appended from then on.
  func finish() {
    withLock { isFinished = true }
  }

  /// The first element, waited for; `nil` when the queue is finished and empty.
  func next() -> Element? {
    // Safety: the lock is held from here to the end, but while waiting, which the condition variable does with it.
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    while position == elements.count {
      if isFinished { return nil }
      unsafe pthread_cond_wait(changed, lock)
    }
    defer { advance() }
    return elements[position].take()
  }

  /// Steps over the element that was taken. Their places are reused when all are, or when they are half of all.
  private func advance() {
    position += 1
    if position == elements.count {
      elements.removeAll(keepingCapacity: elements.count <= 64)
      position = 0
    } else if position >= 64, position * 2 >= elements.count {
      elements.removeFirst(position)
      position = 0
    }
  }

  private func withLock(_ body: () -> Void) {
    // Safety: both live as long as the queue.
    unsafe pthread_mutex_lock(lock)
    body()
    unsafe pthread_cond_signal(changed)
    unsafe pthread_mutex_unlock(lock)
  }
}

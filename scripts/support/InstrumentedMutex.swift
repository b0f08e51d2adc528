// Takes the place of Synchronization.Mutex where scripts/sanitize builds for the thread sanitizer: on Linux that one waits by
// system calls that the sanitizer does not see, and everything it guards would be reported as a race.

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private final class Storage {
    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    var value: Value

    init(_ value: consuming Value) {
      self.value = value
      unsafe pthread_mutex_init(lock, nil)
    }

    deinit {
      unsafe pthread_mutex_destroy(lock)
      unsafe lock.deallocate()
    }
  }

  private let storage: Storage

  init(_ value: consuming sending Value) {
    storage = Storage(value)
  }

  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(storage.lock)
    defer { unsafe pthread_mutex_unlock(storage.lock) }
    return try body(&storage.value)
  }

  borrowing func withLockIfAvailable<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    guard unsafe pthread_mutex_trylock(storage.lock) == 0 else { return nil }
    defer { unsafe pthread_mutex_unlock(storage.lock) }
    return try body(&storage.value)
  }
}

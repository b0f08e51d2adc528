/// A thread for blocking work. Each thread must be joined or detached exactly once; otherwise its stack is not freed.
///
/// `@unchecked Sendable`: the handle is never dereferenced here, and the `pthread` functions that take it may be called on any thread. The
/// handle is a number in Glibc and a pointer in Darwin and Musl, so the code that uses it is written twice.
@safe
package struct OwnedThread: @unchecked Sendable {
  /// The usual stack size of main threads. Unused pages cost nothing. Musl's default is too small for SQLite's parser.
  package static let defaultStackSize = 8 << 20

  private let handle: pthread_t

  /// Starts `work` on a new thread. Returns `nil` if the system cannot create one.
  package static func start(
    stackSize: Int = defaultStackSize, _ work: @escaping @Sendable () -> Void
  ) -> OwnedThread? {
    var attributes = pthread_attr_t()
    // Safety: the attributes are local, initialised by the first call and destroyed after the last.
    guard unsafe pthread_attr_init(&attributes) == 0 else { return nil }
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackSize)

    // Safety: the box is retained here and released once: by the thread, or below if no thread was created.
    let box = unsafe Unmanaged.passRetained(Work(work))
    #if canImport(Glibc)
    var handle = pthread_t()
    let result = unsafe pthread_create(&handle, &attributes, { unsafe Work.run($0) }, box.toOpaque())
    #else
    var handle: pthread_t?
    let result = unsafe pthread_create(&handle, &attributes, { unsafe Work.run($0) }, box.toOpaque())
    #endif
    guard result == 0 else {
      unsafe box.release()
      return nil
    }
    #if canImport(Glibc)
    return OwnedThread(handle: handle)
    #else
    return unsafe handle.map(OwnedThread.init(handle:))
    #endif
  }

  package var isCurrent: Bool {
    #if canImport(Glibc)
    pthread_equal(handle, pthread_self()) != 0
    #else
    // Safety: only the handles are compared.
    unsafe pthread_equal(handle, pthread_self()) != 0
    #endif
  }

  package func join() {
    #if canImport(Glibc)
    _ = pthread_join(handle, nil)
    #else
    // Safety: the thread exists until it is joined, which happens once. Its result is not used.
    _ = unsafe pthread_join(handle, nil)
    #endif
  }

  package func detach() {
    #if canImport(Glibc)
    _ = pthread_detach(handle)
    #else
    // Safety: the thread exists until it is detached, which happens once.
    _ = unsafe pthread_detach(handle)
    #endif
  }
}

/// Passes a closure through the single pointer argument of the C function.
private final class Work: Sendable {
  private let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
  }

  static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let pointer = unsafe pointer else { return nil }
    // Safety: `start` passes a retained box, to one thread.
    unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().work()
    return nil
  }
}

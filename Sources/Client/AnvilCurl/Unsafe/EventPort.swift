internal import AnvilBase
internal import AnvilClient
internal import CCurl

/// An event queue on which a thread waits for sockets, a timeout, or a wake-up by another thread.
///
/// It uses epoll on Linux and kqueue elsewhere. Only the waiting thread may call its methods, except for ``wake()``.
final class EventPort: Sendable {
  struct Interest: OptionSet, Hashable {
    let rawValue: UInt8

    static let read = Interest(rawValue: 1)
    static let write = Interest(rawValue: 2)
  }

  struct Event {
    let descriptor: Int32
    let isReadable: Bool
    let isWritable: Bool
    let isBroken: Bool
  }

  /// The maximum number of events that a wait returns.
  static let capacity = 256

  private let port: Int32
  #if os(Linux)
  private let alarm: Int32
  #endif

  /// - Throws: `other` if the system has no descriptors left.
  init() throws(TransportError) {
    // The properties are set last: `deinit`, which closes the descriptors too, only runs for an object whose properties are all set.
    #if os(Linux)
    let port = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard port >= 0 else { throw Self.failure("epoll_create1") }
    let alarm = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard alarm >= 0, anvil_epoll_set(port, EPOLL_CTL_ADD, alarm, UInt32(ANVIL_POLL_IN)) == 0 else {
      let failure = Self.failure("eventfd")
      if alarm >= 0 { _ = close(alarm) }
      _ = close(port)
      throw failure
    }
    (self.port, self.alarm) = (port, alarm)
    #else
    let port = kqueue()
    guard port >= 0 else { throw Self.failure("kqueue") }
    _ = fcntl(port, F_SETFD, FD_CLOEXEC)
    guard Self.change(port, 0, filter: Int16(EVFILT_USER), flags: UInt16(EV_ADD | EV_CLEAR), note: 0) else {
      let failure = Self.failure("kevent")
      _ = close(port)
      throw failure
    }
    self.port = port
    #endif
  }

  deinit {
    #if os(Linux)
    _ = close(alarm)
    #endif
    _ = close(port)
  }

  /// Ends the current wait, or the next wait if the thread is not waiting. May be called on any thread.
  func wake() {
    #if os(Linux)
    var one: UInt64 = 1
    // Safety: eight bytes of a local variable are read. It only fails if the counter is full, which also wakes the thread.
    _ = unsafe write(alarm, &one, 8)
    #else
    _ = Self.change(port, 0, filter: Int16(EVFILT_USER), flags: 0, note: UInt32(NOTE_TRIGGER))
    #endif
  }

  /// Changes the events for which a socket is watched from `old` to `interest`. An empty set ends the watch.
  func watch(_ descriptor: Int32, for interest: Interest, inPlaceOf old: Interest) {
    #if os(Linux)
    let operation = interest.isEmpty ? EPOLL_CTL_DEL : old.isEmpty ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
    var events: UInt32 = 0
    if interest.contains(.read) { events |= UInt32(ANVIL_POLL_IN) }
    if interest.contains(.write) { events |= UInt32(ANVIL_POLL_OUT) }
    guard anvil_epoll_set(port, operation, descriptor, events) != 0, !interest.isEmpty else { return }
    // The socket was closed, and its descriptor was reused without notice.
    if errno == ENOENT { _ = anvil_epoll_set(port, EPOLL_CTL_ADD, descriptor, events) }
    if errno == EEXIST { _ = anvil_epoll_set(port, EPOLL_CTL_MOD, descriptor, events) }
    #else
    for (bit, filter) in [(Interest.read, Int16(EVFILT_READ)), (.write, Int16(EVFILT_WRITE))]
    where interest.contains(bit) != old.contains(bit) {
      let flags = interest.contains(bit) ? EV_ADD : EV_DELETE
      _ = Self.change(port, UInt(bitPattern: Int(descriptor)), filter: filter, flags: UInt16(flags), note: 0)
    }
    #endif
  }

  static func hasInput(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    // Safety: the call writes at most one byte, into a local variable.
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0 || errno != EAGAIN
  }

  /// Prevents child processes from inheriting a socket of libcurl. Those that it opens for connections are created in this way; those with
  /// which its resolver notifies itself are not by 7.88.1.
  static func keepFromChildren(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Shuts down a socket without closing it and discards its input, so that the next read finds the end of the stream.
  static func endConnection(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    unsafe withUnsafeTemporaryAllocation(byteCount: 4 << 10, alignment: 16) { buffer in
      // After the shutdown only the system's buffer is left to read. Safety: the call writes into a local buffer, at most its size.
      while unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
    }
  }

  /// - Parameter milliseconds: The timeout; -1 for no timeout.
  func wait(milliseconds: Int32, into events: inout [Event]) {
    events.removeAll(keepingCapacity: true)
    #if os(Linux)
    // Safety: the system writes at most as many events as fit, and returns their number.
    unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.capacity) { found in
      let count = unsafe epoll_wait(port, found.baseAddress, Int32(Self.capacity), milliseconds)
      for index in 0..<max(0, Int(count)) {
        let descriptor = unsafe anvil_epoll_descriptor(&found[index])
        guard descriptor != alarm else {
          var counter: UInt64 = 0
          _ = unsafe read(alarm, &counter, 8)
          continue
        }
        let flags = unsafe found[index].events
        events.append(
          Event(
            descriptor: descriptor, isReadable: flags & UInt32(ANVIL_POLL_IN) != 0,
            isWritable: flags & UInt32(ANVIL_POLL_OUT) != 0,
            isBroken: flags & UInt32(ANVIL_POLL_BROKEN) != 0))
      }
    }
    #else
    var limit = timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
    // Safety: as above.
    unsafe withUnsafeTemporaryAllocation(of: kevent.self, capacity: Self.capacity) { found in
      let count = unsafe withUnsafePointer(to: &limit) { limit in
        unsafe kevent(port, nil, 0, found.baseAddress, Int32(Self.capacity), milliseconds < 0 ? nil : limit)
      }
      for index in 0..<max(0, Int(count)) {
        let event = unsafe found[index]
        guard event.filter != Int16(EVFILT_USER) else { continue }
        events.append(
          Event(
            descriptor: Int32(truncatingIfNeeded: event.ident), isReadable: event.filter == Int16(EVFILT_READ),
            isWritable: event.filter == Int16(EVFILT_WRITE), isBroken: event.flags & UInt16(EV_EOF) != 0))
      }
    }
    #endif
  }

  #if !os(Linux)
  private static func change(_ port: Int32, _ ident: UInt, filter: Int16, flags: UInt16, note: UInt32) -> Bool {
    var event = unsafe kevent(ident: ident, filter: filter, flags: flags, fflags: note, data: 0, udata: nil)
    // Safety: one local event is read.
    return unsafe kevent(port, &event, 1, nil, 0, nil) == 0
  }
  #endif

  private static func failure(_ call: String) -> TransportError {
    // Safety: strerror returns a NUL-terminated string that is copied at once.
    TransportError(code: .other, reason: unsafe "\(call): \(String(cString: strerror(errno)))")
  }
}

func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  // Safety: the time is a local variable and is fully written.
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}

/// Blocks SIGPIPE on the calling thread, so that a write to a connection closed by the peer fails instead of ending the process.
func blockBrokenPipeSignals() {
  var signals = sigset_t()
  // Safety: the set is a local variable.
  unsafe sigemptyset(&signals)
  unsafe sigaddset(&signals, SIGPIPE)
  unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// Returns a number for the calling thread that no other running thread has.
func currentThreadNumber() -> UInt {
  #if canImport(Glibc)
  UInt(pthread_self())
  #else
  unsafe UInt(bitPattern: pthread_self())
  #endif
}

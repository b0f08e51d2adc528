internal import AnvilClient
internal import CCurl

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What a thread waits at for many sockets, for a time, and for others to wake it.
///
/// Linux's epoll, elsewhere kqueue. All but ``wake()`` are for the one thread that waits.
final class EventPort: Sendable {
  /// What a socket can be waited for.
  struct Interest: OptionSet, Hashable {
    let rawValue: UInt8

    static let read = Interest(rawValue: 1)
    static let write = Interest(rawValue: 2)
  }

  /// What a socket is ready for.
  struct Event {
    let descriptor: Int32
    let isReadable: Bool
    let isWritable: Bool
    let isBroken: Bool
  }

  /// How many events a wait hands over at most.
  static let capacity = 256

  private let port: Int32
  #if os(Linux)
  private let alarm: Int32
  #endif

  /// - Throws: `other` where the system has no descriptors left.
  init() throws(TransportError) {
    #if os(Linux)
    port = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard port >= 0 else { throw Self.failure("epoll_create1") }
    alarm = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard alarm >= 0, anvil_epoll_set(port, EPOLL_CTL_ADD, alarm, UInt32(ANVIL_POLL_IN)) == 0 else {
      let failure = Self.failure("eventfd")
      if alarm >= 0 { _ = close(alarm) }
      _ = close(port)
      throw failure
    }
    #else
    port = kqueue()
    guard port >= 0 else { throw Self.failure("kqueue") }
    _ = fcntl(port, F_SETFD, FD_CLOEXEC)
    guard change(0, filter: Int16(EVFILT_USER), flags: UInt16(EV_ADD | EV_CLEAR), note: 0) else {
      let failure = Self.failure("kevent")
      _ = close(port)
      throw failure
    }
    #endif
  }

  deinit {
    #if os(Linux)
    _ = close(alarm)
    #endif
    _ = close(port)
  }

  /// Ends the wait that is going on, or the next one. From any thread.
  func wake() {
    #if os(Linux)
    var one: UInt64 = 1
    // Safety: eight bytes of our own are read. It cannot fail but for a counter that is full, which wakes as well.
    _ = unsafe write(alarm, &one, 8)
    #else
    _ = change(0, filter: Int16(EVFILT_USER), flags: 0, note: UInt32(NOTE_TRIGGER))
    #endif
  }

  /// Has the socket watched for `interest`, in place of what it was watched for; `[]` ends it.
  func watch(_ descriptor: Int32, for interest: Interest, inPlaceOf old: Interest) {
    #if os(Linux)
    let operation = interest.isEmpty ? EPOLL_CTL_DEL : old.isEmpty ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
    var events: UInt32 = 0
    if interest.contains(.read) { events |= UInt32(ANVIL_POLL_IN) }
    if interest.contains(.write) { events |= UInt32(ANVIL_POLL_OUT) }
    guard anvil_epoll_set(port, operation, descriptor, events) != 0, !interest.isEmpty else { return }
    // The socket was closed and its number given again without our knowing.
    if errno == ENOENT { _ = anvil_epoll_set(port, EPOLL_CTL_ADD, descriptor, events) }
    if errno == EEXIST { _ = anvil_epoll_set(port, EPOLL_CTL_MOD, descriptor, events) }
    #else
    for (bit, filter) in [(Interest.read, Int16(EVFILT_READ)), (.write, Int16(EVFILT_WRITE))]
    where interest.contains(bit) != old.contains(bit) {
      let flags = interest.contains(bit) ? EV_ADD : EV_DELETE
      _ = change(UInt(bitPattern: Int(descriptor)), filter: filter, flags: UInt16(flags), note: 0)
    }
    #endif
  }

  /// Whether something has come on a socket that was not read, its end included.
  static func hasInput(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    // Safety: the call writes at most one byte, into ours.
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0 || errno != EAGAIN
  }

  /// Ends the connection of a socket, both ways, and drops what has come on it: a reader finds its end. The socket stays open.
  static func endConnection(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    unsafe withUnsafeTemporaryAllocation(byteCount: 4 << 10, alignment: 16) { buffer in
      // Nothing comes after the system's own buffer is empty. Safety: the call writes into our buffer, at most its size.
      while unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
    }
  }

  /// Waits until a socket is ready, somebody wakes the thread, or `milliseconds` have passed, and hands over what is ready.
  ///
  /// - Parameter milliseconds: -1 for as long as it takes.
  func wait(milliseconds: Int32, into events: inout [Event]) {
    events.removeAll(keepingCapacity: true)
    #if os(Linux)
    // Safety: the system writes at most as many events as there is room for, and says how many.
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
        unsafe Darwin.kevent(port, nil, 0, found.baseAddress, Int32(Self.capacity), milliseconds < 0 ? nil : limit)
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
  private func change(_ ident: UInt, filter: Int16, flags: UInt16, note: UInt32) -> Bool {
    var event = unsafe kevent(ident: ident, filter: filter, flags: flags, fflags: note, data: 0, udata: nil)
    // Safety: one event of our own is read.
    return unsafe Darwin.kevent(port, &event, 1, nil, 0, nil) == 0
  }
  #endif

  private static func failure(_ call: String) -> TransportError {
    // Safety: strerror returns a NUL-terminated string that is copied at once.
    TransportError(code: .other, reason: unsafe "\(call): \(String(cString: strerror(errno)))")
  }
}

/// The time that only ever goes on, in nanoseconds from some point.
func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  // Safety: the time is ours and fully written.
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}

/// Keeps writes to a connection that the peer has closed from ending the process: the calling thread gets their errors only.
func blockBrokenPipeSignals() {
  var signals = sigset_t()
  // Safety: the set is ours.
  unsafe sigemptyset(&signals)
  unsafe sigaddset(&signals, SIGPIPE)
  unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// A number for the calling thread that no other running thread has.
func currentThreadNumber() -> UInt {
  #if canImport(Glibc)
  UInt(pthread_self())
  #else
  unsafe UInt(bitPattern: pthread_self())
  #endif
}

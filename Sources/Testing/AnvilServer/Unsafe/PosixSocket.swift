internal import AnvilBase

/// A TCP socket on a loopback address. It is closed when its last reference is released.
///
/// It blocks only in ``wait(for:or:until:)``, is not inherited by child processes, and does not raise `SIGPIPE`. Only the
/// thread that serves the socket may use it, except for ``end()``.
final class PosixSocket: Sendable {
  enum Interest {
    case input, output, neither

    fileprivate var events: Int16 {
      switch self {
      case .input: Int16(POLLIN)
      case .output: Int16(POLLOUT)
      case .neither: 0
      }
    }
  }

  /// The outcome of a wait. A failed or closed connection counts as ready. The next call that receives or sends reports the failure.
  enum Outcome {
    case ready, timedOut, stopped
  }

  private let descriptor: Int32

  private init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    setFlags(of: descriptor)
    #if canImport(Darwin)
    set(SO_NOSIGPIPE, to: Int32(1))
    #endif
  }

  deinit {
    _ = close(descriptor)
  }

  /// Returns a socket that listens on `address`. For port 0 the system chooses the port.
  static func listening(
    on address: LoopbackServer.Address, port number: UInt16 = 0, backlog: Int32
  ) throws(LoopbackServer.StartError) -> (socket: PosixSocket, port: Int) {
    let family = address == .ipv6 ? AF_INET6 : AF_INET
    #if canImport(Glibc)
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
    let descriptor = socket(family, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw .latest("socket") }
    let listener = PosixSocket(adopting: descriptor)
    // Connections of an earlier server on a fixed port may still be in TIME_WAIT.
    if number != 0 { listener.set(SO_REUSEADDR, to: Int32(1)) }
    let port: UInt16
    switch address {
    case .ipv4:
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      name.sin_port = number.bigEndian
      port = try listener.claim(&name, backlog: backlog).sin_port
    case .ipv6:
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      name.sin6_addr = in6addr_loopback
      name.sin6_port = number.bigEndian
      port = try listener.claim(&name, backlog: backlog).sin6_port
    }
    return (listener, Int(UInt16(bigEndian: port)))
  }

  /// Binds the socket to the address `name`, listens, and returns the address with the port that the system assigned.
  ///
  /// Safety: `Name` has to be one of the system's address types, which all have the layout of `sockaddr` at their start.
  private func claim<Name>(
    _ name: inout Name, backlog: Int32
  ) throws(LoopbackServer.StartError) -> Name {
    var length = socklen_t(MemoryLayout<Name>.size)
    // Safety: the pointer is to the caller's own address, is used for the call only, and `length` is its size.
    let bound = unsafe withUnsafePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
    }
    guard bound == 0 else { throw .latest("bind") }
    guard listen(descriptor, backlog) == 0 else { throw .latest("listen") }
    // Safety: as above; the call writes at most `length` bytes.
    let named = unsafe withUnsafeMutablePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) }
    }
    guard named == 0 else { throw .latest("getsockname") }
    return name
  }

  /// Accepts the next connection of a listening socket. Returns `nil` if none is pending or accepting fails.
  func accepted() -> PosixSocket? {
    let descriptor = accept(descriptor, nil, nil)
    guard descriptor >= 0 else { return nil }
    let connection = PosixSocket(adopting: descriptor)
    // Without this option, small writes would wait for the client's acknowledgements and arrive together.
    connection.set(TCP_NODELAY, level: Int32(IPPROTO_TCP), to: Int32(1))
    return connection
  }

  func wait(for interest: Interest, or stop: StopSignal, until deadline: Deadline) -> Outcome {
    while true {
      var watched = [
        pollfd(fd: descriptor, events: interest.events, revents: 0),
        pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      // Safety: the array is ours, is held for the call only, and its count is passed.
      let count = unsafe poll(&watched, nfds_t(watched.count), deadline.pollTimeout)
      if count < 0, errno != EINTR { return .stopped }
      if watched[1].revents != 0 { return .stopped }
      if watched[0].revents != 0 { return .ready }
      if deadline.hasPassed { return .timedOut }
    }
  }

  /// Returns at most 64 KiB of received bytes, which may be empty, or `nil` if the client has finished sending or the connection failed.
  func receive() -> [UInt8]? {
    var result = 0
    var code: Int32 = 0
    // Safety: the buffer is the new array's storage, the call writes at most its count, and what it wrote is
    // initialised.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      repeat {
        result = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
        code = errno
      } while result < 0 && code == EINTR
      count = max(result, 0)
    }
    if result > 0 { return bytes }
    return result < 0 && (code == EAGAIN || code == EWOULDBLOCK) ? [] : nil
  }

  /// Sends the first part of `data` and returns its length, which may be 0. Returns `nil` if the connection failed.
  func send(_ data: Data) -> Int? {
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    while true {
      // Safety: the buffer is the data's own for the length of the call, which reads at most its count. Without an address, the call sends to
      // the peer, as `send` does.
      let result = unsafe data.withUnsafeBytes { buffer in
        unsafe sendto(descriptor, buffer.baseAddress, buffer.count, flags, nil, 0)
      }
      let code = errno
      if result >= 0 { return result }
      if code == EAGAIN || code == EWOULDBLOCK { return 0 }
      if code != EINTR { return nil }
    }
  }

  /// Sends FIN after the data sent so far. The socket can still receive.
  func finish() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Closes both directions, with FIN, so that a thread that waits for input sees the end. May be called on any thread.
  func end() {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Prepares the socket so that closing it sends RST and discards undelivered data.
  func resetWhenClosed() {
    set(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
  }

  private func set<Value: BitwiseCopyable>(_ option: Int32, level: Int32 = SOL_SOCKET, to value: Value) {
    // Safety: the pointer is to our own copy of the value, for the length of the call, which reads as many bytes as
    // are passed.
    _ = unsafe withUnsafePointer(to: value) {
      unsafe setsockopt(descriptor, level, option, $0, socklen_t(MemoryLayout<Value>.size))
    }
  }
}

/// Makes `descriptor` non-blocking, and prevents programs that this process starts from inheriting it.
func setFlags(of descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
}

extension LoopbackServer.StartError {
  /// Returns an error for `operation`, which has just failed. Its reason is the system's message for `errno`.
  static func latest(_ operation: String) -> Self {
    let code = errno
    // Safety: strerror returns a NUL-terminated string that is copied at once.
    return Self(operation: operation, reason: unsafe String(cString: strerror(code)))
  }
}

/// A signal that makes all threads of a server stop, and cannot be revoked. It is a pipe that each wait polls together with a socket. The
/// byte that the signal writes is never read, so the pipe stays readable.
final class StopSignal: Sendable {
  /// The reading end of the pipe. It becomes readable when the signal is given.
  let descriptor: Int32
  private let writingEnd: Int32

  init() throws(LoopbackServer.StartError) {
    var ends: [Int32] = [-1, -1]
    // Safety: the array is ours, is held for the call only, and has the two elements that are written.
    guard unsafe pipe(&ends) == 0 else { throw .latest("pipe") }
    descriptor = ends[0]
    writingEnd = ends[1]
    setFlags(of: descriptor)
    setFlags(of: writingEnd)
  }

  deinit {
    _ = close(descriptor)
    _ = close(writingEnd)
  }

  var isSignalled: Bool {
    var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    // Safety: the array is ours, is held for the call only, and its count is passed.
    return unsafe poll(&watched, 1, 0) > 0
  }

  /// Gives the signal. Further calls have no effect.
  func signal() {
    var byte: UInt8 = 1
    // Safety: one byte is read from a local variable. The pipe does not block; if it were full, it would already be readable.
    _ = unsafe write(writingEnd, &byte, 1)
  }
}

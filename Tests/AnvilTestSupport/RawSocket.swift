internal import AnvilBase

/// A blocking TCP socket, closed with its last reference.
package final class RawSocket: Sendable {
  package struct Failure: Error {
    let call: String
    let number: Int32
  }

  private let descriptor: Int32

  private init(_ descriptor: Int32) throws {
    guard descriptor >= 0 else { throw Failure(call: "socket", number: errno) }
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
    var isOn: Int32 = 1
    // Safety: the pointer is to a local variable of the size that is passed.
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit {
    _ = close(descriptor)
  }

  private static func make() throws -> RawSocket {
    #if canImport(Glibc)
    try RawSocket(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    #else
    try RawSocket(socket(AF_INET, SOCK_STREAM, 0))
    #endif
  }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    name.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    return name
  }

  /// Calls `body` with the address of `name`, which it may read and write.
  private static func with(_ name: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Int32) -> Int32 {
    // Safety: all socket addresses of the system begin with the layout of `sockaddr`.
    unsafe withUnsafeMutablePointer(to: &name) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
    }
  }

  package static func listening(backlog: Int32) throws -> (RawSocket, port: Int) {
    let socket = try make()
    var name = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard unsafe with(&name, { unsafe bind(socket.descriptor, $0, length) }) == 0,
      listen(socket.descriptor, backlog) == 0,
      unsafe with(&name, { unsafe getsockname(socket.descriptor, $0, &length) }) == 0
    else { throw Failure(call: "listen", number: errno) }
    return (socket, Int(UInt16(bigEndian: name.sin_port)))
  }

  /// Returns the descriptors of this process's connections to a port of 127.0.0.1.
  package static func connections(to port: Int) -> [Int32] {
    (0..<8_192).filter { isConnected($0, to: port) }
  }

  /// Returns whether a connection to the port, with this descriptor, has unread bytes or has ended.
  package static func hasUnreadBytes(_ descriptor: Int32, to port: Int) -> Bool {
    guard isConnected(descriptor, to: port) else { return true }
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, 0) > 0
  }

  private static func isConnected(_ descriptor: Int32, to port: Int) -> Bool {
    var name = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return unsafe with(&name, { unsafe getpeername(descriptor, $0, &length) }) == 0
      && name.sin_family == sa_family_t(AF_INET) && Int(UInt16(bigEndian: name.sin_port)) == port
  }

  /// A connection to a port of 127.0.0.1. Two minutes without a byte are an error, which does not occur in tests that pass.
  package static func connected(to port: Int) throws -> RawSocket {
    let socket = try make()
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    // Safety: the pointer is to a local variable of the size that is passed.
    _ = unsafe setsockopt(
      socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var name = loopback(port)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard unsafe with(&name, { unsafe connect(socket.descriptor, $0, length) }) == 0 else {
      throw Failure(call: "connect", number: errno)
    }
    return socket
  }

  /// The next connection, or `nil` if the socket has ended.
  package func accepted() -> RawSocket? {
    try? RawSocket(accept(descriptor, nil, nil))
  }

  /// The way in which the peer ended the connection.
  package enum Ending: Sendable {
    case fin, reset
  }

  package enum Received {
    case bytes([UInt8])
    case ended(Ending)
  }

  /// Waits for the next bytes or for the end.
  package func receive(_ limit: Int = 65_536) throws(Failure) -> Received {
    var (result, number) = (0, errno)
    // Safety: the call writes at most `limit` bytes and returns their number.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      repeat { result = unsafe recv(descriptor, buffer.baseAddress, limit, 0) } while result < 0 && errno == EINTR
      number = errno
      count = max(0, result)
    }
    if result > 0 { return .bytes(bytes) }
    if result == 0 { return .ended(.fin) }
    guard number == ECONNRESET else { throw Failure(call: "recv", number: number) }
    return .ended(.reset)
  }

  /// Reads the next bytes. Returns `nil` at the end.
  package func read(_ limit: Int = 65_536) -> [UInt8]? {
    guard case .bytes(let bytes) = try? receive(limit) else { return nil }
    return bytes
  }

  /// Reads up to and including an empty line. Returns `nil` if the connection ends before that.
  package func readHead() -> String? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) {
      guard let byte = read(1) else { return nil }
      head += byte
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// Reads exactly `count` bytes. Returns `nil` if the connection ends before that.
  package func read(exactly count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let more = read(count - bytes.count) else { return nil }
      bytes += more
    }
    return bytes
  }

  /// Reads and discards exactly `count` bytes. Returns `false` if the connection ends before that.
  package func discard(_ count: Int) -> Bool {
    var left = count
    while left > 0 {
      guard let bytes = read(min(left, 1 << 18)) else { return false }
      left -= bytes.count
    }
    return true
  }

  @discardableResult
  package func write(_ bytes: some Sequence<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      // Safety: the slice is valid during the call.
      let count = unsafe rest.withUnsafeBytes {
        #if canImport(Darwin)
        unsafe send(descriptor, $0.baseAddress, $0.count, 0)
        #else
        unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult
  package func write(_ text: String) -> Bool { write(text.utf8) }

  /// Waits, without reading, until the peer has closed its side or broken the connection.
  package func waitForEnd() {
    var watched = pollfd(fd: Int32(descriptor), events: 0, revents: 0)
    #if os(Linux)
    // `POLLRDHUP`, which the headers declare only for GNU programs.
    watched.events = 0x2000
    #endif
    // Safety: one local structure is passed.
    while unsafe poll(&watched, 1, -1) < 0, errno == EINTR {}
  }

  /// Ends sending. The other direction remains open.
  package func finish() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends both directions and wakes waiting callers.
  package func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Returns the `sockets` that have data or have ended, or `nil` if waiting fails.
  package static func readable(_ sockets: [RawSocket], milliseconds: Int32) -> [RawSocket]? {
    var watched = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    // Safety: the array is a local variable, and its count is passed.
    guard unsafe poll(&watched, nfds_t(watched.count), milliseconds) >= 0 else { return nil }
    return zip(sockets, watched).filter { $1.revents != 0 }.map(\.0)
  }

  /// Forwards bytes between two sockets in both directions until both have ended.
  package static func join(_ first: RawSocket, _ second: RawSocket) {
    var open = [(first, second), (second, first)]
    while !open.isEmpty {
      var watched = open.map { pollfd(fd: $0.0.descriptor, events: Int16(POLLIN), revents: 0) }
      // Safety: the array is a local variable, and its count is passed.
      guard unsafe poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
      for index in watched.indices.reversed() where watched[index].revents != 0 {
        let (source, target) = open[index]
        if let bytes = source.read(), target.write(bytes) { continue }
        target.finish()
        open.remove(at: index)
      }
    }
  }
}

import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilCurl

/// Requests in a process without free file descriptors. The tests run in a separate process.
@Suite(.timeLimit(.minutes(15))) struct CurlDescriptorTests {
  @Test func aLackOfDescriptorsIsReported() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      server.on(.get, "/") { _ in .text("ok") }
      let other = try LoopbackServer()
      other.on(.get, "/") { _ in .text("other") }
      let session = CurlSession(configuration: configured { $0.proxy = .none })
      #expect(await session.get(server.url("/")).text == "ok")

      let taken = Self.takeDescriptors()
      let outcome = await session.get(other.url("/"))
      // Existing connections remain usable.
      #expect(await session.get(server.url("/")).text == "ok")
      for descriptor in taken { _ = close(descriptor) }
      #expect(outcome.error?.code == .noConnection, "\(outcome)")
      #expect(outcome.reason.contains("no file descriptors are left"), "\(outcome)")
      #expect(await session.get(other.url("/")).text == "other")
    }
  }

  /// A second close could close a descriptor that another thread has opened in the meantime.
  @Test func anEventPortThatCannotBeCreatedClosesItsDescriptorsOnce() async {
    await #expect(processExitsWith: .success) {
      for left in 0..<2 {
        let taken = Self.takeDescriptors()
        for descriptor in taken.prefix(left) { _ = close(descriptor) }
        errno = 0
        let error = #expect(throws: TransportError.self) { try EventPort() }
        // A descriptor that is not open would have set EBADF.
        #expect(errno == EMFILE, "\(errno)")
        #expect(error?.reason?.contains("Too many open files") == true, "\(error.debugDescription)")
        for descriptor in taken.dropFirst(left) { _ = close(descriptor) }
      }
      _ = try EventPort()
    }
  }

  /// A child process would keep connections open that this process has closed.
  @Test func noDescriptorIsInheritedByChildren() async {
    await #expect(processExitsWith: .success) {
      let before = Self.inheritedDescriptors()
      let server = try LoopbackServer()
      server.on(.get, "/") { _ in .text("ok") }
      server.on(.get, "/never") { _ in .fault(.neverAnswers) }
      let session = CurlSession(configuration: configured { $0.proxy = .none })
      #expect(await session.get(server.url("/")).text == "ok")
      let waiting = Task { await session.get(server.url("/never")) }
      await waitUntil { server.requests.count == 2 }
      await waitUntil { Self.inheritedDescriptors().isSubset(of: before) }
      waiting.cancel()
      // Resolving a name uses a thread, and a pair of sockets for its notification.
      let resolving = (0..<20).map { number in
        Task { await session.get(URL(string: "http://\(Unresolvable.name):\(number + 1)/") ?? server.url("/")) }
      }
      for task in resolving { _ = await task.value }
      await waitUntil { Self.inheritedDescriptors().isSubset(of: before) }
    }
  }

  /// The descriptors that a child process would inherit, except for local sockets: libcurl before 8.10 creates pairs of them to notify
  /// itself, which keep no connection open.
  private static func inheritedDescriptors() -> Set<Int32> {
    Set(
      (0..<1024 as Range<Int32>).filter { descriptor in
        let flags = fcntl(descriptor, F_GETFD)
        return flags >= 0 && flags & FD_CLOEXEC == 0 && !isLocalSocket(descriptor)
      })
  }

  private static func isLocalSocket(_ descriptor: Int32) -> Bool {
    var address = sockaddr()
    var length = socklen_t(MemoryLayout<sockaddr>.size)
    return unsafe getsockname(descriptor, &address, &length) == 0 && Int32(address.sa_family) == AF_UNIX
  }

  /// One of a host's addresses refuses the connection, and no socket is available for the other.
  @Test func aLackOfDescriptorsDoesNotHideARefusedConnection() async {
    await #expect(processExitsWith: .success) {
      // No server listens at this port.
      let port = try RawSocket.listening(backlog: 1).port
      var hosts = [["127.0.0.1", "127.0.0.2"]]
      if Self.hasIPv6 { hosts.append(["::1", "127.0.0.1"]) }
      // A session closes its descriptors on its thread when it ends, and the next request could get one of them.
      var sessions: [CurlSession] = []
      defer { withExtendedLifetime(sessions) {} }
      for (host, lacking) in hosts.flatMap({ host in (0..<2).map { (host, $0) } }) {
        let (asked, taken) = (Recorder<IPAddress>(), Recorder<Int32>())
        let session = CurlSession(
          configuration: configured {
            $0.proxy = .none
            $0.resolveOverrides = [.init(host: "two.invalid", port: port, addresses: host)]
            // Called before each socket is opened.
            $0.addressGuard = .custom { address in
              for descriptor in taken.all { _ = close(descriptor) }
              taken.removeAll()
              if asked.all.count == lacking { Self.takeDescriptors().forEach { taken.add($0) } }
              asked.add(address)
              return true
            }
          })
        sessions.append(session)
        let url = try #require(URL(string: "http://two.invalid:\(port)/"))
        let outcome = await session.get(url)
        for descriptor in taken.all { _ = close(descriptor) }
        #expect(asked.all.count == 2)
        #expect(outcome.error?.code == .noConnection, "\(outcome)")
        #expect(outcome.reason.contains("Couldn't connect to server"), "\(outcome)")
        #expect(outcome.reason.contains("another address was not tried: no file descriptors are left"), "\(outcome)")
      }
    }
  }

  @Test func anUnsupportedAddressFamilyIsNotALackOfDescriptors() {
    var notes = TransferNotes()
    notes.socketFailure = EAFNOSUPPORT
    #expect(notes.untriedReason == nil)
    #expect(notes.noSocketReason?.hasPrefix("the system could not create a socket: ") == true)
    notes.socketFailure = EMFILE
    #expect(notes.untriedReason != nil && notes.untriedReason == notes.noSocketReason)
  }

  private static var hasIPv6: Bool {
    #if canImport(Glibc)
    let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_INET6, SOCK_STREAM, 0)
    #endif
    if descriptor >= 0 { _ = close(descriptor) }
    return descriptor >= 0
  }

  /// Opens all the descriptors that the process may have.
  private static func takeDescriptors() -> [Int32] {
    var limit = rlimit()
    // Safety: the structure is a local variable.
    unsafe getrlimit(limitKind, &limit)
    limit.rlim_cur = 256
    unsafe setrlimit(limitKind, &limit)
    var taken: [Int32] = []
    while true {
      let descriptor = dup(STDERR_FILENO)
      guard descriptor >= 0 else { return taken }
      taken.append(descriptor)
    }
  }

  #if canImport(Glibc)
  private static var limitKind: Int32 { Int32(RLIMIT_NOFILE.rawValue) }
  #else
  private static var limitKind: Int32 { RLIMIT_NOFILE }
  #endif
}

import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What becomes of requests when the process has no file descriptors left. In a process of its own, which lacks them.
@Suite(.timeLimit(.minutes(5))) struct CurlDescriptorTests {
  @Test func theLackOfDescriptorsIsNamed() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      server.on(.get, "/") { _ in .text("ok") }
      let other = try LoopbackServer()
      other.on(.get, "/") { _ in .text("other") }
      let session = CurlSession(configuration: configured { $0.proxy = .none })
      #expect(await session.get(server.url("/")).text == "ok")

      let taken = Self.takeDescriptors()
      let outcome = await session.get(other.url("/"))
      // What is connected goes on.
      #expect(await session.get(server.url("/")).text == "ok")
      for descriptor in taken { _ = close(descriptor) }
      #expect(outcome.error?.code == .noConnection, "\(outcome)")
      #expect(outcome.reason.contains("no file descriptor is left"), "\(outcome)")
      #expect(await session.get(other.url("/")).text == "other")
    }
  }

  /// Takes all that the process may have.
  private static func takeDescriptors() -> [Int32] {
    var limit = rlimit()
    // Safety: the structure is ours.
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

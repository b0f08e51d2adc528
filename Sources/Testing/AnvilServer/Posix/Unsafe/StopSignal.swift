#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A signal that makes all threads of a server stop, even while they wait. It cannot be revoked.
///
/// It is a pipe. Each wait polls its reading end together with a socket. The byte that the signal writes is never read, so the pipe stays
/// readable.
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

  /// True if the signal was given.
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

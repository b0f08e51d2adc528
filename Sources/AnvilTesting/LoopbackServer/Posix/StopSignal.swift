#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Tells every thread of a server, wherever it waits, that the server stops: once given, the signal stays.
///
/// It is a pipe, whose reading end each wait polls beside its socket; the byte that the signal writes is never read.
final class StopSignal: Sendable {
  /// Readable as soon as the signal has been given.
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

  /// Whether the signal has been given.
  var isSignalled: Bool {
    var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    // Safety: the array is ours, is held for the call only, and its count is passed.
    return unsafe poll(&watched, 1, 0) > 0
  }

  /// Gives the signal. A second time changes nothing.
  func signal() {
    var byte: UInt8 = 1
    // Safety: one byte is read from our own variable. The pipe does not block: were it full, it would be readable.
    _ = unsafe write(writingEnd, &byte, 1)
  }
}

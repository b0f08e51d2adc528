internal import Dispatch

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A TCP connection to 127.0.0.1 that returns the received bytes and how the connection ended. It does not interpret
/// HTTP.
///
/// It blocks on a separate queue. Ten seconds without a byte are an error, which does not occur in tests that pass.
package final class RawSocketClient: Sendable {
  /// The way in which the server ended the connection.
  package enum Ending: Sendable {
    case fin, reset
  }

  /// All received bytes, and the end of the connection.
  package struct Received: Equatable, Sendable {
    package let text: String
    package let ending: Ending

    package init(text: String, ending: Ending) {
      self.text = text
      self.ending = ending
    }
  }

  package struct Failure: Error {
    let operation: String
    let code: Int32
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "raw client")

  package init(port: Int) throws {
    #if canImport(Glibc)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw Failure(operation: "socket", code: errno) }
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    // Safety: the pointer is to our own value of the size that is passed, for the length of the call.
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    #if canImport(Darwin)
    var on: Int32 = 1
    // Safety: as above.
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = in_port_t(port).bigEndian
    // Safety: the pointer is to our own address of the size that is passed, for the length of the call.
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(operation: "connect", code: errno) }
  }

  deinit {
    _ = close(descriptor)
  }

  /// Sends all of `text`, or as much as the server takes before it closes.
  package func send(_ text: String) async {
    await onQueue { [descriptor] in
      var rest = Data(text.utf8)
      while !rest.isEmpty {
        // Safety: the buffer is the data's own for the length of the call, which reads at most its count.
        let count = unsafe rest.withUnsafeBytes { buffer in
          #if canImport(Darwin)
          unsafe Darwin.send(descriptor, buffer.baseAddress, buffer.count, 0)
          #elseif canImport(Musl)
          unsafe Musl.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
          #else
          unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
          #endif
        }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Sends FIN: the server sees a client that has gone away.
  package func finishSending() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Reads until the server ends the connection.
  package func readToEnd() async throws -> Received {
    try await onQueue { [descriptor] in
      Result { () throws(Failure) in
        var bytes: [UInt8] = []
        while true {
          switch try Self.read(descriptor, atMost: 65_536) {
          case .bytes(let more): bytes += more
          case .ended(let ending): return Received(text: String(decoding: bytes, as: UTF8.self), ending: ending)
          }
        }
      }
    }.get()
  }

  /// Reads up to and including the first `text`, and not a byte more; less if the connection ends earlier.
  package func read(through text: String) async throws -> String {
    try await onQueue { [descriptor] in
      Result { () throws(Failure) in
        var bytes: [UInt8] = []
        while !bytes.suffix(text.utf8.count).elementsEqual(text.utf8) {
          guard case .bytes(let more) = try Self.read(descriptor, atMost: 1) else { break }
          bytes += more
        }
        return String(decoding: bytes, as: UTF8.self)
      }
    }.get()
  }

  private enum Piece {
    case bytes([UInt8])
    case ended(Ending)
  }

  private static func read(_ descriptor: Int32, atMost limit: Int) throws(Failure) -> Piece {
    var bytes = [UInt8](repeating: 0, count: limit)
    // Safety: the array is ours, is held for the call only, and its count is passed.
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    let code = errno
    if count > 0 { return .bytes(Array(bytes.prefix(count))) }
    if count == 0 { return .ended(.fin) }
    guard code == ECONNRESET else { throw Failure(operation: "recv", code: code) }
    return .ended(.reset)
  }

  private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}

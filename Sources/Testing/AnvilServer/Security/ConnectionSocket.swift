internal import AnvilBase
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The socket of a connection, whose bytes may be encrypted.
///
/// Only the thread that serves the connection may use it, except for ``end()``.
final class ConnectionSocket: Sendable {
  /// The result of ``open(or:until:)``.
  enum Opening {
    /// Requests can be received.
    case ready
    /// A client that does not use TLS sends a request. The connection is now in clear text.
    case clearText
    /// The handshake has failed, and the client can be informed of it.
    case failed
    /// The client has disconnected or has not completed the handshake in time, or the server stops.
    case lost
  }

  private let socket: PosixSocket
  /// The encryption; `nil` for clear text.
  private let stream: Mutex<SecureStream?>

  /// Creates the socket of a connection. Returns `nil` if there is not enough memory for its encryption.
  ///
  /// - Parameter security: The encryption; `nil` for clear text.
  init?(_ socket: PosixSocket, security: (any ConnectionSecurity)?) {
    self.socket = socket
    if let security {
      guard let channel = security.makeChannel() else { return nil }
      stream = Mutex(SecureStream(channel, on: socket))
    } else {
      stream = Mutex(nil)
    }
  }

  /// Performs the handshake of an encrypted connection. A connection in clear text is ready immediately.
  func open(or stop: StopSignal, until deadline: Deadline) -> Opening {
    guard stream.withLock({ $0 != nil }) else { return .ready }
    var isFirst = true
    while true {
      guard socket.wait(for: .input, or: stop, until: deadline) == .ready, let bytes = socket.receive() else {
        return .lost
      }
      // The method of a request begins with a letter, a handshake with the byte 22. Source: RFC 9112 §3, RFC 8446 §5.1.
      if isFirst, let first = bytes.first, (0x41...0x5A).contains(first & 0xDF) {
        stream.withLock { $0 = nil }
        return .clearText
      }
      isFirst = isFirst && bytes.isEmpty
      let progress = stream.withLock { $0?.handshake(bytes) ?? .failed }
      guard flush(or: stop, until: deadline) else { return .lost }
      switch progress {
      case .incomplete: continue
      case .complete: return .ready
      case .failed: return .failed
      }
    }
  }

  /// Waits until the socket is ready, `deadline` has passed or `stop` is signalled.
  func wait(for interest: PosixSocket.Interest, or stop: StopSignal, until deadline: Deadline) -> PosixSocket.Outcome {
    guard interest == .input, stream.withLock({ $0?.hasInput ?? false }) else {
      return socket.wait(for: interest, or: stop, until: deadline)
    }
    return stop.isSignalled ? .stopped : .ready
  }

  /// Returns the received bytes. The result is empty if nothing was received, and `nil` if the client has finished sending or the
  /// connection failed.
  func receive() -> [UInt8]? {
    stream.withLock { stream in
      guard let stream else { return socket.receive() }
      return stream.receive()
    }
  }

  /// Sends the first part of `data` and returns its length, which may be 0. Returns `nil` if the connection failed.
  ///
  /// After a result that is less than the length, the next call has to send the rest.
  func send(_ data: Data) -> Int? {
    stream.withLock { stream in
      guard let stream else { return socket.send(data) }
      return stream.send(data)
    }
  }

  /// Ends this side of the connection, with FIN, after the data sent so far. The socket can still receive.
  func finish(or stop: StopSignal, until deadline: Deadline) {
    stream.withLock { $0?.close() }
    _ = flush(or: stop, until: deadline)
    socket.finish()
  }

  /// Closes both directions, with FIN, so that a thread that waits for input sees the end. May be called on any thread.
  func end() {
    socket.end()
  }

  /// Prepares the socket so that closing it sends RST and discards undelivered data.
  func resetWhenClosed() {
    socket.resetWhenClosed()
  }

  /// Sends the encrypted bytes that the socket has not accepted yet. Returns `false` if they could not be sent.
  private func flush(or stop: StopSignal, until deadline: Deadline) -> Bool {
    while true {
      guard let left = stream.withLock({ $0 == nil ? 0 : $0?.flush() }) else { return false }
      guard left > 0 else { return true }
      guard socket.wait(for: .output, or: stop, until: deadline) == .ready else { return false }
    }
  }
}

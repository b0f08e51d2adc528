package import AnvilBase
internal import Synchronization

/// The socket of a connection, whose bytes may be encrypted. It is used by the connection's thread only, except for ``end()``.
final class ConnectionSocket: Sendable {
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

  /// Creates a socket with this encryption, or in clear text for `nil`. Returns `nil` if there is not enough memory.
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
      if isFirst, let first = bytes.first, first.isLetter {
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

  func wait(for interest: PosixSocket.Interest, or stop: StopSignal, until deadline: Deadline) -> PosixSocket.Outcome {
    guard interest == .input, stream.withLock({ $0?.hasInput ?? false }) else {
      return socket.wait(for: interest, or: stop, until: deadline)
    }
    return stop.isSignalled ? .stopped : .ready
  }

  /// Returns the received bytes, which may be empty, or `nil` if the client has finished sending or the connection failed.
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

/// The encryption of a server's connections. It only transforms bytes, so that AnvilServer links no library for TLS.
package protocol ConnectionSecurity: Sendable {
  /// Returns the encryption of a new connection, or `nil` if there is not enough memory. Called on the thread of the connection.
  func makeChannel() -> sending (any SecureChannel)?
}

/// The encryption of one connection. It performs no input or output, and is used by one thread.
package protocol SecureChannel: AnyObject {
  /// Continues the handshake with bytes that were received from the client.
  func handshake(_ received: [UInt8]) -> HandshakeProgress

  /// Decrypts received bytes. A part that is incomplete is kept for the next call.
  func decrypt(_ received: [UInt8]) -> Decryption

  /// Encrypts the first part of `data` and returns the length of that part. Returns `nil` if the channel has failed.
  func encrypt(_ data: Data) -> Int?

  /// Adds to the output the message that ends the connection, unless the handshake is incomplete or the channel has failed.
  func close()

  /// Removes and returns the bytes that have to be sent to the client.
  func takeOutput() -> Data
}

package enum HandshakeProgress {
  /// More bytes are needed from the client.
  case incomplete
  case complete
  /// The client and the server cannot agree, or the client's bytes are invalid.
  case failed
}

/// The result of decrypting received bytes.
package struct Decryption {
  package let bytes: [UInt8]
  /// True if no more data follows, because the client has closed its side or its data was invalid.
  package let isEnd: Bool

  package init(bytes: [UInt8], isEnd: Bool) {
    self.bytes = bytes
    self.isEnd = isEnd
  }
}

/// An encrypted connection: a channel, its socket, and the bytes that one of them has not taken from the other yet.
final class SecureStream {
  private let channel: any SecureChannel
  private let socket: PosixSocket
  /// Decrypted bytes that were not read yet.
  private var received: [UInt8] = []
  private var isEnded = false
  /// Encrypted bytes that the socket has not accepted yet.
  private var output = Data()
  /// The length of the data that was encrypted but not yet accepted by the socket completely; 0 if all was accepted.
  private var sending = 0

  init(_ channel: any SecureChannel, on socket: PosixSocket) {
    self.channel = channel
    self.socket = socket
  }

  /// True if ``receive()`` can return data, or the end, without reading from the socket.
  var hasInput: Bool { isEnded || !received.isEmpty }

  func handshake(_ bytes: [UInt8]) -> HandshakeProgress {
    let progress = channel.handshake(bytes)
    output.append(channel.takeOutput())
    // A client may send its first request together with the end of its handshake.
    if progress == .complete { take(channel.decrypt([])) }
    return progress
  }

  /// Returns the received bytes, as ``PosixSocket/receive()`` does.
  func receive() -> [UInt8]? {
    if !hasInput {
      guard let bytes = socket.receive() else { return nil }
      take(channel.decrypt(bytes))
    }
    if received.isEmpty, isEnded { return nil }
    defer { received = [] }
    return received
  }

  /// Sends the first part of `data` and returns its length, as ``PosixSocket/send(_:)`` does.
  ///
  /// A part counts as sent when the socket has accepted all of its encrypted bytes. Until then the result is 0, and each call has to pass
  /// the same data again.
  func send(_ data: Data) -> Int? {
    if sending == 0 {
      guard let count = channel.encrypt(data) else { return nil }
      sending = count
      output.append(channel.takeOutput())
    }
    guard let left = flush() else { return nil }
    guard left == 0 else { return 0 }
    defer { sending = 0 }
    return sending
  }

  func close() {
    channel.close()
    output.append(channel.takeOutput())
  }

  /// Sends as much of the output as the socket accepts. Returns the number of bytes that are left, or `nil` if the connection failed.
  func flush() -> Int? {
    while !output.isEmpty {
      guard let count = socket.send(output) else { return nil }
      guard count > 0 else { break }
      output = count == output.count ? Data() : output.dropFirst(count)
    }
    return output.count
  }

  private func take(_ decryption: Decryption) {
    received += decryption.bytes
    isEnded = decryption.isEnd
    // Invalid bytes are answered by an alert. It is sent if the socket accepts it, as the connection ends anyway.
    output.append(channel.takeOutput())
    if isEnded { _ = flush() }
  }
}

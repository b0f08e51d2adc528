#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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

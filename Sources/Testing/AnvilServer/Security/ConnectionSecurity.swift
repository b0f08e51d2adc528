#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The encryption of all connections of a server.
///
/// The server performs all input and output, and an implementation only transforms bytes. AnvilServer therefore links no library for TLS.
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

  /// Adds to the output the message with which this side ends the connection. Has no effect if the handshake is incomplete or the channel
  /// has failed.
  func close()

  /// Removes and returns the bytes that have to be sent to the client.
  func takeOutput() -> Data
}

/// The state of a handshake.
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

#if os(Linux)
internal import AnvilServer
internal import COpenSSL

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The server's side of TLS on one connection.
///
/// OpenSSL reads from one buffer in memory and writes to another. It does not write to the socket, because it would do so without
/// `MSG_NOSIGNAL`. A write to a client that has disconnected would then end the process by SIGPIPE.
///
/// Safety: the pointers are valid and owned until `deinit`, and are used by one thread, as the type is not Sendable.
@safe
final class TLSChannel: SecureChannel {
  /// The maximum length of an encrypted record, rounded up. Source: RFC 5246 §6.2.3.
  private static let recordSize = 20 << 10
  /// The maximum number of bytes that are encrypted by one call.
  private static let partSize = 64 << 10

  @unsafe private let session: OpaquePointer
  /// The buffer with the received bytes that OpenSSL has not read yet.
  @unsafe private let input: OpaquePointer
  /// The buffer to which OpenSSL writes the bytes to be sent.
  @unsafe private let output: OpaquePointer
  private var isComplete = false
  private var hasFailed = false

  /// Creates the channel of a connection. Returns `nil` if there is not enough memory. The session keeps a reference to `context`.
  @unsafe
  init?(_ context: OpaquePointer) {
    guard let session = unsafe SSL_new(context) else { return nil }
    guard let input = unsafe BIO_new(BIO_s_mem()) else {
      unsafe SSL_free(session)
      return nil
    }
    guard let output = unsafe BIO_new(BIO_s_mem()) else {
      unsafe BIO_free(input)
      unsafe SSL_free(session)
      return nil
    }
    // Safety: the session owns the buffers from here on, and frees them with itself.
    unsafe SSL_set_bio(session, input, output)
    unsafe SSL_set_accept_state(session)
    unsafe self.session = session
    unsafe self.input = input
    unsafe self.output = output
  }

  deinit {
    unsafe SSL_free(session)
  }

  func handshake(_ received: [UInt8]) -> HandshakeProgress {
    append(received)
    guard !hasFailed else { return .failed }
    ERR_clear_error()
    let result = unsafe SSL_do_handshake(session)
    isComplete = result == 1
    if isComplete { return .complete }
    if unsafe SSL_get_error(session, result) == SSL_ERROR_WANT_READ { return .incomplete }
    hasFailed = true
    return .failed
  }

  func decrypt(_ received: [UInt8]) -> Decryption {
    append(received)
    var result: Int32 = 0
    ERR_clear_error()
    // The content of the new bytes, and of a record that they complete, fits. Safety: OpenSSL writes at most the rest of the buffer, and
    // as many bytes are initialised as were written.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: received.count + Self.recordSize) { buffer, count in
      while count < buffer.count {
        result = unsafe SSL_read(session, buffer.baseAddress.map { unsafe $0 + count }, Int32(buffer.count - count))
        guard result > 0 else { break }
        count += Int(result)
      }
    }
    guard !hasFailed, result <= 0 else { return Decryption(bytes: bytes, isEnd: hasFailed) }
    switch unsafe SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ:
      return Decryption(bytes: bytes, isEnd: false)
    case SSL_ERROR_ZERO_RETURN:
      return Decryption(bytes: bytes, isEnd: true)
    default:
      hasFailed = true
      return Decryption(bytes: bytes, isEnd: true)
    }
  }

  func encrypt(_ data: Data) -> Int? {
    guard !hasFailed else { return nil }
    let part = data.prefix(Self.partSize)
    guard !part.isEmpty else { return 0 }
    ERR_clear_error()
    // Safety: the buffer is the data's own for the length of the call, which reads at most its count.
    let result = unsafe part.withUnsafeBytes { unsafe SSL_write(session, $0.baseAddress, Int32($0.count)) }
    guard result > 0 else {
      hasFailed = true
      return nil
    }
    return Int(result)
  }

  func close() {
    guard isComplete, !hasFailed else { return }
    ERR_clear_error()
    _ = unsafe SSL_shutdown(session)
  }

  func takeOutput() -> Data {
    let count = unsafe BIO_ctrl_pending(output)
    guard count > 0 else { return Data() }
    var data = Data(count: count)
    // Safety: the buffer is the data's own for the length of the call, which writes at most its count.
    let taken = unsafe data.withUnsafeMutableBytes { unsafe BIO_read(output, $0.baseAddress, Int32($0.count)) }
    return data.prefix(max(0, Int(taken)))
  }

  private func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    // Safety: the bytes are copied during the call. The buffer in memory takes all of them, or none if there is no memory.
    let count = unsafe bytes.withUnsafeBytes { unsafe BIO_write(input, $0.baseAddress, Int32($0.count)) }
    if Int(count) != bytes.count { hasFailed = true }
  }
}
#endif

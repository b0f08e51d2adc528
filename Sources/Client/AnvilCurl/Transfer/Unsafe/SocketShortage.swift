internal import CCurl

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Detection of missing descriptors and sockets. libcurl reports them as failures to resolve a name, to read a file or to connect.
enum SocketShortage {
  /// Returns a description of the lack of descriptors if this is the cause of `result`. libcurl needs descriptors to resolve names and to
  /// read the certificate authorities.
  static func reason(for result: CURLcode) -> String? {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_SSL_CACERT_BADFILE: current.map(words)
    default: nil
    }
  }

  /// Returns a description of the system's error `number` for a socket that could not be created.
  static func words(_ number: Int32) -> String {
    // Safety: strerror returns a NUL-terminated string that is copied at once.
    let text = unsafe String(cString: strerror(number))
    return isShortage(number)
      ? "no file descriptors are left (\(text)): close files and connections, or raise the limit (ulimit -n)"
      : "the system could not create a socket: \(text)"
  }

  /// Returns `true` if the system's error `number` means that no descriptors are left. Other errors concern the kind of socket.
  static func isShortage(_ number: Int32) -> Bool { number == EMFILE || number == ENFILE }

  /// The system's error if no descriptor is available now, otherwise `nil`.
  private static var current: Int32? {
    let descriptor = dup(STDERR_FILENO)
    guard descriptor < 0 else {
      _ = close(descriptor)
      return nil
    }
    let number = errno
    return isShortage(number) ? number : nil
  }
}

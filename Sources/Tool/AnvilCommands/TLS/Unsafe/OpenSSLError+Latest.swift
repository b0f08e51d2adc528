#if os(Linux)
internal import COpenSSL

extension OpenSSLError {
  /// Returns an error for `operation`, which has just failed on this thread, and clears the thread's errors.
  static func latest(_ operation: String) -> Self {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    // Safety: the string is a constant of the library or nil, and is copied at once.
    let reason = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
    return Self(operation: operation, reason: reason ?? "unknown reason")
  }

  /// Checks the result of `operation`.
  ///
  /// - Throws: The latest error if `succeeded` is false.
  static func check(_ operation: String, _ succeeded: Bool) throws(Self) {
    guard succeeded else { throw latest(operation) }
  }
}
#endif

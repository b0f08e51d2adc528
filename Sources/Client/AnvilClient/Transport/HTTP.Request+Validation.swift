package import AnvilHTTP

extension HTTP.Request {
  /// Checks that the request can be sent; see ``HTTP/Request/validate()``.
  ///
  /// - Throws: ``TransportError`` with the code `invalidRequest`.
  package func validateForSending() throws(TransportError) {
    do throws(HTTP.InvalidMessage) {
      try validate()
    } catch {
      throw TransportError(invalidRequest: error)
    }
  }
}

extension TransportError {
  /// Creates the error of a request that cannot be sent because of `reason`.
  init(invalidRequest reason: some Error & CustomStringConvertible) {
    self.init(code: .invalidRequest, reason: reason.description, underlyingError: reason)
  }
}

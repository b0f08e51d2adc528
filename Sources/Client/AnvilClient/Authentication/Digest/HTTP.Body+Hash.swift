internal import AnvilBase
internal import AnvilHTTP

extension HTTP.Body {
  /// Returns the hash of the body's bytes, in lower-case hexadecimal digits. A file is read in chunks.
  ///
  /// - Throws: ``TransportError`` of code `authenticationFailed` for a body that can be read only once, and `requestBodyFailed` for a file
  ///   that cannot be read.
  func hash(by function: HashFunction) async throws(TransportError) -> String {
    guard isReplayable || isEmpty else { throw .bodyCannotBeHashed }
    var hash = function.begin()
    do {
      for try await chunk in self { hash.update(chunk) }
    } catch {
      throw TransportError(
        code: .requestBodyFailed, phase: .delay, reason: "while hashing the body for authentication",
        underlyingError: error)
    }
    return HashFunction.hexadecimal(hash.finish())
  }
}

extension TransportError {
  /// The error for a server that requires the hash of a body that can be read only once.
  static var bodyCannotBeHashed: TransportError {
    TransportError(
      code: .authenticationFailed,
      reason: "the server requires the hash of the body (qop=auth-int), but the body can be read only once")
  }
}

internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

extension TransportError {
  /// - Parameter text: libcurl's description, which may be empty. It may contain names of hosts, but no fields and no body. A
  ///   description that quotes a URL is replaced.
  init(_ result: CURLcode, text: String, afterHead: Bool, phase: Phase, elapsed: Duration) {
    let hasBegun = [.send, .firstByte, .body].contains(phase)
    let code = Code(result, text: text, hasBegun: hasBegun, afterHead: afterHead)
    // Safety: the text is libcurl's own and constant.
    let words = unsafe String(cString: curl_easy_strerror(result))
    let reason =
      if text.hasPrefix("Unsupported proxy") {
        "libcurl does not support the proxy"
      } else if result == CURLE_OUT_OF_MEMORY, code == .responseTooLarge {
        "a line of the head has more than 100 kB"
      } else {
        Self.safeText(ofLibrary: text.isEmpty ? words : text) ?? words
      }
    // A TLS failure ends the connection, and with it the data about its progress.
    let phase = code == .tlsFailure || result == CURLE_SSL_CONNECT_ERROR ? .tls : phase
    self.init(code: code, phase: phase, elapsed: code == .timedOut ? elapsed : nil, reason: reason)
  }
}

extension TransportError.Code {
  fileprivate init(_ result: CURLcode, text: String, hasBegun: Bool, afterHead: Bool) {
    let broken: TransportError.Code = afterHead ? .truncatedResponse : .connectionLost
    self =
      switch result {
      case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED: .invalidRequest
      // libcurl's results for a proxy that it does not support are those for a proxy that cannot be reached.
      case CURLE_COULDNT_RESOLVE_PROXY where text.hasPrefix("Unsupported proxy"),
        CURLE_COULDNT_CONNECT where text.hasPrefix("Unsupported proxy"), CURLE_NOT_BUILT_IN:
        .invalidRequest
      // Also libcurl's result for malformed trailers, and for a head whose first field begins with a blank.
      case CURLE_BAD_FUNCTION_ARGUMENT: hasBegun ? .malformedResponse : .invalidRequest
      // Also libcurl's result for a response in HTTP/0.9 or with an unknown version.
      case CURLE_UNSUPPORTED_PROTOCOL:
        ["HTTP/0.9", "HTTP version", "HTTP response"].contains { text.contains($0) }
          ? .malformedResponse : .invalidRequest
      case CURLE_COULDNT_RESOLVE_HOST where text.hasPrefix("Unix socket path too long"): .invalidRequest
      case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST: .hostNotFound
      // libcurl's result for a name that it resolves itself for a SOCKS proxy.
      case CURLE_PROXY where ["Could not resolve", "Failed to resolve"].contains(where: { text.hasPrefix($0) }):
        .hostNotFound
      case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: .noConnection
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      // A handshake that the other side did not continue, as opposed to one that either side refused.
      case CURLE_SSL_CONNECT_ERROR
      where ["SSL_ERROR_SYSCALL", "Connection reset", "unexpected eof"].contains(where: { text.contains($0) }):
        .connectionLost
      case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED,
        CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
        .tlsFailure
      case CURLE_TOO_LARGE_HEADER: .responseTooLarge
      // Also libcurl's result for an HTTP/2 stream that ends before its head.
      case CURLE_PARTIAL_FILE: broken
      case CURLE_GOT_NOTHING: .connectionLost
      case CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND: broken
      // The result for both a broken connection and malformed chunks.
      case CURLE_RECV_ERROR where text.hasPrefix("Too large response headers"): .responseTooLarge
      case CURLE_RECV_ERROR:
        text.contains("chunked-encoding") || text.contains("hexadecimal")
          ? .malformedResponse
          : Self.ofRefusedTunnel(text) ?? broken
      case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3: broken
      case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_FILESIZE_EXCEEDED:
        .malformedResponse
      // libcurl's result for a line of more than 100 kB.
      case CURLE_OUT_OF_MEMORY where hasBegun && !afterHead: .responseTooLarge
      default: .other
      }
  }

  /// Returns the code for the answer of a proxy to `CONNECT`, other than 2xx; `nil` if `text` is about something else.
  ///
  /// A proxy that rejects a credential or a destination rejects it again. Other proxies do not reach the destination at the moment.
  private static func ofRefusedTunnel(_ text: String) -> TransportError.Code? {
    // `CONNECT tunnel failed, response 407` or `Received HTTP code 407 from proxy after CONNECT`.
    guard ["CONNECT tunnel failed", "from proxy after CONNECT"].contains(where: { text.contains($0) }) else {
      return nil
    }
    let status = text.split(separator: " ").lazy.compactMap { Int($0) }.first
    return switch status {
    case 407?: .authenticationFailed
    case let code? where (300..<500).contains(code) && !Set<HTTP.Status>.transient.contains(HTTP.Status(code: code)):
      .other
    default: .noConnection
    }
  }
}

/// The result for a head that is too large. The headers of older versions of libcurl do not define it.
private let CURLE_TOO_LARGE_HEADER = CURLcode(rawValue: 100)

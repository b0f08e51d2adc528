internal import AnvilBase
internal import AnvilBodies
internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

/// The libcurl options for a session's configuration, shared by all of its handles. Used only on the loop's thread.
@safe
final class SessionSettings {
  /// The buffer size in bytes for large bodies. A large buffer saves system calls.
  static let streamBufferSize = 256 << 10
  /// The buffer size in bytes for bodies that are usually small. libcurl allocates the buffer for each request, and glibc trims its heap
  /// when 64 kB are freed at once, so a larger buffer would cost system calls for each request.
  private static let bufferSize = 16 << 10

  let addressGuard: CurlSession.AddressGuard
  private let configuration: CurlSession.Configuration
  private let acceptedCodings: String?
  private let pins: String?
  private let authoritiesPath: String?
  private var share: UnsafeMutableRawPointer?
  private var overrides: UnsafeMutablePointer<curl_slist>?

  init(configuration: CurlSession.Configuration) {
    self.configuration = configuration
    addressGuard = configuration.addressGuard
    if case .automatic = configuration.decompression {
      acceptedCodings = ContentCoding.available.map(\.rawValue).joined(separator: ", ")
    } else {
      acceptedCodings = nil
    }
    let keys = configuration.tls.pinnedKeys
    pins = keys.isEmpty ? nil : keys.map { "sha256//\($0.hash)" }.joined(separator: ";")
    authoritiesPath = CurlLibrary.features.authoritiesPath
    unsafe share = curl_share_init()
    if unsafe anvil_curl_share_tls_sessions(share) != CURLSHE_OK {
      unsafe curl_share_cleanup(share)
      unsafe share = nil
    }
    for override in configuration.resolveOverrides where !override.addresses.isEmpty {
      let addresses = override.addresses.joined(separator: ",")
      unsafe overrides = curl_slist_append(overrides, "\(override.host):\(override.port):\(addresses)")
    }
  }

  deinit {
    // Safety: no handle uses them any more, as every handle holds a reference to this object.
    unsafe curl_share_cleanup(share)
    unsafe curl_slist_free_all(overrides)
  }

  /// Sets all options that do not depend on the transfer.
  func apply(to handle: EasyHandle) throws(TransportError) {
    try handle.setBufferSize(Self.bufferSize)
    try handle.set(CURLOPT_PATH_AS_IS, 1)
    try handle.set(CURLOPT_TCP_KEEPALIVE, 1)
    // The loop enforces the limits of phases, as it can distinguish them.
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
    try handle.set(CURLOPT_MAXAGE_CONN, configuration.connections.idleLifetime.wholeSeconds)
    try handle.set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    // Chunks are passed on undecoded, as `ChunkReader` is stricter.
    try handle.set(CURLOPT_HTTP_TRANSFER_DECODING, 0)
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if let path = configuration.unixSocketPath { try handle.set(CURLOPT_UNIX_SOCKET_PATH, path) }
    if let overrides = unsafe overrides { try unsafe handle.set(CURLOPT_RESOLVE, pointer: overrides) }
    if let share = unsafe share { try unsafe handle.set(CURLOPT_SHARE, pointer: share) }
    try applyTLS(to: handle)
    try applyProxy(to: handle)
  }

  private func applyTLS(to handle: EasyHandle) throws(TransportError) {
    guard CurlLibrary.features.speaksTLS else { return }
    let tls = configuration.tls
    let version = tls.minimumVersion == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2
    try handle.set(CURLOPT_SSLVERSION, Int(version))
    switch tls.trust {
    case .system:
      // A single file replaces a folder, which would be read again for each connection, at 36 times the cost on Debian.
      guard let authoritiesPath else { break }
      try handle.set(CURLOPT_CAINFO, authoritiesPath)
      try handle.set(CURLOPT_CAPATH, nil as String?)
    case .authorities(let source):
      try set(CURLOPT_CAINFO, CURLOPT_CAINFO_BLOB, source, handle)
      try handle.set(CURLOPT_CAPATH, nil as String?)
    case .anyCertificate:
      try handle.set(CURLOPT_SSL_VERIFYPEER, 0)
      try handle.set(CURLOPT_SSL_VERIFYHOST, 0)
    }
    if let pins { try handle.set(CURLOPT_PINNEDPUBLICKEY, pins) }
    if let client = tls.clientCertificate {
      try set(CURLOPT_SSLCERT, CURLOPT_SSLCERT_BLOB, client.certificate, handle)
      try set(CURLOPT_SSLKEY, CURLOPT_SSLKEY_BLOB, client.key, handle)
      // Set to an empty text by default, because OpenSSL would otherwise prompt at the terminal.
      try handle.set(CURLOPT_KEYPASSWD, client.keyPassword ?? "")
    }
  }

  private func set(
    _ file: CURLoption, _ blob: CURLoption, _ source: CurlSession.Configuration.TLS.Source, _ handle: EasyHandle
  ) throws(TransportError) {
    switch source {
    case .file(let url):
      let path: String
      do throws(UnusablePath) {
        path = try url.filePath
      } catch {
        throw TransportError(
          code: .tlsFailure, phase: .tls, reason: "the file \(url.lastPathComponent) cannot be read: \(error.reason)")
      }
      try handle.set(file, path)
    case .pem(let data):
      try unsafe data.bytes.withUnsafeBytes { bytes throws(TransportError) in try unsafe handle.set(blob, blob: bytes) }
    }
  }

  private func applyProxy(to handle: EasyHandle) throws(TransportError) {
    switch configuration.proxy {
    // Set for each transfer, unless there is a guard, which cannot check addresses behind a proxy.
    case .environment: if addressGuard.allows != nil { try handle.set(CURLOPT_PROXY, "") }
    case .none: try handle.set(CURLOPT_PROXY, "")
    case .server(let url, let user, let password, let excluding):
      let proxy = ProxyURL(url.absoluteString, in: "the session's configuration")
      if let error = proxy.error { throw error }
      try handle.set(CURLOPT_PROXY, proxy.text)
      try handle.set(CURLOPT_PROXYUSERNAME, user)
      try handle.set(CURLOPT_PROXYPASSWORD, password)
      // Also set if empty, because no_proxy of the environment does not apply to this proxy.
      try handle.set(CURLOPT_NOPROXY, excluding.joined(separator: ","))
    }
  }

  /// The text that replaces an invalid URL of a proxy. libcurl reports it with `CURLE_COULDNT_RESOLVE_PROXY`, unless `no_proxy` excludes the
  /// host.
  private static let invalidProxy = "http://invalid:invalid"

  /// libcurl would read the same variables. They are read here because it quotes an invalid URL, and with it the password, in its errors.
  func applyEnvironmentProxy(to handle: EasyHandle, isSecure: Bool) throws(TransportError) {
    guard configuration.proxy == .environment, addressGuard.allows == nil else { return }
    let url = ProxyURL.ofEnvironment(isSecure: isSecure)
    if let proxy = handle.environmentProxy, proxy.url == url { return }
    let error = url?.error
    try handle.set(CURLOPT_PROXY, error == nil ? url?.text ?? "" : Self.invalidProxy)
    handle.environmentProxy = (url, error)
  }

  func applyVersion(to handle: EasyHandle, kind: PoolKind) throws(TransportError) {
    let version: Int =
      if !CurlLibrary.features.speaksHTTP2 { Int(CURL_HTTP_VERSION_1_1) } else {
        switch (configuration.httpVersion, kind) {
        case (.http2PriorKnowledge, _): Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
        case (.automatic, .multiplexed): Int(CURL_HTTP_VERSION_2TLS)
        default: Int(CURL_HTTP_VERSION_1_1)
        }
      }
    guard handle.httpVersion != version else { return }
    try handle.set(CURLOPT_HTTP_VERSION, version)
    // Waits for a connection that is being made and may be shared, instead of making another one.
    try handle.set(CURLOPT_PIPEWAIT, kind == .multiplexed ? 1 : 0)
    handle.httpVersion = version
  }

  /// True if a transfer needs a separate connection, because the loaded libcurl cannot use its connection for another request.
  func needsOwnConnection(isSecure: Bool) -> Bool {
    configuration.httpVersion == .http2PriorKnowledge && !isSecure && !CurlLibrary.reusesCleartextHTTP2
  }

  func fill(_ headers: HeaderList, _ proxyHeaders: HeaderList, for request: HTTP.Request, _ upload: UploadSource) {
    headers.removeAll()
    var cookies: [String] = []
    proxyHeaders.removeAll()
    var (hasUserAgent, hasAcceptEncoding, hasContentType, hasExpect, hasRange) = (false, false, false, false, false)
    for field in request.headers {
      let name = field.key.rawValue
      // Names are compared only if they have the length of a relevant one.
      switch name.utf8.count {
      // libcurl writes this field from the body's properties.
      case 14 where field.key == .contentLength: continue
      // This field must not be forwarded to the server by the proxy.
      case 19 where field.key == .proxyAuthorization:
        proxyHeaders.add(name, field.value.rawValue)
        continue
      case 6 where field.key == .cookie:
        cookies.append(field.value.rawValue.trimmingBlanks)
        continue
      case 6 where field.key == "Expect": hasExpect = true
      case 5 where field.key == .range: hasRange = true
      case 10 where field.key == .userAgent: hasUserAgent = true
      case 15 where field.key == .acceptEncoding: hasAcceptEncoding = true
      case 12 where field.key == .contentType: hasContentType = true
      default: break
      }
      headers.add(name, field.value.rawValue.trimmingBlanks)
    }
    // Cookies are sent in one line. Source: RFC 6265 §5.4.
    if !cookies.isEmpty { headers.add("Cookie", cookies.joined(separator: "; ")) }
    let omitted = configuration.omittedFields
    for key in omitted where key != .contentLength && !request.headers.contains(key) { headers.suppress(key.rawValue) }
    if !hasUserAgent, !omitted.contains(.userAgent) { headers.add("User-Agent", "Anvil/\(AnvilVersion.current)") }
    if !hasAcceptEncoding, let acceptedCodings, !omitted.contains(.acceptEncoding) {
      // A range counts the bytes of the coded content, so it is requested without a coding.
      headers.add("Accept-Encoding", hasRange ? "identity" : acceptedCodings)
    }
    if case .nothing = upload {
      // Source: RFC 9110 §8.6.
      if [.post, .put, .patch].contains(request.method) { headers.add("Content-Length", "0") }
      return
    }
    // libcurl would label the body as a form, and send `Expect: 100-continue` before more than a MiB.
    if !hasContentType { headers.suppress("Content-Type") }
    if !hasExpect { headers.suppress("Expect") }
  }
}

extension Duration {
  fileprivate var wholeSeconds: Int { Int(clamping: min(max(components.seconds, 1), 1_000_000_000)) }
}

/// The libcurl that the process has loaded. Its version may differ from the version of the header.
enum CurlLibrary {
  struct Features: Sendable {
    /// The version in libcurl's encoding: 0x075801 is 7.88.1.
    let version: UInt32
    let name: String
    /// The path of the certificate authorities that the library was built to trust.
    let authoritiesPath: String?
    let speaksHTTP2: Bool
    let speaksTLS: Bool
    let failure: String?
  }

  static let features: Features = {
    // Called once in a process, before any other call. Safety: nothing else in this package calls libcurl earlier.
    let code = curl_global_init(Int(CURL_GLOBAL_ALL))
    // Safety: the structure is libcurl's own, constant, and not null.
    guard let info = unsafe anvil_curl_version() else {
      return Features(
        version: 0, name: "libcurl", authoritiesPath: nil, speaksHTTP2: false, speaksTLS: false,
        failure: "libcurl reports no version")
    }
    let version = unsafe info.pointee.version_num
    let text = unsafe info.pointee.version.map { unsafe String(cString: $0) } ?? "of unknown version"
    var path: String?
    // The field exists since 7.70.
    if version >= 0x074600 { path = unsafe info.pointee.cainfo.map { unsafe String(cString: $0) } }
    let features = unsafe info.pointee.features
    return Features(
      version: version, name: "libcurl \(text)", authoritiesPath: path,
      speaksHTTP2: features & CURL_VERSION_HTTP2 != 0, speaksTLS: features & CURL_VERSION_SSL != 0,
      failure: code == CURLE_OK ? nil : "libcurl could not be initialised: \(code.rawValue)")
  }()

  /// Throws `other` if the library cannot be used.
  static func check() throws(TransportError) {
    let features = features
    if let failure = features.failure { throw TransportError(code: .other, reason: failure) }
    guard features.version >= UInt32(ANVIL_CURL_MINIMUM_VERSION) else {
      throw TransportError(code: .other, reason: "libcurl 7.80 or newer is required, but \(features.name) is loaded")
    }
  }

  /// True if the server is notified immediately when an HTTP/2 stream is abandoned. Version 7.88.1 was observed not to do so.
  static var resetsStreams: Bool { features.version >= 0x080100 }

  /// True if all received input of an HTTP/2 stream is noticed without more input. Version 7.88.1 was observed to leave some; see
  /// `Transfer.searchInput(at:)`.
  static var noticesAllInput: Bool { features.version >= 0x080100 }

  /// True if an HTTP/2 stream can be paused. Versions before 8.0 poll the socket continuously while a stream is paused (curl issue 10618).
  static var canPauseStreams: Bool { features.version >= 0x080000 }

  /// True if a connection with HTTP/2, prior knowledge and no TLS can be used for more than one request. Versions 7.88.0 and 7.88.1 add
  /// another layer of HTTP/2 to the connection for each request, which fails. Source: curl pull requests 10141 and 10643.
  static var reusesCleartextHTTP2: Bool { !(0x075800..<0x080000).contains(features.version) }
}

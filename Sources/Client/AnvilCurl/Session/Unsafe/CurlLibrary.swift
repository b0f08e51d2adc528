internal import AnvilClient
internal import CCurl

/// The libcurl that the process has loaded. Its version may differ from the version of the header.
enum CurlLibrary {
  /// The capabilities of the library, which are determined once.
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

  /// Checks that the library can be used.
  ///
  /// - Throws: `other` if it cannot.
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

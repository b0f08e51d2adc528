internal import AnvilClient
internal import CCurl

/// The libcurl that is loaded, which may be another than the one whose header this was compiled with.
enum CurlLibrary {
  /// What the library can do, asked for once.
  struct Abilities: Sendable {
    /// As libcurl counts: 0x075801 is 7.88.1.
    let version: UInt32
    let name: String
    /// Where the certificate authorities are that it was built to trust.
    let authoritiesPath: String?
    let speaksHTTP2: Bool
    let speaksTLS: Bool
    let failure: String?
  }

  static let abilities: Abilities = {
    // Once in a process, and before any other call. Safety: nothing else of this package calls libcurl before it has been here.
    let code = curl_global_init(Int(CURL_GLOBAL_ALL))
    // Safety: the structure is libcurl's own, constant, and not null.
    guard let info = unsafe anvil_curl_version() else {
      return Abilities(
        version: 0, name: "libcurl", authoritiesPath: nil, speaksHTTP2: false, speaksTLS: false, failure: "no version")
    }
    let version = unsafe info.pointee.version_num
    let text = unsafe info.pointee.version.map { unsafe String(cString: $0) } ?? "of no version"
    var path: String?
    // The field is there since 7.70.
    if version >= 0x074600 { path = unsafe info.pointee.cainfo.map { unsafe String(cString: $0) } }
    let features = unsafe info.pointee.features
    return Abilities(
      version: version, name: "libcurl \(text)", authoritiesPath: path,
      speaksHTTP2: features & CURL_VERSION_HTTP2 != 0, speaksTLS: features & CURL_VERSION_SSL != 0,
      failure: code == CURLE_OK ? nil : "libcurl could not be initialised: \(code.rawValue)")
  }()

  /// - Throws: `other` when the library cannot be used.
  static func check() throws(TransportError) {
    let abilities = abilities
    if let failure = abilities.failure { throw TransportError(code: .other, reason: failure) }
    guard abilities.version >= UInt32(ANVIL_CURL_MINIMUM_VERSION) else {
      throw TransportError(code: .other, reason: "\(abilities.name) is loaded, and 7.80 or newer is needed")
    }
  }

  /// Whether the server of an HTTP/2 stream that is given up hears of it at once: seen not to be so with 7.88.1.
  static var resetsStreams: Bool { abilities.version >= 0x080100 }

  /// Whether an HTTP/2 stream can be held back: older ones ask for the socket again and again meanwhile (curl issue 10618).
  static var holdsStreamsBack: Bool { abilities.version >= 0x080000 }
}

public import AnvilBase
public import AnvilClient
public import AnvilHTTP

/// A transport that uses libcurl: HTTP/1.1 and HTTP/2 over pooled connections, on one dedicated thread.
///
///     var configuration = CurlSession.Configuration()
///     configuration.tls.trust = .authorities(.file(URL(filePath: "/etc/company/ca.pem")))
///     configuration.timeouts.connect = .seconds(2)
///     let service = TransportService(session: CurlSession(configuration: configuration))
///
/// If a body is not read, the session applies backpressure to the server. Although libcurl could, the session does not follow redirects or
/// store cookies. It sends a request again only if a connection with HTTP/2 was lost before the response, and either the method is safe and
/// there is no body, or the server has certainly not processed the request, as after a GOAWAY. The requests of a session share connections,
/// TLS sessions and resolved names. Other sessions do not share them.
///
/// The thread starts with the first request. It ends when the last reference to the session is released, or with
/// ``shutDown(_:)``.
public final class CurlSession: TransportSession {
  /// A session with the default configuration, shared by the services that are created without a session.
  public static let shared = CurlSession()

  private let loop: CurlLoop

  /// Creates a session with a configuration. Problems with the configuration, such as a missing certificate, are reported by every
  /// request.
  public init(configuration: Configuration = Configuration()) {
    loop = CurlLoop(configuration: configuration)
  }

  deinit {
    // Transfers in progress are finished.
    loop.endLater(.finish)
  }

  /// An executor that runs tasks on the session's thread between the transfers. This saves two thread switches per request.
  ///
  ///     try await withTaskExecutorPreference(session.executor) { try await gateway.request("users", id).execute().value }
  ///
  /// All transfers of the session wait while such a task computes or blocks.
  public var executor: any TaskExecutor { loop }

  /// Sends `request` and returns when the response's head has been received.
  ///
  /// - Throws: ``TransportError``; see ``TransportSession``.
  public func send(
    _ request: HTTP.Request, options: TransportOptions
  ) async throws(TransportError) -> TransportResponse {
    try request.validateForSending()
    guard request.body.isReadable else {
      throw TransportError(readingRequestBody: HTTP.BodyError.alreadyConsumed)
    }
    if request.body.trailers != nil, loop.configuration.httpVersion == .http2PriorKnowledge {
      throw TransportError(code: .invalidRequest, reason: "libcurl sends trailers over HTTP/1.1 only")
    }
    var request = request
    try await request.checkEmptyBody(by: Deadline(after: options.timeout))
    let exchange = Exchange(request: request, options: options, loop: loop)
    await withTaskCancellationHandler {
      await HeadContinuation.wait { exchange.start($0) }
    } onCancel: {
      exchange.cancel()
    }
    return try exchange.takeAnswer().get()
  }

  /// The handling of transfers when a session is shut down.
  public enum Shutdown: Hashable, Sendable {
    /// Lets the transfers finish.
    case finishingTransfers
    /// Cancels the transfers, which fail with `TransportError.Code.cancelled`.
    case cancellingTransfers
  }

  /// Ends the session, and returns when its thread has ended and its connections are closed. Later requests fail. Another call of this
  /// function waits for the same shutdown.
  ///
  /// With `finishingTransfers`, a body that is not read to its end delays the shutdown. Cancelling the calling task has no effect.
  public func shutDown(_ mode: Shutdown = .finishingTransfers) async {
    await loop.end(mode == .finishingTransfers ? .finish : .stop)
  }
}

extension CurlSession {
  /// A rule for the addresses that a session may connect to. It protects against server-side request forgery (SSRF), in which an attacker
  /// makes this machine send requests to servers that only this machine can reach. Every address is checked after name resolution, before a
  /// connection is made to it.
  ///
  /// A session with a guard ignores the proxies of the environment, because a proxy hides the addresses of the servers. The address of a
  /// proxy in the configuration is checked. The proxy itself has to check the servers that it connects to. A Unix-domain socket is not
  /// checked.
  public struct AddressGuard: Sendable {
    let allows: (@Sendable (IPAddress) -> Bool)?

    /// Allows any address.
    public static let none = AddressGuard(allows: nil)

    /// Allows only addresses of the public Internet. Loopback, private, link-local, shared, multicast and reserved addresses are refused,
    /// also as IPv4 addresses that are embedded in IPv6 addresses.
    public static let publicOnly = AddressGuard(allows: \.isGlobal)

    /// Allows the addresses for which `allows` returns `true`. It is called on the session's thread and should return quickly.
    public static func custom(_ allows: @escaping @Sendable (IPAddress) -> Bool) -> AddressGuard {
      AddressGuard(allows: allows)
    }
  }
}

/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// The four or sixteen bytes of the address, in network order.
  public let bytes: [UInt8]

  /// Creates an address from its bytes. Returns `nil` if their number is neither four nor sixteen.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// A Boolean value that indicates whether this is an IPv4 address.
  public var isIPv4: Bool { bytes.count == 4 }

  /// The address as dotted decimals, or as groups of hexadecimal digits without abbreviation.
  public var description: String {
    if isIPv4 { return bytes.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2)
      .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
  }

  /// A Boolean value that indicates whether the address can be reached from the public Internet. Source: IANA's registries of
  /// special-purpose addresses, RFC 6890.
  public var isGlobal: Bool {
    if isIPv4 { return !Self.specialIPv4.contains { $0.contains(bytes) } }
    if let embedded { return embedded.isGlobal }
    // Only 2000::/3 is allocated in IPv6.
    return bytes[0] & 0xE0 == 0x20 && !Self.specialIPv6.contains { $0.contains(bytes) }
  }

  /// The IPv4 address that is embedded in this address, to which packets are finally delivered; `nil` if no address is embedded.
  private var embedded: IPAddress? {
    let start: Int
    if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
      start = 12  // Mapped: RFC 4291 §2.5.5.2.
    } else if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
      start = 12  // Translated: RFC 6052 §2.1.
    } else if bytes.starts(with: [0x20, 0x02]) {
      start = 2  // 6to4: RFC 3056 §2.
    } else {
      return nil
    }
    return IPAddress(bytes: Array(bytes[start..<start + 4]))
  }

  /// A prefix of addresses: the first `length` bits of an address.
  private struct Prefix {
    let bytes: [UInt8]
    let length: Int

    func contains(_ address: [UInt8]) -> Bool {
      for (index, byte) in bytes.enumerated() {
        let count = min(8, length - index * 8)
        let mask = count < 8 ? ~(0xFF >> UInt8(count)) : 0xFF as UInt8
        guard address[index] & mask == byte & mask else { return false }
      }
      return true
    }
  }

  private static let specialIPv4 = [
    Prefix(bytes: [0], length: 8), Prefix(bytes: [10], length: 8), Prefix(bytes: [100, 64], length: 10),
    Prefix(bytes: [127], length: 8), Prefix(bytes: [169, 254], length: 16), Prefix(bytes: [172, 16], length: 12),
    Prefix(bytes: [192, 0, 0], length: 24), Prefix(bytes: [192, 0, 2], length: 24),
    Prefix(bytes: [192, 88, 99], length: 24), Prefix(bytes: [192, 168], length: 16),
    Prefix(bytes: [198, 18], length: 15), Prefix(bytes: [198, 51, 100], length: 24),
    Prefix(bytes: [203, 0, 113], length: 24), Prefix(bytes: [224], length: 3),
  ]

  private static let specialIPv6 = [
    Prefix(bytes: [0x20, 0x01, 0x00], length: 23), Prefix(bytes: [0x20, 0x01, 0x0D, 0xB8], length: 32),
    Prefix(bytes: [0x3F, 0xFF, 0x00], length: 20),
  ]
}

extension CurlSession.Configuration {
  /// The TLS settings: trusted authorities and the client's certificate.
  public struct TLS: Hashable, Sendable {
    /// The certificate authorities that are trusted.
    public var trust = Trust.system
    /// The certificate that is sent to servers that request one; `nil` if the client has no certificate.
    public var clientCertificate: ClientCertificate?
    /// The public keys that servers may have, regardless of the issuer of their certificate. If empty, any key is accepted.
    public var pinnedKeys: [PinnedKey] = []
    /// The oldest TLS version that is accepted.
    public var minimumVersion = Version.tls12

    /// Creates settings with the system's authorities and TLS 1.2 or newer.
    public init() {}
  }
}

extension CurlSession.Configuration.TLS {
  /// The location of certificates or keys.
  public enum Source: Hashable, Sendable {
    /// A file with PEM text.
    case file(URL)
    /// PEM text in memory.
    case pem(Data)
  }

  /// The trusted certificate authorities.
  public enum Trust: Hashable, Sendable {
    /// The authorities of the system.
    case system
    /// Only these authorities.
    case authorities(Source)
    /// Any certificate is accepted, even if it is expired or belongs to another host. Anyone on the network can then read and change the
    /// exchange. Use it only for tests. ``pinnedKeys`` still apply.
    case anyCertificate
  }

  /// A client certificate and its private key.
  public struct ClientCertificate: Hashable, Sendable {
    package var certificate: Source
    package var key: Source
    package var keyPassword: String?

    /// Creates a client certificate with its key.
    ///
    /// - Parameters:
    ///   - certificate: The certificate, followed by the intermediate certificates up to its authority.
    ///   - key: The private key.
    ///   - keyPassword: The password of the key, if it is encrypted.
    public init(certificate: Source, key: Source, keyPassword: String? = nil) {
      self.certificate = certificate
      self.key = key
      self.keyPassword = keyPassword
    }
  }

  /// The SHA-256 hash of a public key. Source: RFC 7469 §2.4.
  public struct PinnedKey: Hashable, Sendable {
    let hash: String

    /// Creates a pin for a public key from the SHA-256 hash of its SubjectPublicKeyInfo in DER. Returns `nil` if the hash is not 32 bytes
    /// in base64.
    public init?(sha256 base64: String) {
      guard Data(base64Encoded: base64)?.count == 32 else { return nil }
      hash = base64
    }
  }

  /// A version of TLS.
  public enum Version: Hashable, Sendable {
    /// TLS 1.2. Source: RFC 5246.
    case tls12
    /// TLS 1.3. Source: RFC 8446.
    case tls13
  }
}

extension CurlSession.Configuration.TLS.ClientCertificate: CustomStringConvertible, CustomReflectable {
  /// The type without the key and its password, safe to log.
  public var description: String { "client certificate" }

  /// An empty mirror, so that `dump` does not show the password of the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CookieJar.PublicSuffixes {
  /// The newest list of public suffixes on this machine; `nil` if libpsl is missing. Most builds of libcurl depend on libpsl.
  public static var installed: CookieJar.PublicSuffixes? {
    PublicSuffixLibrary.shared.map { library in CookieJar.PublicSuffixes { library.contains($0) } }
  }
}

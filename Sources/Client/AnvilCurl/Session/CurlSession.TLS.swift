#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

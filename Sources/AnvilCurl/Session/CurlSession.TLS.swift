#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CurlSession.Configuration {
  /// Whom to trust, and how to show who we are.
  public struct TLS: Hashable, Sendable {
    /// The certificate authorities that vouch for servers.
    public var trust = Trust.system
    /// What servers are shown that ask who we are; `nil` for nothing.
    public var clientCertificate: ClientCertificate?
    /// The public keys that servers may have, whoever vouches for them; any where there are none.
    public var pinnedKeys: [PinnedKey] = []
    /// The oldest version of TLS.
    public var minimumVersion = Version.tls12

    /// The system's authorities and TLS 1.2 or newer.
    public init() {}
  }
}

extension CurlSession.Configuration.TLS {
  /// Where certificates or keys are.
  public enum Source: Hashable, Sendable {
    /// In a file, as PEM text.
    case file(URL)
    /// In memory, as PEM text.
    case pem(Data)
  }

  /// Certificate authorities.
  public enum Trust: Hashable, Sendable {
    /// Those of the system.
    case system
    /// These, and none else.
    case authorities(Source)
  }

  /// A client's certificate and its key.
  public struct ClientCertificate: Hashable, Sendable {
    /// The certificate, with those that lead from it to its authority.
    public var certificate: Source
    /// The private key.
    public var key: Source
    /// What the key is encrypted with, if it is.
    public var keyPassword: String?

    /// The certificate with its key.
    public init(certificate: Source, key: Source, keyPassword: String? = nil) {
      self.certificate = certificate
      self.key = key
      self.keyPassword = keyPassword
    }
  }

  /// The SHA-256 hash of a public key. Source: RFC 7469 §2.4.
  public struct PinnedKey: Hashable, Sendable {
    let hash: String

    /// The key whose SubjectPublicKeyInfo, in DER, has this hash; `nil` when that is not 32 bytes in base64.
    public init?(sha256 base64: String) {
      guard Data(base64Encoded: base64)?.count == 32 else { return nil }
      hash = base64
    }
  }

  /// A version of TLS.
  public enum Version: Hashable, Sendable {
    /// Source: RFC 5246.
    case tls12
    /// Source: RFC 8446.
    case tls13
  }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CurlSession {
  /// How a session connects, and what it allows.
  public struct Configuration: Sendable {
    /// Which versions of HTTP are spoken.
    public var httpVersion = HTTPVersion.automatic
    /// How long each phase of an exchange may take; a request's own timeout is for all of them together.
    public var timeouts = Timeouts()
    /// How many connections there may be.
    public var connections = ConnectionLimits()
    /// Whom to trust, and how to show who we are.
    public var tls = TLS()
    /// By which way servers are reached.
    public var proxy = Proxy.environment
    /// The path of a Unix-domain socket to which every connection is made, whatever the URL's host; `nil` for none.
    public var unixSocketPath: String?
    /// Addresses to use in place of resolving a name.
    public var resolveOverrides: [ResolveOverride] = []
    /// Which addresses may be connected to.
    public var addressGuard = AddressGuard.none
    /// What becomes of compressed bodies.
    public var decompression = Decompression.automatic()
    /// The most bytes that a response's head may have, interim responses not counted in; more is
    /// `TransportError.Code.responseTooLarge`. libcurl itself takes no line of more than 100 kB and, with the interim ones, no
    /// more than 300 kB in all. There may be at most 100 interim ones.
    public var maximumHeadSize = 256 << 10

    /// The defaults: HTTP/2 where a server offers it, the system's certificates, proxies of the environment.
    public init() {}
  }
}

extension CurlSession.Configuration {
  /// Which versions of HTTP are spoken.
  public enum HTTPVersion: Hashable, Sendable {
    /// HTTP/2 over TLS where the server offers it (ALPN), HTTP/1.1 elsewhere.
    ///
    /// With a libcurl older than 8.0 streamed responses and large or streamed uploads use HTTP/1.1 all the same: that cannot
    /// hold an HTTP/2 stream back without spinning (curl issue 10618).
    case automatic
    /// HTTP/1.1 only.
    case http1
    /// HTTP/2 without asking, without TLS too. Source: RFC 9113 §3.3.
    case http2PriorKnowledge
  }

  /// How long each phase of an exchange may take, in steps of a millisecond; `nil` for no limit.
  public struct Timeouts: Hashable, Sendable {
    /// Resolving the name and connecting.
    public var connect: Duration? = .seconds(30)
    /// The TLS handshake.
    public var tls: Duration? = .seconds(30)
    /// From the end of the request to the end of the response's head.
    public var firstByte: Duration?
    /// Silence of the peer while a body is on its way, in either direction. Time in which our own side does not read or has
    /// nothing to send does not count.
    public var idle: Duration?

    /// Thirty seconds to connect and for TLS, no limit to the others.
    public init() {}
  }

  /// How many connections there may be. A request beyond them waits for one.
  public struct ConnectionLimits: Hashable, Sendable {
    /// To one host and port, with HTTP/1.1, where each carries one request at a time.
    public var perHost = 256
    /// To one host and port that speaks HTTP/2, where each carries as many requests as the server allows; also to one that may,
    /// over TLS, until its first answer shows that it does not.
    public var perMultiplexedHost = 8
    /// To all hosts together. At least 8, of which a quarter is for hosts that may speak HTTP/2.
    public var total = 512
    /// How many stay open for the next request when none uses them.
    public var idle = 256
    /// How long one that nobody uses can still be taken; later it is closed.
    public var idleLifetime = Duration.seconds(118)

    /// 256 to a host, 8 where they are shared, 512 in all.
    public init() {}
  }

  /// Addresses in place of what resolving a name would give.
  public struct ResolveOverride: Hashable, Sendable {
    /// The host as it stands in URLs.
    public var host: String
    /// The port as it stands in URLs, or the scheme's own.
    public var port: Int
    /// IPv4 or IPv6 addresses, tried in this order.
    public var addresses: [String]

    /// Has `host` with `port` be at `addresses`.
    public init(host: String, port: Int, addresses: [String]) {
      self.host = host
      self.port = port
      self.addresses = addresses
    }
  }

  /// What becomes of compressed bodies.
  public enum Decompression: Hashable, Sendable {
    /// They are asked for, unless a request has an `Accept-Encoding` of its own, and handed over decompressed: gzip and
    /// deflate always, br and zstd where their libraries are. Fields stay as they came.
    case automatic(DecompressionLimits = DecompressionLimits())
    /// They are not asked for, and come as they are.
    case off
  }

  /// How much a compressed body may become; more is `TransportError.Code.responseTooLarge`.
  public struct DecompressionLimits: Hashable, Sendable {
    /// The most bytes.
    public var size: Int
    /// The most bytes for each that came. Counts from the first MiB on, as short texts can be very regular.
    public var ratio: Int

    /// At most `size` bytes, and `ratio` of them for each compressed one.
    public init(size: Int = 4 << 30, ratio: Int = 250) {
      self.size = size
      self.ratio = ratio
    }
  }

  /// By which way servers are reached.
  public enum Proxy: Hashable, Sendable {
    /// As `http_proxy`, `https_proxy` (or `HTTPS_PROXY`), `all_proxy` and `no_proxy` say; `HTTP_PROXY` is not looked at, as a
    /// CGI server would set it to what a client sends.
    case environment
    /// Directly.
    case none
    /// By the proxy at `url`, which the system's authorities have to vouch for where it is reached by TLS: `http`, `https`, `socks4`, `socks4a`, `socks5`, or `socks5h`, which resolves names itself.
    ///
    /// - Parameters:
    ///   - user: who we are to the proxy; neither goes to the servers behind it.
    ///   - password: the user's.
    ///   - excluding: hosts that are reached directly: names, which stand for their subdomains too, and addresses.
    case server(URL, user: String? = nil, password: String? = nil, excluding: [String] = [])
  }
}

public import AnvilBase
package import AnvilHTTP

extension CurlSession {
  /// The connection settings and limits of a session.
  public struct Configuration: Sendable {
    /// The HTTP versions that are used.
    public var httpVersion = HTTPVersion.automatic
    /// The limits on the phases of an exchange. The timeout of a request limits all of them together.
    public var timeouts = Timeouts()
    /// The limits on the number of connections.
    public var connections = ConnectionLimits()
    /// The TLS settings: trusted authorities and the client's certificate.
    public var tls = TLS()
    /// The proxy that is used to reach servers.
    public var proxy = Proxy.environment
    /// The path of a Unix-domain socket to which every connection is made, regardless of the URL's host. If it is `nil`, connections are
    /// made to the host.
    public var unixSocketPath: String?
    /// The addresses to use instead of resolving a name.
    public var resolveOverrides: [ResolveOverride] = []
    /// The addresses that the session may connect to.
    public var addressGuard = AddressGuard.none
    /// The handling of compressed bodies.
    public var decompression = Decompression.automatic()
    /// The maximum size in bytes of a response's head, including its trailers and not counting interim responses. A larger head fails with
    /// `TransportError.Code.responseTooLarge`. libcurl itself refuses lines of more than 100 kB and, including the interim responses, more
    /// than 300 kB in total. There may be at most 100 interim responses.
    public var headSizeLimit = 256 << 10
    /// The fields that neither the session nor libcurl adds to a request, such as `Accept`. A request that contains such a field sends it.
    package var omittedFields: Set<HTTP.HeaderKey> = []

    /// Creates the default configuration: HTTP/2 where a server offers it, the system's certificates, and the proxies of the environment.
    public init() {}
  }
}

extension CurlSession.Configuration {
  /// The HTTP versions that are used.
  public enum HTTPVersion: Hashable, Sendable {
    /// HTTP/2 if the server offers it during the TLS handshake (ALPN), otherwise HTTP/1.1.
    ///
    /// With a libcurl older than 8.0, streamed responses and large or streamed uploads still use HTTP/1.1, because that libcurl cannot
    /// pause an HTTP/2 stream without busy-waiting (curl issue 10618). Requests with trailers always use HTTP/1.1, because libcurl sends
    /// trailers only with it.
    case automatic
    /// HTTP/1.1 only.
    case http1
    /// HTTP/2 without negotiation, for connections with and without TLS. A response with HTTP/1.1 is malformed. Source: RFC 9113 §3.3.
    ///
    /// With libcurl 7.88.0 and 7.88.1, each request without TLS uses a separate connection, because every later request on a connection
    /// would fail (curl issue 10634). The number of connections is then limited by ``ConnectionLimits/perHost``.
    case http2PriorKnowledge
  }

  /// The time limits on the phases of an exchange, with a resolution of a millisecond. A phase with the value `nil` has no limit.
  public struct Timeouts: Hashable, Sendable {
    /// The limit on resolving the name and connecting.
    public var connect: Duration? = .seconds(30)
    /// The time limit for the TLS handshake.
    public var tls: Duration? = .seconds(30)
    /// The limit from the end of the request to the end of the response's head.
    public var firstByte: Duration?
    /// The limit on the inactivity of the peer while a body is sent or received. Time in which this side does not read, or has nothing to
    /// send, does not count. The ``RequestConfigurable/idleTimeout`` of a request replaces this limit for the body of its response.
    public var idle: Duration?

    /// Creates limits of thirty seconds each for connecting and for TLS, and none for the other phases.
    public init() {}
  }

  /// The limits on the number of connections. A request beyond a limit waits for a connection.
  public struct ConnectionLimits: Hashable, Sendable {
    /// The maximum number of HTTP/1.1 connections to one host and port. Each carries one request at a time.
    public var perHost = 256
    /// The maximum number of HTTP/2 connections to one host and port. Each carries as many requests as the server allows. The limit also
    /// applies to each host with TLS until its first response shows that it does not support HTTP/2.
    public var perMultiplexedHost = 8
    /// The maximum number of connections to all hosts together. A number below 8 counts as 8. A quarter of the connections are reserved for
    /// hosts that may support HTTP/2, and the others for HTTP/1.1.
    public var total = 512
    /// The maximum number of idle connections that are kept for later requests. It applies separately to HTTP/1.1 connections and to
    /// connections to hosts that may support HTTP/2.
    public var idle = 256
    /// The time for which an idle connection can be reused. The connection is closed afterwards.
    public var idleLifetime = Duration.seconds(118)

    /// Creates limits of 256 connections per host, 8 per host for shared connections, and 512 in total.
    public init() {}
  }

  /// The addresses to use for a host instead of resolving its name.
  public struct ResolveOverride: Hashable, Sendable {
    package var host: String
    package var port: Int
    package var addresses: [String]

    /// Creates an override that resolves `host` with `port` to `addresses`.
    ///
    /// - Parameters:
    ///   - host: The host as it is written in URLs.
    ///   - port: The port as it is written in URLs, or the default port of the scheme if URLs do not contain a port.
    ///   - addresses: The IPv4 or IPv6 addresses, tried in this order.
    public init(host: String, port: Int, addresses: [String]) {
      self.host = host
      self.port = port
      self.addresses = addresses
    }
  }

  /// The handling of compressed bodies.
  public enum Decompression: Hashable, Sendable {
    /// Requests compressed bodies, unless a request has an `Accept-Encoding` field, and decompresses them. gzip and
    /// deflate are always supported, br and zstd if their libraries are installed. Response fields are left unchanged.
    case automatic(DecompressionLimits = DecompressionLimits())
    /// Does not request compressed bodies, and delivers bodies as received.
    case off
  }

  /// The limits on the size of a decompressed body. A larger body fails with `TransportError.Code.responseTooLarge`.
  public struct DecompressionLimits: Hashable, Sendable {
    /// The maximum number of decompressed bytes.
    package var size: Int
    /// The maximum number of decompressed bytes per compressed byte.
    package var ratio: Int

    /// Creates limits of `size` decompressed bytes, and of `ratio` decompressed bytes per compressed byte. The ratio is checked only for
    /// more than 1 MiB of decompressed bytes, because short texts can be very regular.
    public init(size: Int = 4 << 30, ratio: Int = 250) {
      self.size = size
      self.ratio = ratio
    }
  }

  /// The proxy that is used to reach servers.
  public enum Proxy: Hashable, Sendable {
    /// The proxy that the environment variables `http_proxy`, `https_proxy` (or `HTTPS_PROXY`), `all_proxy` and `no_proxy` specify.
    /// `HTTP_PROXY` is ignored, because a CGI server sets it to a value that the client sends.
    ///
    /// A proxy is written as `http://user:password@host:port`, with one of the schemes of ``server(_:user:password:excluding:)``. Characters
    /// such as `@` and `/` in the user name and the password are written as `%40` and `%2F`. With an invalid URL, requests that need the proxy
    /// fail with `invalidRequest`, and the error does not quote it.
    ///
    /// An entry of `no_proxy` is a name, which includes its subdomains, an IP address without brackets, since libcurl 7.86 a range such as
    /// `10.0.0.0/8`, or `*` for all hosts. A port or a pattern such as `*.example.com` matches nothing.
    case environment
    /// No proxy.
    case none
    /// The proxy at `url`. The scheme is `http`, `https`, `socks4`, `socks4a`, `socks5`, or `socks5h`, which resolves
    /// names at the proxy. A proxy that is reached over TLS needs a certificate that the system's authorities trust.
    ///
    /// - Parameters:
    ///   - user: The user name for the proxy. The name and the password are not sent to other servers.
    ///   - password: The password of the user.
    ///   - excluding: The hosts that are reached directly, in the forms of `no_proxy`, which does not apply to this proxy.
    case server(URL, user: String? = nil, password: String? = nil, excluding: [String] = [])
  }
}

extension CurlSession.Configuration.Proxy: CustomStringConvertible, CustomReflectable {
  /// The kind of the setting and the URL without its user and password, safe to log.
  public var description: String {
    switch self {
    case .environment: "environment"
    case .none: "none"
    case .server(let url, _, _, _): "server(\(HTTP.Redaction().shown(url)))"
    }
  }

  /// An empty mirror, so that `dump` does not show the password.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

public import AnvilHTTP

/// Sends the cookies of a jar and keeps those that come. Without it no cookie is sent or kept.
///
/// Let it follow ``RedirectInterceptor``: then each request of the way gets the cookies of where it goes, and each
/// answer's are kept. A request's own `Cookie` is kept and comes first; of the jar's cookies those of the same names
/// are left out, and so are those with which the field would have more than 8,190 bytes, as servers commonly take no longer one.
public struct CookieInterceptor: Interceptor {
  /// How long a field the jar's cookies may make: the default of Apache's `LimitRequestFieldSize`.
  private static let fieldLimit = 8_190

  private let jar: CookieJar

  /// An interceptor for `jar`, which others may share.
  public init(jar: CookieJar) {
    self.jar = jar
  }

  /// Sends `request` with its cookies and keeps what the response sets, whatever its status.
  ///
  /// - Throws: what the next session throws.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    var request = request
    let cookies = jar.cookies(for: request.url)
    if !cookies.isEmpty {
      let own = request.headers.values(for: .cookie).map(\.rawValue)
      let names = Set(own.flatMap { $0.split(separator: ";").map(Self.name(of:)) })
      let others = cookies.filter { !names.contains($0.name) }.map(\.pair)
      let sent = Self.fitting(others, after: own)
      if !sent.isEmpty { request.headers[.cookie] = .init(rawValue: (own + sent).joined(separator: "; ")) }
    }
    let response = try await next.send(request, options: options)
    jar.store(response.head.headers, from: response.head.url)
    return response
  }

  /// Those of `pairs`, the most specific first, that there is room for.
  private static func fitting(_ pairs: [String], after own: [String]) -> [String] {
    var size = own.reduce(0) { $0 + $1.utf8.count + 2 }
    return pairs.filter { pair in
      guard size + pair.utf8.count <= fieldLimit else { return false }
      size += pair.utf8.count + 2
      return true
    }
  }

  /// The name in `name=value`; empty where there is none.
  private static func name(of pair: Substring) -> String {
    guard let mark = pair.firstIndex(of: "=") else { return "" }
    return String(pair[..<mark].drop { $0 == " " })
  }
}

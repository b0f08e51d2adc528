package import AnvilHTTP

/// Sends the cookies of a jar and stores those that responses set: ``ClientConfiguration/cookies``.
///
/// It comes after ``RedirectInterceptor``, so that each redirected request is sent with the cookies of its target, and the cookies of
/// each response are stored. A request's own `Cookie` is kept and comes first. Cookies of the jar with the same names are left out, and so
/// are cookies that would make the field longer than 8,190 bytes, because many servers reject longer fields.
package struct CookieInterceptor: Interceptor {
  /// The maximum length of the field in bytes, the default of Apache's `LimitRequestFieldSize`.
  static let fieldLimit = 8_190

  private let jar: CookieJar

  /// Creates an interceptor for `jar`, which can be shared.
  package init(jar: CookieJar) {
    self.jar = jar
  }

  /// Sends `request` with its cookies and stores the cookies that the response sets, whatever its status.
  ///
  /// - Throws: The errors of the next session.
  package func intercept(
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

  /// Returns the pairs that fit into the field after `own`. Earlier pairs take precedence, because they are more specific.
  private static func fitting(_ pairs: [String], after own: [String]) -> [String] {
    var size = own.reduce(0) { $0 + $1.utf8.count + 2 }
    return pairs.filter { pair in
      guard size + pair.utf8.count <= fieldLimit else { return false }
      size += pair.utf8.count + 2
      return true
    }
  }

  /// Returns the name in `name=value`; empty if there is no name.
  private static func name(of pair: Substring) -> String {
    guard let mark = pair.firstIndex(of: "=") else { return "" }
    return String(pair[..<mark].drop { $0 == " " })
  }
}

#if HTTPTypes
internal import AnvilBase
public import AnvilHTTP
public import HTTPTypes

// The module HTTPTypes declares HTTPRequest and HTTPResponse, which are also aliases of Anvil's types: here both are written in full.

extension HTTP.Method {
  /// Creates the method of swift-http-types.
  public init(_ method: HTTPTypes.HTTPRequest.Method) { self.init(rawValue: method.rawValue) }
}

extension HTTPTypes.HTTPRequest.Method {
  /// Creates Anvil's method; `nil` if its name is not a token.
  public init?(_ method: HTTP.Method) { self.init(rawValue: method.rawValue) }
}

extension HTTP.Status {
  /// Creates the status of swift-http-types. The reason phrase is dropped.
  public init(_ status: HTTPTypes.HTTPResponse.Status) { self.init(code: status.code) }
}

extension HTTPTypes.HTTPResponse.Status {
  /// Creates Anvil's status; `nil` if its code is not in 0...999. The reason phrase is that of the registry.
  public init?(_ status: HTTP.Status) {
    guard (0...999).contains(status.code) else { return nil }
    self.init(code: status.code, reasonPhrase: status.reasonPhrase ?? "")
  }
}

extension HTTP.Headers {
  /// Creates the fields of swift-http-types, in their order and with duplicates.
  public init(_ fields: HTTPFields) {
    self.init(
      fields.map { HTTP.Headers.Field(.init(rawValue: $0.name.rawName), .init(rawValue: $0.value)) })
  }
}

extension HTTPFields {
  /// Creates Anvil's fields, in their order and with duplicates. Blanks around a value are dropped: they are not part of it.
  ///
  /// - Throws: `HTTP.MessageError` for a name that is not a token, and for a value with a control character, which `HTTPFields` would replace.
  public init(_ headers: HTTP.Headers) throws(HTTP.MessageError) {
    self.init()
    reserveCapacity(headers.count)
    for field in headers {
      guard field.key.isValid, let name = HTTPField.Name(field.key.rawValue) else { throw .headerKey(field.key) }
      let value = field.value.rawValue.trimmingBlanks
      if let offset = field.value.firstInvalidByte { throw .headerValue(field.key, offset: offset) }
      append(HTTPField(name: name, value: value))
    }
  }
}

extension HTTP.Request {
  /// Creates a request from one of swift-http-types.
  ///
  /// - Throws: `HTTP.MessageError.url` if scheme, authority and path do not form an absolute `http` or `https` URL, such as those of a CONNECT.
  ///   `HTTP.MessageError.method` for an extended CONNECT, whose protocol cannot be represented.
  public init(_ request: HTTPTypes.HTTPRequest, body: HTTP.Body = .empty) throws(HTTP.MessageError) {
    let method = try request.plainMethod()
    guard let scheme = request.scheme, scheme.isHTTPScheme, let authority = request.authority, !authority.isEmpty,
      let path = request.path, path.hasPrefix("/") || path.isEmpty,
      // Only what `URL` keeps unchanged: an authority or a path with other characters would become another URL.
      let url = URL(string: "\(scheme)://\(authority)\(path)"), url.absoluteString == "\(scheme)://\(authority)\(path)"
    else { throw .url }
    self.init(
      method: method, url: url, headers: HTTP.Headers(request.headerFields), body: body)
  }
}

extension HTTPTypes.HTTPRequest {
  /// Creates a request from one of Anvil, without its body. The user and the fragment of the URL are dropped, because they are never sent.
  ///
  /// - Throws: `HTTP.MessageError` for a method or a field that is invalid, and for a URL that is not an absolute `http` or `https` URL.
  public init(_ request: HTTP.Request) throws(HTTP.MessageError) {
    guard let method = Method(request.method) else { throw .method(request.method.rawValue) }
    guard let reference = URLComponents(string: request.url.absoluteString),
      let scheme = reference.scheme, scheme.isHTTPScheme, let host = reference.percentEncodedHost ?? reference.host,
      !host.isEmpty
    else { throw .url }
    let authority = reference.port.map { "\(host):\($0)" } ?? host
    let path = reference.percentEncodedPath.isEmpty ? "/" : reference.percentEncodedPath
    let query = reference.percentEncodedQuery.map { "?\($0)" } ?? ""
    self.init(
      method: method, scheme: scheme, authority: authority, path: path + query,
      headerFields: try HTTPFields(request.headers))
  }

  /// Returns Anvil's method.
  ///
  /// - Throws: `HTTP.MessageError.method` for an extended CONNECT (RFC 8441).
  func plainMethod() throws(HTTP.MessageError) -> HTTP.Method {
    guard extendedConnectProtocol == nil else { throw .method(method.rawValue) }
    return HTTP.Method(method)
  }
}

extension String {
  fileprivate var isHTTPScheme: Bool { ["http", "https"].contains(lowercased()) }
}

extension HTTP.Response {
  /// Creates a response from one of swift-http-types.
  public init(_ response: HTTPTypes.HTTPResponse, to request: HTTP.Request, body: HTTP.Body = .empty) {
    self.init(
      request: request, status: HTTP.Status(response.status), headers: HTTP.Headers(response.headerFields), body: body)
  }
}

extension HTTPTypes.HTTPResponse {
  /// Creates a response from one of Anvil, without its body and its request; `nil` for a code outside of 0...999, which no message can have.
  ///
  /// - Throws: `HTTP.MessageError` for a field that is invalid.
  public init?(_ response: HTTP.Response) throws(HTTP.MessageError) {
    guard let status = Status(response.status) else { return nil }
    self.init(status: status, headerFields: try HTTPFields(response.headers))
  }
}
#endif

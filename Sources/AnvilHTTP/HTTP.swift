/// A namespace for the types of HTTP: methods, header fields, statuses, bodies, requests and responses.
///
/// Source: RFC 9110 (semantics). Each type also has an alias at module level: `HTTP.Body` is `HTTPBody`.
public enum HTTP {}

/// ``HTTP/Method`` by its other name.
public typealias HTTPMethod = HTTP.Method
/// ``HTTP/HeaderKey`` by its other name.
public typealias HTTPHeaderKey = HTTP.HeaderKey
/// ``HTTP/HeaderValue`` by its other name.
public typealias HTTPHeaderValue = HTTP.HeaderValue
/// ``HTTP/Headers`` by its other name.
public typealias HTTPHeaders = HTTP.Headers
/// ``HTTP/Status`` by its other name.
public typealias HTTPStatus = HTTP.Status
/// ``HTTP/Body`` by its other name.
public typealias HTTPBody = HTTP.Body
/// ``HTTP/FormPart`` by its other name.
public typealias HTTPFormPart = HTTP.FormPart
/// ``HTTP/Request`` by its other name.
public typealias HTTPRequest = HTTP.Request
/// ``HTTP/Response`` by its other name.
public typealias HTTPResponse = HTTP.Response

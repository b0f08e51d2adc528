#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP {
  /// Why a request cannot be sent: a part of it would break or split the message.
  ///
  /// The description names the part and shows no value: it is safe to log.
  @nonexhaustive
  public enum InvalidMessage: Error, Hashable, CustomStringConvertible {
    /// The method is not a token. Source: RFC 9110 §9.1.
    case method(String)
    /// The URL is not absolute with scheme `http` or `https` and a host.
    case url
    /// The field's name is not a token. Source: RFC 9110 §5.1.
    case headerKey(HeaderKey)
    /// The field's value holds a control character, such as a line break, `offset` UTF-8 bytes from its start.
    /// Source: RFC 9110 §5.5.
    case headerValue(HeaderKey, offset: Int)

    /// What is wrong, without the value.
    public var description: String {
      switch self {
      case .method(let name): "the method \(name.debugDescription) is not an HTTP token"
      case .url: "the URL is not an absolute http or https URL with a host"
      case .headerKey(let key): "the header name \(key.rawValue.debugDescription) is not an HTTP token"
      case .headerValue(let key, let offset):
        "the value of header \(key) has a control character at byte \(offset), which would break the message"
      }
    }
  }
}

extension HTTP.Request {
  /// Checks that nothing in the head would break or split the message.
  ///
  /// Every session checks before it sends; call this to learn earlier.
  ///
  /// - Throws: the first part that is wrong.
  public func validate() throws(HTTP.InvalidMessage) {
    guard method.rawValue.isHTTPToken else { throw .method(method.rawValue) }
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(), !host.isEmpty
    else { throw .url }
    for field in headers {
      guard field.key.isValid else { throw .headerKey(field.key) }
      if let offset = field.value.firstInvalidByte { throw .headerValue(field.key, offset: offset) }
    }
  }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// One field or file of a form that ``HTTP/Body/multipart(_:boundary:)`` writes.
  ///
  /// Source: RFC 7578 §4.
  public struct FormPart: Sendable, Equatable {
    /// The field's name. Several parts may have one name; they keep their order.
    public var name: String
    /// The name under which a file is sent; `nil` for a plain field.
    public var filename: String?
    /// The content. Its media type is the part's `Content-Type`; without one, servers take the part for UTF-8 text.
    public var body: HTTP.Body

    /// A part with the bytes and the media type of `body`, which may be a stream: the form can then be read once.
    public init(name: String, filename: String? = nil, body: HTTP.Body) {
      self.name = name
      self.filename = filename
      self.body = body
    }

    /// A field with the UTF-8 bytes of `text`, as they are: line ends are not changed.
    public static func text(_ text: String, name: String) -> FormPart {
      FormPart(name: name, body: HTTP.Body(text, contentType: nil))
    }

    /// A part with the bytes of `data`.
    public static func data(
      _ data: Data, name: String, filename: String? = nil, contentType: HeaderValue? = .applicationOctetStream
    ) -> FormPart {
      FormPart(name: name, filename: filename, body: HTTP.Body(data, contentType: contentType))
    }

    /// A part with the contents of the file at `url`, read when the form is sent and never held in memory as a whole.
    ///
    /// - Parameter filename: the name to send; the last component of `url` when `nil`.
    public static func file(
      _ url: URL, name: String, filename: String? = nil, contentType: HeaderValue? = .applicationOctetStream
    ) -> FormPart {
      FormPart(
        name: name, filename: filename ?? url.lastPathComponent, body: .file(url, contentType: contentType))
    }
  }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// A field or file of a form created with ``HTTP/Body/multipart(_:boundary:)``.
  ///
  /// Source: RFC 7578 §4.
  public struct FormPart: Sendable, Equatable {
    /// The field's name. Several parts may have the same name; their order is kept.
    public var name: String
    /// The filename to send; `nil` for a plain field.
    public var filename: String?
    /// The content. Its media type becomes the part's `Content-Type`. Servers treat a part without one as UTF-8 text.
    public var body: HTTP.Body

    /// Creates a part from `body`. If `body` is a stream, the form can be read only once.
    public init(name: String, filename: String? = nil, body: HTTP.Body) {
      self.name = name
      self.filename = filename
      self.body = body
    }

    /// Creates a field with the UTF-8 bytes of `text`. Line endings are not changed.
    public static func text(_ text: String, name: String) -> FormPart {
      FormPart(name: name, body: HTTP.Body(text, contentType: nil))
    }

    /// Creates a part with the bytes of `data`.
    public static func data(
      _ data: Data, name: String, filename: String? = nil, contentType: HeaderValue? = .applicationOctetStream
    ) -> FormPart {
      FormPart(name: name, filename: filename, body: HTTP.Body(data, contentType: contentType))
    }

    /// Creates a part with the contents of the file at `url`. The file is read when the form is sent and never held in memory as a whole.
    ///
    /// - Parameter filename: The name to send; the last path component of `url` if `nil`.
    public static func file(
      _ url: URL, name: String, filename: String? = nil, contentType: HeaderValue? = .applicationOctetStream
    ) -> FormPart {
      FormPart(
        name: name, filename: filename ?? url.lastPathComponent, body: .file(url, contentType: contentType))
    }
  }
}

public import AnvilBase

extension HTTP.Body {
  /// Creates a form of fields and files, in order, of type `multipart/form-data`.
  ///
  ///     .multipart([.text("Sunset", name: "title"), .file(url, name: "photo", contentType: "image/jpeg")])
  ///
  /// If all parts are in memory, the form is in memory too. A form with files or streams is read chunk by chunk. Each file is opened
  /// when its turn comes, and a missing file makes that read throw. The form's length is known if the length of every part is. The
  /// form can be sent repeatedly unless a part is a stream. A form without parts consists of its closing boundary.
  ///
  /// In names and filenames a quotation mark is sent as `%22`, a carriage return as `%0D` and a line feed as `%0A`, as browsers do.
  /// Other characters are sent as UTF-8. A media type with a control character makes reading throw
  /// ``HTTP/BodyError/invalidContentType(part:)``, and a part with a content coding ``HTTP/BodyError/encodedPart(_:coding:)``.
  /// A value to be encoded is encoded in the format of the form, unless it specifies one, and its part has the format's media type.
  ///
  /// Source: RFC 7578; the HTML standard, "multipart/form-data encoding algorithm".
  ///
  /// - Parameter boundary: The line between parts, which must not occur in a part. By default 128 random bits.
  /// - Precondition: `boundary` consists of 1 to 70 letters, digits and characters of `'+-._`.
  public static func multipart(_ parts: [HTTP.FormPart], boundary: String? = nil) -> HTTP.Body {
    let boundary = boundary ?? MultipartForm.randomBoundary()
    precondition(
      MultipartForm.isBoundary(boundary), "a boundary must have 1 to 70 letters, digits and characters of '+-._")
    let form = MultipartForm(parts, boundary: boundary)
    return HTTP.Body(
      storage: form.storage,
      contentType: HTTP.HeaderValue(rawValue: "\(HTTP.HeaderValue.multipartForm.rawValue); boundary=\(boundary)"))
  }
}

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

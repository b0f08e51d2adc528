extension HTTP.Body {
  /// Creates a form of fields and files, in order, of type `multipart/form-data`.
  ///
  ///     .multipart([.text("Sunset", name: "title"), .file(url, name: "photo", contentType: .imageJPEG)])
  ///
  /// If all parts are in memory, the form is in memory too. A form with files or streams is read chunk by chunk. Each file is opened
  /// when its turn comes, and a missing file makes that read throw. The form's length is known if the length of every part is. The
  /// form can be sent repeatedly unless a part is a stream. A form without parts consists of its closing boundary.
  ///
  /// In names and filenames a quotation mark is sent as `%22`, a carriage return as `%0D` and a line feed as `%0A`, as browsers do.
  /// Other characters are sent as UTF-8. A media type with a control character makes reading throw
  /// ``HTTP/BodyError/invalidContentType(part:)``.
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
      storage: form.data.map(Storage.data) ?? .form(form),
      contentType: HTTP.HeaderValue(rawValue: "\(HTTP.HeaderValue.multipartForm.rawValue); boundary=\(boundary)"))
  }
}

extension HTTP.Body {
  /// Fields and files as a form, in their order, of type `multipart/form-data`.
  ///
  ///     .multipart([.text("Sunset", name: "title"), .file(url, name: "photo", contentType: .imageJPEG)])
  ///
  /// A form of bytes in memory is itself bytes in memory. One with files or streams is read chunk by chunk: each file is
  /// opened when its turn comes, and one that is missing is the error of that read. The form's length is known when every
  /// part's is, and it can be sent again unless a part is a stream. No parts give a form that has only its end.
  ///
  /// In names and filenames a quotation mark is sent as `%22`, a carriage return as `%0D` and a line feed as `%0A`, as
  /// browsers do; all else is UTF-8. A media type with a control character makes reading throw
  /// ``HTTP/BodyError/invalidContentType(part:)``.
  ///
  /// Source: RFC 7578; the HTML standard, "multipart/form-data encoding algorithm".
  ///
  /// - Parameter boundary: the line between parts, which must occur in none: 128 random bits unless given.
  /// - Precondition: `boundary` has 1 to 70 letters, digits and characters of `'+-._`.
  public static func multipart(_ parts: [HTTP.FormPart], boundary: String? = nil) -> HTTP.Body {
    let boundary = boundary ?? MultipartForm.randomBoundary()
    precondition(MultipartForm.isBoundary(boundary), "a boundary has 1 to 70 letters, digits and characters of '+-._")
    let form = MultipartForm(parts, boundary: boundary)
    return HTTP.Body(
      storage: form.data.map(Storage.data) ?? .form(form),
      contentType: HTTP.HeaderValue(rawValue: "\(HTTP.HeaderValue.multipartForm.rawValue); boundary=\(boundary)"))
  }
}

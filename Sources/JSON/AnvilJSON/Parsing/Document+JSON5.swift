extension Document {
  /// Parses `source` from `start` on, which is JSON5 in UTF-8.
  ///
  /// - Throws: ``JSON/SyntaxError``.
  static func parseJSON5(
    _ source: borrowing RawSpan, from start: Int, options: JSON.ParsingOptions
  ) throws(JSON.SyntaxError) -> Document {
    let bytes = PaddedBytes(copying: source)
    defer { bytes.deallocate() }
    let invalid = UTF8Validation.firstInvalidByte(in: bytes, from: start, to: bytes.count)
    var parser = JSON5Parser(bytes, from: start, to: invalid ?? bytes.count, options: options)
    do throws(ParseFailure) {
      do throws(ParseFailure) {
        try parser.parse()
      } catch {
        // Errors before the invalid byte take precedence. If the text seems to end at the invalid byte, that byte is
        // the error.
        if let invalid, error.code == .unexpectedEnd { throw ParseFailure(code: .invalidEncoding, offset: invalid) }
        throw error
      }
      if let invalid { throw ParseFailure(code: .invalidEncoding, offset: invalid) }
    } catch {
      throw JSON.SyntaxError(error, in: source)
    }
    do throws(DocumentBuilder.TooLarge) {
      return try parser.builder.finish()
    } catch {
      throw JSON.SyntaxError(ParseFailure(code: .tooLarge(limit: error.limit), offset: 0), in: source)
    }
  }
}

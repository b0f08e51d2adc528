/// The parser's internal error. ``JSON/SyntaxError`` is created from it out of line.
struct ParseFailure: Error {
  var code: JSON.SyntaxError.Code
  /// The number of bytes before the error, in the UTF-8 that was parsed.
  var offset: Int
}

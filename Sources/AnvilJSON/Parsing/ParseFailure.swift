/// Where and why a text is not JSON, as the parser says it; ``JSON/SyntaxError`` is made of it out of line.
struct ParseFailure: Error {
  var code: JSON.SyntaxError.Code
  /// Bytes before the place, in the UTF-8 that was parsed.
  var offset: Int
}

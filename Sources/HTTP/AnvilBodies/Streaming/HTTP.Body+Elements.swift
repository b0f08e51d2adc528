public import AnvilBase
public import AnvilHTTP

extension HTTP.Body {
  /// Returns the elements of a body that is a JSON array, decoded as they arrive.
  ///
  ///     for try await user in response.body.elements(of: User.self) { … }
  ///
  /// An element is available as soon as it is complete: a string, an array or an object with its last byte, a number or a literal
  /// name with the following byte. A chunk is read only when the next element is not available yet. At most an element and a chunk
  /// are in memory. An element that lies within one chunk is decoded without copying it.
  ///
  /// The text is validated as strictly as a complete document: the sequence ends without an error only if the array is closed and
  /// only white space follows. The text must be UTF-8, with or without a byte order mark; UTF-16 and UTF-32 are rejected. The array
  /// must be JSON even if the format reads JSON5. The format decodes each element as a separate document.
  ///
  /// Reading throws
  /// - `DecodingError`, whose path begins with the element's index. If the text is not JSON, not an array or truncated, the error is
  ///   `dataCorrupted` with an underlying `JSON.SyntaxError`. Its offset, line and column refer to the whole body (a format other than
  ///   `JSON.Decoder` reports errors within an element in a different way);
  /// - `dataCorrupted` with the code `tooLarge` for an element of more than `limit` bytes, and with `tooDeep` if more containers are
  ///   nested than the `JSON.Decoder` allows, including the array (512 by default);
  /// - any other error thrown by the type's `init(from:)` or by reading the body, and `CancellationError` if the task is cancelled.
  ///
  /// The sequence ends after an error. To continue after an element that is valid JSON but not a valid `Value`, use
  /// ``Values/results``. Invalid JSON ends the results as well, because the start of the next element cannot be found.
  ///
  /// - Parameters:
  ///   - format: The format of an element; ``decodingFormat`` if `nil`.
  ///   - limit: The maximum number of bytes of an element, by default 16 MiB.
  public func elements<Value: Decodable>(
    of type: Value.Type, with format: (any DecodingFormat)? = nil, upTo limit: Int = 1 << 24
  ) -> Values<Value, any Error> {
    Values { [format = format ?? decodingFormat] in ElementReader(self, format: format, limit: limit) }
  }
}

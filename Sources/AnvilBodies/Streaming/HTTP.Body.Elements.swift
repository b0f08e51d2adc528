public import AnvilHTTP
public import AnvilModel

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
  ///   the task is cancelled.
  ///
  /// The sequence ends after an error. To continue after an element that is valid JSON but not a valid `Value`, use
  /// ``Elements/results``.
  ///
  /// - Parameters:
  ///   - format: The format of an element; ``decodingFormat`` if `nil`.
  ///   - limit: The maximum number of bytes of an element, by default 16 MiB.
  public func elements<Value: Decodable>(
    of type: Value.Type, with format: (any DecodingFormat)? = nil, upTo limit: Int = 1 << 24
  ) -> Elements<Value> {
    Elements(body: self, format: format ?? decodingFormat, limit: limit)
  }

  /// The elements of a JSON array; see ``HTTP/Body/elements(of:with:upTo:)``. Can be iterated as often as the body can be read.
  public struct Elements<Value: Decodable>: AsyncSequence, Sendable {
    let body: HTTP.Body
    let format: any DecodingFormat
    let limit: Int

    /// Creates an iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(elements: ElementReader(body, format: format, limit: limit))
    }

    /// An iterator over the elements, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var elements: ElementReader

      /// Returns the next element; `nil` at the end and after an error.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Value? {
        guard let element = try await elements.next() else { return nil }
        do {
          return try elements.decode(Value.self, from: element)
        } catch {
          elements.stop()
          throw error
        }
      }

      /// Returns the next element; `nil` at the end and after an error.
      public mutating func next() async throws -> Value? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension HTTP.Body.Elements {
  /// The elements as results. An element that is valid JSON but cannot be decoded is a failure and does not end the sequence.
  ///
  ///     for try await result in response.body.elements(of: User.self).results {
  ///       switch result {
  ///       case .success(let user): …
  ///       case .failure(let error): print("skipped: \(error)")
  ///       }
  ///     }
  ///
  /// Invalid JSON still ends the sequence with an error, because the start of the next element cannot be found.
  public var results: Results { Results(body: body, format: format, limit: limit) }

  /// The elements of a JSON array, each as a value or an error; see ``HTTP/Body/Elements/results``.
  public struct Results: AsyncSequence, Sendable {
    let body: HTTP.Body
    let format: any DecodingFormat
    let limit: Int

    /// Creates an iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(elements: ElementReader(body, format: format, limit: limit))
    }

    /// An iterator over the values or errors, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var elements: ElementReader

      /// Returns the next element's value or error; `nil` at the end and after an error.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Result<Value, any Error>? {
        guard let element = try await elements.next() else { return nil }
        do {
          return .success(try elements.decode(Value.self, from: element))
        } catch {
          if elements.isJSON(element) { return .failure(error) }
          elements.stop()
          throw error
        }
      }

      /// Returns the next element's value or error; `nil` at the end and after an error.
      public mutating func next() async throws -> Result<Value, any Error>? {
        try await next(isolation: #isolation)
      }
    }
  }
}

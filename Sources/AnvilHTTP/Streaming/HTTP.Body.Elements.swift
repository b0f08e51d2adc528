public import AnvilModel

extension HTTP.Body {
  /// The elements of the JSON array that the body is, decoded as they arrive.
  ///
  ///     for try await user in response.body.elements(of: User.self) { … }
  ///
  /// An element comes as soon as its end has: a string, an array or an object with its last byte, a number or a name with
  /// the byte behind it. A chunk is read only when an element is asked for that is not there yet; no more is held than an
  /// element and a chunk. Elements that lie within a chunk are decoded where they are.
  ///
  /// The text is as strict as that of a whole document: the elements are all there only when, after the last one, the
  /// array has ended and nothing but white space has followed. It is UTF-8, with or without a mark: UTF-16 and UTF-32 are
  /// refused. It is JSON, also where the format reads JSON5. Each element is a text of its own to the format.
  ///
  /// Reading throws
  /// - `DecodingError`, whose path begins with the element's index. Where the text is not JSON, not an array or cut off, it
  ///   is `dataCorrupted` with a `JSON.SyntaxError` beneath, whose offset, line and column are those in the whole body (a
  ///   format other than `JSON.Decoder` says what is wrong within an element in its own way);
  /// - the same with the code `tooLarge` for an element of more than `limit` bytes, and `tooDeep` for more containers in
  ///   each other than the `JSON.Decoder` allows, the array among them: 512 unless set;
  /// - any other error that the type's own `init(from:)` throws, what reading the body throws, and `CancellationError` when
  ///   the task is cancelled.
  ///
  /// After an error there are no more elements. To go on behind an element that is JSON and not a `Value`, read the
  /// ``Elements/results``.
  ///
  /// - Parameters:
  ///   - format: what an element is decoded with: ``decodingFormat`` when `nil`.
  ///   - limit: how many bytes an element may have: 16 MiB unless given.
  public func elements<Value: Decodable>(
    of type: Value.Type, with format: (any DecodingFormat)? = nil, upTo limit: Int = 1 << 24
  ) -> Elements<Value> {
    Elements(body: self, format: format ?? decodingFormat, limit: limit)
  }

  /// The elements of an array; see ``HTTP/Body/elements(of:with:upTo:)``. Can be read as often as the body can.
  public struct Elements<Value: Decodable>: AsyncSequence, Sendable {
    let body: HTTP.Body
    let format: any DecodingFormat
    let limit: Int

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(elements: ElementReader(body, format: format, limit: limit))
    }

    /// Gives the elements in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var elements: ElementReader

      /// The next element; `nil` at the end and after an error.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Value? {
        guard let element = try await elements.next() else { return nil }
        do {
          return try elements.decode(Value.self, from: element)
        } catch {
          elements.stop()
          throw error
        }
      }

      /// The next element; `nil` at the end and after an error.
      public mutating func next() async throws -> Value? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension HTTP.Body.Elements {
  /// The same elements, where one that is JSON and cannot be decoded is an element like any other and ends nothing.
  ///
  ///     for try await result in response.body.elements(of: User.self).results {
  ///       switch result {
  ///       case .success(let user): …
  ///       case .failure(let error): print("skipped: \(error)")
  ///       }
  ///     }
  ///
  /// What is no JSON still ends the array with an error: nobody can tell where the next element would begin.
  public var results: Results { Results(body: body, format: format, limit: limit) }

  /// The elements of an array, each with its value or the reason why there is none; see ``HTTP/Body/Elements/results``.
  public struct Results: AsyncSequence, Sendable {
    let body: HTTP.Body
    let format: any DecodingFormat
    let limit: Int

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(elements: ElementReader(body, format: format, limit: limit))
    }

    /// Gives the values, or the reasons, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var elements: ElementReader

      /// What the next element holds; `nil` at the end and after an error.
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

      /// What the next element holds; `nil` at the end and after an error.
      public mutating func next() async throws -> Result<Value, any Error>? {
        try await next(isolation: #isolation)
      }
    }
  }
}

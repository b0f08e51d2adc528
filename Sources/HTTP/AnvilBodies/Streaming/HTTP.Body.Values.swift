public import AnvilHTTP

extension HTTP.Body {
  /// The values of a body, decoded as they arrive. Can be iterated as often as the body can be read.
  ///
  /// They are created by ``HTTP/Body/elements(of:with:upTo:)``, ``HTTP/Body/jsonLines(of:with:upTo:)`` and
  /// ``HTTP/Body/jsonSequence(of:with:upTo:)``, which document the errors of reading. The sequence ends after an error. `ValueError` is the
  /// type of the error for a single value that cannot be decoded. ``results`` continues after such an error.
  public struct Values<Value: Decodable, ValueError: Error>: AsyncSequence, Sendable {
    private let makeReader: @Sendable () -> any ValueReader<ValueError>

    init(_ makeReader: @escaping @Sendable () -> any ValueReader<ValueError>) {
      self.makeReader = makeReader
    }

    /// Creates an iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(reader: makeReader())
    }

    /// An iterator over the values, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var reader: any ValueReader<ValueError>

      /// Returns the next value; `nil` at the end and after an error.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Value? {
        guard let result = try await reader.next(as: Value.self) else { return nil }
        do throws(ValueError) {
          return try result.get()
        } catch {
          reader.stop()
          throw error
        }
      }

      /// Returns the next value; `nil` at the end and after an error.
      public mutating func next() async throws -> Value? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension HTTP.Body.Values {
  /// The values as results. A value that cannot be decoded is a failure and does not end the sequence.
  ///
  ///     for try await result in response.body.elements(of: User.self).results {
  ///       switch result {
  ///       case .success(let user): …
  ///       case .failure(let error): print("skipped: \(error)")
  ///       }
  ///     }
  ///
  /// Errors after which the next value cannot be found still end the sequence.
  public var results: Results { Results(makeReader: makeReader) }

  /// The values of a body, each as a value or an error; see ``HTTP/Body/Values/results``.
  public struct Results: AsyncSequence, Sendable {
    fileprivate let makeReader: @Sendable () -> any ValueReader<ValueError>

    /// Creates an iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(reader: makeReader())
    }

    /// An iterator over the values or errors, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var reader: any ValueReader<ValueError>

      /// Returns the next value or its error; `nil` at the end and after an error that was thrown.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Result<Value, ValueError>? {
        try await reader.next(as: Value.self)
      }

      /// Returns the next value or its error; `nil` at the end and after an error that was thrown.
      public mutating func next() async throws -> Result<Value, ValueError>? {
        try await next(isolation: #isolation)
      }
    }
  }
}

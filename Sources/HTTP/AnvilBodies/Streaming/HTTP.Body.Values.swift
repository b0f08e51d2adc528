internal import AnvilBase
public import AnvilHTTP
internal import AnvilJSON

extension HTTP.Body {
  /// The values of a body, decoded as they arrive. Can be iterated as often as the body can be read.
  ///
  /// They are created by ``HTTP/Body/elements(of:with:sizeLimit:)``, ``HTTP/Body/jsonLines(of:with:sizeLimit:)`` and
  /// ``HTTP/Body/jsonSequence(of:with:sizeLimit:)``, which document the errors of reading. The sequence ends after an error. `ValueError` is the
  /// type of the error for a single value that cannot be decoded. ``results`` continues after such an error.
  public struct Values<Value: Decodable, ValueError: Error>: AsyncSequence, Sendable {
    let makeReader: @Sendable () -> any ValueReader<ValueError>

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
    }
  }
}

protocol ValueReader<ValueError> {
  associatedtype ValueError: Error

  /// Returns the error of a value that cannot be decoded if reading can continue. There are no values after a thrown error.
  mutating func next<Value: Decodable>(as type: Value.Type) async throws -> Result<Value, ValueError>?
  /// Stops reading and releases the body.
  mutating func stop()
}

/// Splits bytes that arrive in chunks into pieces, with at most a piece and a chunk in memory.
protocol ChunkSplitter {
  associatedtype Piece

  /// Appends the next bytes. The previous chunk must be used up: ``next()`` has returned `nil`.
  mutating func append(_ chunk: Data)
  /// Returns the next piece; `nil` if more bytes are needed.
  mutating func next() throws -> Piece?
  /// Returns the last piece, which consists of the remaining bytes; `nil` if no bytes remain.
  mutating func finish() throws -> Piece?
}

extension ElementSplitter: ChunkSplitter {}
extension ServerSentEventParser: ChunkSplitter {}

/// Reads a body piece by piece. A chunk is read only when it is needed.
struct PieceReader<Splitter: ChunkSplitter> {
  /// The remaining chunks of the body. `nil` after the end and after an error, so that the transfer is released.
  private var chunks: HTTP.Body.AsyncIterator?
  private(set) var splitter: Splitter
  private let cancellation: any Error
  private var mismatch: (any Error)?

  /// - Parameter mismatch: The error of a body with another media type, which is thrown instead of reading the body. The body remains readable,
  ///   because it often explains what is wrong. `nil` if the type fits.
  init(_ body: HTTP.Body, _ splitter: Splitter, mismatch: (any Error)? = nil) {
    // An iterator consumes a stream, even if it is never used.
    let chunks = mismatch == nil ? body.makeAsyncIterator() : nil
    self.chunks = chunks
    cancellation = chunks?.cancellation ?? CancellationError()
    self.splitter = splitter
    self.mismatch = mismatch
  }

  /// Creates a reader of JSON values. The error of a body of another media type is a `DecodingError`, as that of a document that is not JSON.
  init(json body: HTTP.Body, _ splitter: Splitter) {
    let mismatch = body.contentType.flatMap { type in
      type.excludesJSON ? HTTP.BodyError.notJSON(contentType: type.rawValue) : nil
    }
    self.init(
      body, splitter,
      mismatch: mismatch.map { error in
        DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(error)", underlyingError: error))
      })
  }

  /// Returns the next piece; `nil` at the end and after an error. If the task is cancelled, throws `CancellationError` or the transport's error.
  mutating func next() async throws -> Splitter.Piece? {
    if let mismatch {
      self.mismatch = nil
      throw mismatch
    }
    do {
      while chunks != nil {
        if Task.isCancelled { throw cancellation }
        if let piece = try splitter.next() { return piece }
        guard let chunk = try await chunks?.next() else {
          // A cancelled read may end early, which must not be mistaken for the end of the body.
          if Task.isCancelled { throw cancellation }
          chunks = nil
          return try splitter.finish()
        }
        splitter.append(chunk)
      }
      return nil
    } catch {
      chunks = nil
      throw error
    }
  }

  mutating func stop() {
    chunks = nil
  }
}

public import AnvilBase

extension HTTP {
  /// The body of a message: empty, bytes in memory, a value to be encoded, a file, a multipart form, or a stream of chunks.
  ///
  /// A body is a value. Bytes and files can be sent any number of times; a file is opened again each time. A stream can be read once.
  /// Read a body in chunks with `for try await chunk in body`, or all at once with ``collect(upTo:)``.
  public struct Body: Sendable {
    package enum Storage: Sendable {
      case empty
      case data(Data)
      case value(DeferredValue)
      case file(URL)
      // Indirect: stored inline, its 41 bytes would enlarge every body, whose storage takes 17.
      indirect case form(MultipartForm)
      case stream(OneShotStream)
    }

    package let storage: Storage

    /// The media type. The client sends it as `Content-Type` unless the request has that field; for a multipart form, unless the field has
    /// a boundary.
    public var contentType: HeaderValue?

    /// The properties that few bodies have.
    private struct Details: Sendable {
      var contentEncoding: HeaderValue?
      var encodingFormat: (any EncodingFormat)?
      var inheritsEncodingFormat = false
      var decodingFormat: (any DecodingFormat)?
    }

    /// In separate storage, because bodies are copied often.
    private var details: Shared<Details>?

    private mutating func change(_ change: (inout Details) -> Void) {
      var details = self.details ?? Shared(wrappedValue: Details())
      self.details = nil
      change(&details.wrappedValue)
      self.details = details
    }

    /// The content codings in the order in which they were applied to the bytes, such as `gzip`; `nil` for none. The client sends them as
    /// `Content-Encoding` unless the request has that field.
    public var contentEncoding: HeaderValue? {
      get { details?.wrappedValue.contentEncoding }
      set { if newValue != nil || details != nil { change { $0.contentEncoding = newValue } } }
    }

    package var ownEncodingFormat: (any EncodingFormat)? {
      get { details?.wrappedValue.encodingFormat }
      set {
        if newValue != nil || details != nil {
          change { ($0.encodingFormat, $0.inheritsEncodingFormat) = (newValue, false) }
        }
      }
    }

    /// Whether ``ownEncodingFormat`` is not the body's own, but that of the settings of the request whose body this is.
    package var inheritsEncodingFormat: Bool {
      get { details?.wrappedValue.inheritsEncodingFormat ?? false }
      set { change { $0.inheritsEncodingFormat = newValue } }
    }

    package var ownDecodingFormat: (any DecodingFormat)? {
      get { details?.wrappedValue.decodingFormat }
      set { if newValue != nil || details != nil { change { $0.decodingFormat = newValue } } }
    }

    package init(storage: Storage, contentType: HeaderValue?) {
      self.storage = storage
      self.contentType = contentType
    }

    package mutating func takeFormats(of other: Body) {
      guard details != nil || other.details != nil else { return }
      let contentEncoding = contentEncoding
      details = other.details
      self.contentEncoding = contentEncoding
    }

    /// The empty body.
    public static let empty = Body(storage: .empty, contentType: nil)

    /// Creates a body with the bytes of `data`.
    public init(_ data: Data, contentType: HeaderValue? = nil) {
      self.init(storage: .data(data), contentType: contentType)
    }

    /// Creates a body with the UTF-8 bytes of `text`, by default of type `text/plain`.
    public init(_ text: String, contentType: HeaderValue? = "text/plain; charset=utf-8") {
      self.init(Data(text.utf8), contentType: contentType)
    }

    /// Creates a body with the contents of the file at `url`. The file is read when the body is sent and never held in memory as a whole.
    public static func file(_ url: URL, contentType: HeaderValue? = .applicationOctetStream) -> Body {
      Body(storage: .file(url), contentType: contentType)
    }

    /// Creates a body from the chunks of an asynchronous sequence, which is iterated once.
    ///
    /// - Parameter length: The total number of bytes, if known. Sending fails if the sequence has fewer or more bytes.
    public static func stream<Chunks: AsyncSequence & Sendable>(
      _ chunks: Chunks, length: Int? = nil, contentType: HeaderValue? = .applicationOctetStream
    ) -> Body where Chunks.Element == Data {
      Body(storage: .stream(OneShotStream(chunks, length: length)), contentType: contentType)
    }

    /// Creates a body from the chunks of an asynchronous sequence, which is iterated once, followed by trailer fields.
    ///
    /// `trailers` is called after the last chunk was read, so that a field can contain a digest of the body. Over HTTP/1.1 the body is sent
    /// chunked. A session that cannot send trailers, such as URLSession, fails with `TransportError.Code.invalidRequest`. Sending also
    /// fails for trailer fields that frame, route or authenticate a message or describe its content. Source: RFC 9110 §6.5.
    public static func stream<Chunks: AsyncSequence & Sendable>(
      _ chunks: Chunks, contentType: HeaderValue? = .applicationOctetStream,
      trailers: @escaping @Sendable () -> HTTP.Headers
    ) -> Body where Chunks.Element == Data {
      Body(storage: .stream(OneShotStream(chunks, length: nil, trailers: trailers)), contentType: contentType)
    }
  }
}

extension HTTP.Body {
  /// The bytes, if they are in memory. Empty data for an empty body.
  ///
  /// `nil` for a value to be encoded (see ``encoded()``). Also `nil` for a file, a stream, and a form that contains a file, a stream or a
  /// value to be encoded (see ``collect(upTo:)``).
  public var data: Data? {
    switch storage {
    case .empty: Data()
    case .data(let data): data
    case .value, .file, .form, .stream: nil
    }
  }

  /// The bytes as text, if they are in memory and valid UTF-8.
  public var string: String? {
    data.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The file that the body is read from; `nil` for other bodies.
  public var fileURL: URL? {
    if case .file(let url) = storage { url } else { nil }
  }

  /// The number of bytes, if it is known without reading them. `nil` for a value to be encoded, for a file that does not exist, is not a
  /// regular file or has content although the system reports its size as 0, for a stream of unknown length, and for a form with such a
  /// part.
  public var length: Int? {
    switch storage {
    case .empty: 0
    case .data(let data): data.count
    case .value: nil
    case .file(let url): FileChunks.length(of: url)
    case .form(let form): form.length
    case .stream(let stream): stream.length
    }
  }

  /// A Boolean value that indicates whether the body is known to have no bytes.
  public var isEmpty: Bool { length == 0 }

  /// A Boolean value that indicates whether there is no body: neither bytes nor a media type or content coding.
  package var isAbsent: Bool {
    if case .empty = storage { contentType == nil && contentEncoding == nil } else { false }
  }

  /// A Boolean value that indicates whether the body can be read repeatedly. False for a stream and for a form that contains a stream.
  package var isReplayable: Bool {
    switch storage {
    case .empty, .data, .value, .file: true
    case .form(let form): form.isReplayable
    case .stream: false
    }
  }

  /// False for a stream that was already read, and for a form that contains such a stream.
  package var isReadable: Bool {
    switch storage {
    case .empty, .data, .value, .file: true
    case .form(let form): form.isReadable
    case .stream(let stream): !stream.isTaken
    }
  }

  /// A closure that returns the trailer fields after the body was read; `nil` for a body without trailers.
  package var trailers: (@Sendable () -> HTTP.Headers)? {
    if case .stream(let stream) = storage { stream.trailers } else { nil }
  }
}

extension HTTP.Headers {
  /// These fields frame, route or authenticate a message or describe its content. Source: RFC 9110 §6.5.1.
  package static let forbiddenInTrailers: Set<HTTP.HeaderKey> = [
    .contentLength, .transferEncoding, .host, .contentEncoding, .contentType, .contentRange, .setCookie, .cookie,
    .authorization, .proxyAuthorization, .trailer, .te, .connection, .expect, .range,
  ]
}

extension HTTP.Body: Equatable {
  /// Returns whether both bodies have the same bytes, the same file, the same stream or value, or equal form parts, and the same media
  /// type and content codings. Formats are ignored.
  public static func == (lhs: HTTP.Body, rhs: HTTP.Body) -> Bool {
    guard lhs.contentType == rhs.contentType, lhs.contentEncoding == rhs.contentEncoding else { return false }
    switch (lhs.storage, rhs.storage) {
    case (.file(let left), .file(let right)): return left == right
    case (.form(let left), .form(let right)): return left == right
    case (.stream(let left), .stream(let right)): return left === right
    case (.value(let left), .value(let right)): return left === right
    default: return lhs.data == rhs.data && lhs.data != nil
    }
  }
}

extension HTTP.Body: CustomStringConvertible, CustomReflectable {
  /// A mirror that contains only the media type, so that `dump` does not reveal the bytes.
  public var customMirror: Mirror {
    Mirror(self, children: ["contentType": contentType.map(\.rawValue.loggable) as Any])
  }

  /// The kind and the length of the body, without its bytes.
  public var description: String {
    let size = length.map { "\($0) B" } ?? "length unknown"
    return switch storage {
    case .empty: "empty"
    case .data: size
    case .value: "value to be encoded"
    case .file: "file, \(size)"
    case .form: "form, \(size)"
    case .stream: "stream, \(size)"
    }
  }
}

/// A value that is encoded when its body is sent, in the format that is set at that time.
package final class DeferredValue: Sendable {
  /// A function that encodes the value. It uses the value's own format if there is one, otherwise its argument, otherwise a default format.
  package typealias Encode = @Sendable ((any EncodingFormat)?) throws(HTTP.BodyError) -> HTTP.Body

  let encode: Encode

  init(_ encode: @escaping Encode) {
    self.encode = encode
  }
}

extension HTTP.Body {
  /// `encode` is called whenever the bytes are needed, with the format of the request or `nil`. It must return bytes in memory.
  package static func deferred(
    contentType: HTTP.HeaderValue? = nil, _ encode: @escaping DeferredValue.Encode
  ) -> HTTP.Body {
    HTTP.Body(storage: .value(DeferredValue(encode)), contentType: contentType)
  }

  /// A Boolean value that indicates whether the body is a value to be encoded, or a form that contains one.
  package var isDeferred: Bool {
    switch storage {
    case .value: true
    case .form(let form): form.isDeferred
    case .empty, .data, .file, .stream: false
    }
  }

  /// A Boolean value that indicates whether the bytes are in memory, or will be when the body is encoded.
  package var isInMemoryOnceEncoded: Bool {
    switch storage {
    case .empty, .data, .value: true
    case .form(let form): form.isInMemoryOnceEncoded
    case .file, .stream: false
    }
  }

  /// Returns this body with its value, or the values of its form, encoded as they will be sent. Any other body is returned unchanged.
  ///
  ///     request.body = try request.body.encoded()      // request.body.data has the bytes from here on
  ///
  /// The result has the formats of this body, and its media type and content codings if they were set.
  ///
  /// - Throws: ``HTTP/BodyError/unencodable(type:reason:)``.
  public func encoded() throws(HTTP.BodyError) -> HTTP.Body { try encoded(in: ownEncodingFormat) }

  package func encoded(in format: (any EncodingFormat)?) throws(HTTP.BodyError) -> HTTP.Body {
    var body: HTTP.Body
    switch storage {
    case .value(let value): body = try value.encode(format)
    case .form(let form) where form.isDeferred:
      body = HTTP.Body(storage: try form.encoded(in: format).storage, contentType: contentType)
    default: return self
    }
    body.contentType = contentType ?? body.contentType
    body.contentEncoding = contentEncoding ?? body.contentEncoding
    body.takeFormats(of: self)
    return body
  }

  /// Throws ``HTTP/BodyError/notCollected`` for a file or a stream; ``HTTP/BodyError/unencodable(type:reason:)``.
  package func bytes() throws(HTTP.BodyError) -> Data {
    // Without a copy of the body, whose formats are existential values.
    if case .data(let data) = storage { return data }
    guard let data = try encoded().data else { throw .notCollected }
    return data
  }
}

/// Reads a body chunk by chunk. Chunks are never empty; their sizes depend on the producer.
extension HTTP.Body: AsyncSequence {
  /// An iterator over the chunks of a body, in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private enum State {
      case bytes(Data)
      case chunks(any ChunkProducer)
      case failed(HTTP.BodyError)
      case done
    }

    private var state: State

    init(_ body: HTTP.Body) {
      state =
        switch body.storage {
        case .empty: .done
        case .data(let data): data.isEmpty ? .done : .bytes(data)
        case .value: Self.state(encoding: body)
        case .form(let form) where form.isDeferred: Self.state(encoding: body)
        case .file(let url): .chunks(FileChunks(url))
        case .form(let form): form.error.map(State.failed) ?? .chunks(form.makeChunks())
        case .stream(let stream): stream.take().map(State.chunks) ?? .failed(.alreadyConsumed)
        }
    }

    private static func state(encoding body: HTTP.Body) -> State {
      do throws(HTTP.BodyError) {
        return Self(try body.encoded()).state
      } catch {
        return .failed(error)
      }
    }

    /// Returns the next chunk; `nil` at the end.
    ///
    /// - Throws: ``HTTP/BodyError``, or an error of the stream's underlying sequence. After an error there are no more chunks.
    public mutating func next() async throws -> Data? {
      switch state {
      case .done: return nil
      case .bytes(let data):
        state = .done
        return data
      case .failed(let error):
        state = .done
        throw error
      case .chunks(let producer):
        do {
          if let chunk = try await producer.next() { return chunk }
          state = .done
          return nil
        } catch {
          state = .done
          throw error
        }
      }
    }
  }

  /// Creates an iterator over the chunks. A stream can be read only once.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(self)
  }

  /// Returns all bytes in memory.
  ///
  /// - Parameter limit: The maximum number of bytes to read.
  /// - Throws: ``HTTP/BodyError/tooLarge(limit:)`` as soon as there are more than `limit` bytes, and errors of reading the body.
  public func collect(upTo limit: Int = .max) async throws -> Data {
    if let length, length > limit { throw HTTP.BodyError.tooLarge(limit: limit) }
    if let data { return data }
    var collected = Data()
    for try await chunk in self {
      guard chunk.count <= limit - collected.count else { throw HTTP.BodyError.tooLarge(limit: limit) }
      collected.append(chunk)
    }
    return collected
  }
}

extension HTTP.Body.AsyncIterator {
  /// The error of reading in a cancelled task, which is the same while a chunk is awaited and between the pieces of a chunk.
  package var cancellation: any Error {
    if case .chunks(let producer) = state { producer.cancellation } else { CancellationError() }
  }
}

/// A source of chunks for one reader.
package protocol ChunkProducer: AnyObject {
  /// The error of ``next()`` in a cancelled task.
  var cancellation: any Error { get }
  /// Returns the next chunk, which is not empty; `nil` at the end.
  func next() async throws -> Data?
}

extension ChunkProducer {
  package var cancellation: any Error { CancellationError() }
}

package import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// A message's body: nothing, bytes in memory, a value to be encoded, a file, a form of such parts, or a stream of chunks.
  ///
  /// A body is a value. Bytes and files can be sent any number of times (a file is opened anew each time); a stream can
  /// be read once. Reading is by chunk, with `for try await chunk in body`, or all at once with ``collect(upTo:)``.
  public struct Body: Sendable {
    package enum Storage: Sendable {
      case empty
      case data(Data)
      case value(DeferredValue)
      case file(URL)
      // Boxed: in place its 41 bytes would grow every body, whose storage has 17.
      indirect case form(MultipartForm)
      case stream(OneShotStream)
    }

    package let storage: Storage

    /// The media type; the client sends it as `Content-Type` unless the request's own fields have one.
    public var contentType: HeaderValue?

    /// The content codings in the order in which they were applied to the bytes, such as `gzip`; `nil` for none. The client sends
    /// them as `Content-Encoding` unless the request's own fields have one.
    public var contentEncoding: HeaderValue?

    package var ownEncodingFormat: (any EncodingFormat)?
    package var ownDecodingFormat: (any DecodingFormat)?

    package init(storage: Storage, contentType: HeaderValue?) {
      self.storage = storage
      self.contentType = contentType
    }

    /// No body.
    public static let empty = Body(storage: .empty, contentType: nil)

    /// The bytes of `data`.
    public init(_ data: Data, contentType: HeaderValue? = nil) {
      self.init(storage: .data(data), contentType: contentType)
    }

    /// The UTF-8 bytes of `text`, as `text/plain` unless said otherwise.
    public init(_ text: String, contentType: HeaderValue? = "text/plain; charset=utf-8") {
      self.init(Data(text.utf8), contentType: contentType)
    }

    /// The contents of the file at `url`, read when the body is sent and never held in memory as a whole.
    public static func file(_ url: URL, contentType: HeaderValue? = .applicationOctetStream) -> Body {
      Body(storage: .file(url), contentType: contentType)
    }

    /// The chunks of an asynchronous sequence, which is iterated once.
    ///
    /// - Parameter length: how many bytes will come, where that is known; fewer or more make sending fail.
    public static func stream<Chunks: AsyncSequence & Sendable>(
      _ chunks: Chunks, length: Int? = nil, contentType: HeaderValue? = .applicationOctetStream
    ) -> Body where Chunks.Element == Data {
      Body(storage: .stream(OneShotStream(chunks, length: length)), contentType: contentType)
    }

    /// Creates a body from the chunks of an asynchronous sequence, which is iterated once, followed by trailer fields.
    ///
    /// `trailers` is called when the last chunk was read, so that a field can hold a digest of the body. The body is sent chunked
    /// over HTTP/1.1. A session that cannot send trailers, such as URLSession, fails with
    /// `TransportError.Code.invalidRequest`. Fields that frame, route or authenticate a message are not allowed and make sending
    /// fail. Source: RFC 9110 §6.5.
    public static func stream<Chunks: AsyncSequence & Sendable>(
      _ chunks: Chunks, contentType: HeaderValue? = .applicationOctetStream,
      trailers: @escaping @Sendable () -> HTTP.Headers
    ) -> Body where Chunks.Element == Data {
      Body(storage: .stream(OneShotStream(chunks, length: nil, trailers: trailers)), contentType: contentType)
    }
  }
}

extension HTTP.Body {
  /// The bytes, where they are in memory: empty data for no body, `nil` for a value to be encoded, which ``encoded()`` encodes, and for
  /// a file, a form with one, or a stream, which ``collect(upTo:)`` reads.
  public var data: Data? {
    switch storage {
    case .empty: Data()
    case .data(let data): data
    case .value, .file, .form, .stream: nil
    }
  }

  /// The bytes as UTF-8 text, where they are in memory and valid.
  public var string: String? {
    data.flatMap { String(bytes: $0, encoding: .utf8) }
  }

  /// The file that the body is read from, if it is one.
  public var fileURL: URL? {
    if case .file(let url) = storage { url } else { nil }
  }

  /// How many bytes there are, where that can be told without reading them; `nil` for a file that cannot be opened and
  /// a stream of unstated length.
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

  /// Whether it is known that there are no bytes.
  public var isEmpty: Bool { length == 0 }

  /// Whether the body can be read any number of times: false for a stream and a form with one.
  public var isReplayable: Bool {
    switch storage {
    case .empty, .data, .value, .file: true
    case .form(let form): form.isReplayable
    case .stream: false
    }
  }

  /// Whether the body can be read now: false for a stream that was read before, and a form with one.
  public var isReadable: Bool {
    switch storage {
    case .empty, .data, .value, .file: true
    case .form(let form): form.isReadable
    case .stream(let stream): !stream.isTaken
    }
  }
}

extension HTTP.Body {
  /// Returns the fields that follow the body, once it was read; `nil` for a body without trailers.
  package var trailers: (@Sendable () -> HTTP.Headers)? {
    if case .stream(let stream) = storage { stream.trailers } else { nil }
  }
}

extension HTTP.Headers {
  /// The fields that a trailer section may not have, because they frame, route or authenticate a message or describe its
  /// content. Source: RFC 9110 §6.5.1.
  package static let forbiddenInTrailers: Set<HTTP.HeaderKey> = [
    .contentLength, .transferEncoding, .host, .contentEncoding, .contentType, .contentRange, .setCookie, .cookie,
    .authorization, .proxyAuthorization, .trailer, .te, .connection, .expect, .range,
  ]
}

extension HTTP.Body: Equatable {
  /// Whether both hold the same bytes, name the same file, are the same stream or value, or are forms of equal parts; media types
  /// and content codings count, formats do not.
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

extension HTTP.Body: CustomReflectable {
  /// A mirror with the media type alone, so that `dump` does not show the bytes.
  public var customMirror: Mirror {
    Mirror(self, children: ["contentType": contentType.map(\.rawValue.loggable) as Any])
  }
}

extension HTTP.Body: CustomStringConvertible {
  /// What kind of body it is and how long, never its bytes.
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

public import AnvilBase
public import AnvilHTTP
public import AnvilJSON

extension HTTP.Body {
  /// The format used by ``encode(_:with:)``: by default a new `JSON.Encoder` that writes dates as in RFC 3339.
  public var encodingFormat: any EncodingFormat {
    get { ownEncodingFormat ?? JSON.Encoder.rfc3339() }
    set { ownEncodingFormat = newValue }
  }

  /// The format used by ``decode(as:container:with:)``: by default a new `JSON.Decoder` that reads dates as in RFC 3339.
  public var decodingFormat: any DecodingFormat {
    get { ownDecodingFormat ?? JSON.Decoder.rfc3339() }
    set { ownDecodingFormat = newValue }
  }

  /// Replaces the body with `value`, encoded in `format`, and sets the format's media type. The default of `format` is ``encodingFormat``.
  /// The values of ``encodingFormat`` and ``decodingFormat`` are kept.
  ///
  /// - Throws: An error of the format; the body is then unchanged.
  public mutating func encode(_ value: some Encodable, with format: (any EncodingFormat)? = nil) throws {
    let format = format ?? encodingFormat
    var encoded = try HTTP.Body(format.encode(value), contentType: format.contentType)
    encoded.takeFormats(of: self)
    self = encoded
  }

  /// Decodes a value of type `type` from the body in `format`. The default of `format` is ``decodingFormat``. If the body wraps the value
  /// in an object, `container` is the type of that object.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format.
  public func decode<T: Decodable>(
    as type: T.Type, container: (any DecodableContainer<T>.Type)? = nil, with format: (any DecodingFormat)? = nil
  ) throws -> T {
    let format = format ?? ownDecodingFormat ?? Self.defaultDecodingFormat
    guard let container else { return try format.decode(type, from: bytes()) }
    return try format.element(of: container, from: bytes())
  }

  /// The format of bodies that specify none. Only ``decodingFormat`` returns a separate decoder, whose strategies a caller may change.
  package static let defaultDecodingFormat: any DecodingFormat = JSON.Decoder.rfc3339()

  /// Creates a body with `value` as JSON, by default of type `application/json` and with dates as in RFC 3339.
  ///
  /// - Throws: An error of the encoder.
  public static func json(_ value: some Encodable, encoder: (any EncodingFormat)? = nil) throws -> HTTP.Body {
    let encoder = encoder ?? JSON.Encoder.rfc3339()
    return try HTTP.Body(encoder.encode(value), contentType: encoder.contentType)
  }

  /// Creates a body with `value`, wrapped in `container`, as JSON, by default of type `application/json`.
  ///
  /// - Throws: An error of the encoder.
  public static func json<T, Container: EncodableContainer>(
    _ value: T, container: Container.Type, encoder: (any EncodingFormat)? = nil
  ) throws -> HTTP.Body where Container.Contained == T {
    try json(container.init(element: value), encoder: encoder)
  }
}

extension DecodingFormat {
  /// Returns the value that `container` wraps in `data`.
  fileprivate func element<Container: DecodableContainer>(
    of container: Container.Type, from data: Data
  ) throws -> Container.Contained {
    try decode(container, from: data).element
  }
}

extension EncodingFormat {
  var contentType: HTTP.HeaderValue? {
    mediaType.map(HTTP.HeaderValue.init(rawValue:))
  }
}

extension HTTP.Body {
  /// Creates a body that encodes `value` when it is sent, in `format` or, by default, in the format of its request.
  ///
  /// This method does not throw. If the value cannot be encoded, the request fails with `TransportError.Code.invalidRequest`.
  public static func encoding(_ value: some Encodable & Sendable, with format: (any EncodingFormat)? = nil) -> HTTP.Body
  {
    .deferred { inherited throws(HTTP.BodyError) in
      let format = format ?? inherited ?? JSON.Encoder.rfc3339()
      do {
        return HTTP.Body(try format.encode(value), contentType: format.contentType)
      } catch {
        throw .unencodable(value, error)
      }
    }
  }
}

extension HTTP.BodyError {
  /// Returns the error for a `value` that cannot be encoded because of `error`. It contains no part of the value.
  static func unencodable<Value>(_ value: Value, _ error: any Error) -> HTTP.BodyError {
    .unencodable(type: "\(Value.self)", reason: (error as? EncodingError)?.summary ?? "\(error)")
  }
}

extension HTTP.Body {
  /// Creates a body with the merge patch from `old` to `new`, of type `application/merge-patch+json`, for a PATCH request that sends only
  /// the differences.
  ///
  ///     request.headers[.ifMatch] = response.headers[.eTag]
  ///     request.body = .mergePatch(from: user, to: changed)
  ///
  /// A property that is `nil` in `new` but not in `old` is removed. The patch of two equal values is `{}`.
  ///
  /// Both values are encoded when the body is sent, in `format` or, by default, in the format of the request. The request fails with
  /// `TransportError.Code.invalidRequest` if the format does not write JSON, if a value cannot be encoded, or if the patch exceeds
  /// the maximum size of a document.
  ///
  /// - Source: RFC 7396. `JSON.mergePatch(from:to:)` has the details.
  public static func mergePatch<Value: Encodable & Sendable>(
    from old: Value, to new: Value, with format: (any EncodingFormat)? = nil
  ) -> HTTP.Body {
    .deferred(contentType: .applicationMergePatchJSON) { inherited throws(HTTP.BodyError) in
      let format = format ?? inherited ?? JSON.Encoder.rfc3339()
      if let type = format.contentType, !type.isJSON {
        throw .unencodable(type: "\(Value.self)", reason: "\(type.rawValue) is not JSON")
      }
      do {
        let patch = try JSON.mergePatch(from: JSON(parsing: format.encode(old)), to: JSON(parsing: format.encode(new)))
        return HTTP.Body(patch.serializedData(), contentType: .applicationMergePatchJSON)
      } catch {
        throw .unencodable(new, error)
      }
    }
  }
}

/// Decoding of bodies to existing models, or with model factories.
extension HTTP.Body {
  /// Decodes the body with `factory`. The default of `format` is ``decodingFormat``. Use `factory.array` for a list of models.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format and the factory.
  public func decode<Factory: DecodingFactory>(
    using factory: Factory, with format: (any DecodingFormat)? = nil
  ) throws -> Factory.Model {
    try (format ?? decodingFormat).decode(using: factory, from: bytes())
  }

  /// Returns `value` updated from the body. The default of `format` is ``decodingFormat``. An object is updated in place.
  ///
  ///     user = try response.body.update(user)
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format and the value.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T, with format: (any DecodingFormat)? = nil) throws -> T {
    try (format ?? decodingFormat).update(value, from: bytes())
  }
}

extension HTTP.Body {
  /// Creates a URL form of name–value pairs, in order, of type `application/x-www-form-urlencoded`.
  ///
  ///     .urlForm(["grant_type": "password", "scope": "read", "scope": "write"])
  ///
  /// Names are not interpreted: brackets as in `"user[name]"` have no meaning.
  ///
  /// Source: the URL standard, "application/x-www-form-urlencoded serializing".
  public static func urlForm(_ fields: KeyValuePairs<String, String>) -> HTTP.Body {
    urlForm(fields.map { ($0.key, $0.value) })
  }

  package static func urlForm(_ fields: [(String, String)]) -> HTTP.Body {
    let pairs = fields.map { "\(FormEncoding.encode($0))=\(FormEncoding.encode($1))" }
    return HTTP.Body(Data(pairs.joined(separator: "&").utf8), contentType: .applicationFormURLEncoded)
  }

  /// Creates a URL form of `value`, of type `application/x-www-form-urlencoded`. Nested names use brackets; see ``URLForm``.
  ///
  ///     try .urlForm(Search(query: "swift", languages: ["en", "fi"]))       // query=swift&languages[]=en&languages[]=fi
  ///
  /// For a dictionary literal of strings, the function for pairs is called instead. It keeps order and duplicates, and does not throw.
  ///
  /// - Throws: An error of the encoder.
  @_disfavoredOverload  // else a literal would prefer being a dictionary to being pairs
  public static func urlForm(
    _ value: some Encodable, encoder: URLForm.Encoder = URLForm.Encoder()
  ) throws -> HTTP.Body {
    try HTTP.Body(encoder.encode(value), contentType: .applicationFormURLEncoded)
  }
}

extension HTTP.Query {
  /// Creates the items of a value, with the names and texts of a URL form; see ``URLForm``. Properties that are `nil` have no items.
  ///
  ///     struct Filter: Encodable { var state: State?; var labels: [String]; var since: Date }
  ///
  ///     let found: [Issue] = try await gateway.get("issues", query: HTTP.Query(encoding: filter))
  ///     // ?labels=a&labels=b&since=2026-02-03T04:05:06Z
  ///
  /// The elements of an array have the same name, as in the literal of a query. For a server that expects `labels[]=a`, pass
  /// `URLForm.Encoder(arrays: .brackets)`.
  ///
  /// - Throws: An error of the encoder, `EncodingError.invalidValue` for a value that a form cannot represent.
  public init(
    encoding value: some Encodable, encoder: URLForm.Encoder = URLForm.Encoder(arrays: .repeated)
  ) throws {
    self.init(try encoder.pairs(of: value).map { Item($0.name, $0.value) })
  }
}

extension DecodingError {
  /// The kind of the error and its coding path in one line, without values of the document. For invalid JSON, the reason and its position; for
  /// a body of another type, this type; for a line or a record, its number.
  package var summary: String {
    let text =
      switch self {
      case .typeMismatch(let type, let context): "expected \(type) at \(context.path)"
      case .valueNotFound(let type, let context): "expected \(type) at \(context.path), found null"
      case .keyNotFound(let key, let context): "missing key \(key.stringValue.debugDescription) at \(context.path)"
      case .dataCorrupted(let context):
        context.underlyingSummary ?? "invalid data at \(context.path)"
      @unknown default: "unknown error"
      }
    return text.printable
  }
}

extension EncodingError {
  /// The coding path in one line, without the value.
  var summary: String {
    switch self {
    case .invalidValue(_, let context): "invalid value at \(context.codingPath.text)".printable
    @unknown default: "unknown error"
    }
  }
}

extension DecodingError.Context {
  fileprivate var path: String { codingPath.text }

  /// The description of an error that explains why the data is invalid, and contains no values; `nil` for another error, or none.
  fileprivate var underlyingSummary: String? {
    switch underlyingError {
    // The error shows at most one byte of the document.
    case let error as JSON.SyntaxError: "not JSON: \(error)"
    case let error as HTTP.BodyError: error.description
    case let error as HTTP.ValueDecodingError: error.description
    default: nil
    }
  }
}

extension [any CodingKey] {
  /// The coding path in the form `$.users[3].name`.
  fileprivate var text: String {
    reduce(into: "$") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }
  }
}

/// A day is the same text in a path, a query, a form and a body: `2020-01-01`.
extension JSON.Day: HTTP.PathValue {}

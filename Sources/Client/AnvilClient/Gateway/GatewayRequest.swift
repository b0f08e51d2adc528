public import AnvilBase
internal import AnvilBodies
public import AnvilHTTP

/// A request that a ``TypedGateway`` created. It is a value that can be changed, stored, and executed any number of times.
///
///     var request = gateway.request("users/\(id)")
///     request.headers[.accept] = "application/vnd.example.v2+json"
///     request.timeout = .seconds(5)
///     let user = try await request.execute(as: User.self)
///
/// All functions throw the gateway's `Failure`, with four exceptions: the promise of ``execute()``, ``makeHTTPRequest()``, which throws
/// ``TransportFailure``, and ``download(to:options:)`` and `store(_:in:)` of AnvilSync, whose cancellation is a `CancellationError`.
public struct TypedGatewayRequest<Failure: TransportFailureRepresentable>: RequestConfigurable, Sendable {
  private(set) var call: GatewayCall

  /// The method.
  public var method: HTTP.Method {
    get { call.method }
    set { call.method = newValue }
  }
  /// The items of the query. They follow those of the base URL and of a template.
  public var query: HTTP.Query {
    get { call.query }
    _modify { yield &call.query }
  }
  /// The settings of this request. Unset ones are taken from the gateway.
  public var settings: RequestSettings {
    _read { yield call.settings }
    _modify { yield &call.settings }
  }

  package func failing<F: TransportFailureRepresentable>(as type: F.Type) -> TypedGatewayRequest<F> {
    TypedGatewayRequest<F>(call: call)
  }

  /// Returns the request with a closure that may recover from a failure; see ``TypedGateway/recovering(_:)``.
  public func recovering(
    _ recover: @escaping @Sendable (Failure, HTTP.Request) async -> HTTP.Request?
  ) -> TypedGatewayRequest {
    var request = self
    request.call.recoveries.append(UntypedRequest.recovery(recover))
    return request
  }

  /// The body. It is encoded in the format of the settings, unless the body itself specifies a format.
  public var body: HTTP.Body {
    get {
      var body = call.body
      if body.ownEncodingFormat == nil, let format = inheritedSettings.encodingFormat {
        body.ownEncodingFormat = format
        body.inheritsEncodingFormat = true
      }
      return body
    }
    _modify {
      var body = self.body
      yield &body
      // A format that is only inherited does not become the body's own: the settings may still change.
      if body.inheritsEncodingFormat { body.ownEncodingFormat = nil }
      call.body = body
    }
  }

  /// The settings of the request, completed by those of the gateway and of the configuration.
  var inheritedSettings: RequestSettings { call.inheritedSettings.wrappedValue }

  /// The format in which the response is decoded, unless the decoding call specifies one.
  package var responseFormat: any DecodingFormat {
    inheritedSettings.decodingFormat ?? HTTP.Body.defaultDecodingFormat
  }
}

/// A request of a ``Gateway``, whose functions throw ``AnyError``.
public typealias GatewayRequest = TypedGatewayRequest<AnyError>

/// Sending the request.
extension TypedGatewayRequest {
  /// Sends the request and returns a promise of the response, with its body in memory.
  ///
  ///     let users = try await gateway.request("users").execute().decode(as: [User].self).value
  ///
  /// The promise fails with a ``TransportFailure``, whatever `Failure` is: for a status that is not 2xx and for every transport error. The
  /// response in the failure is decoded in the request's format. Cancelling the promise cancels the transfer.
  public consuming func execute() -> Promise<HTTP.Response> {
    Promise(exchange: call)
  }

  /// Sends the request and returns the response with its body in memory, whatever the body contains.
  ///
  /// Cancelling the task cancels the exchange.
  ///
  /// - Throws: `Failure`. A status that is not 2xx is an error as well.
  @discardableResult
  public func send() async throws(Failure) -> HTTP.Response {
    do throws(TransportFailure) { return try await respond(.collected) } catch {
      throw Failure(transportFailure: error)
    }
  }

  /// Sends the request and returns the response as soon as its head arrives. The body is read as it arrives.
  ///
  ///     for try await line in try await gateway.request("log").stream().body.lines { … }
  ///
  /// Until the head arrives, cancelling the task cancels the transfer. After that, releasing the body cancels it. See
  /// ``ResponseDelivery/streamed``.
  ///
  /// - Throws: `Failure`. Reading the body throws ``TransportError``.
  public func stream() async throws(Failure) -> HTTP.Response {
    do throws(TransportFailure) { return try await respond(.streamed) } catch { throw Failure(transportFailure: error) }
  }

  /// Sends the request and returns the response when the complete body is in `file`.
  ///
  ///     try await gateway.request("images", "linux.iso").download(to: file)
  ///
  /// An interrupted download resumes where it stopped, in the same call or a later one. Each attempt is executed like ``stream()``, but without
  /// a timeout or a deadline: the options limit the time without data instead. The settings of the options take precedence over the request's.
  /// Cancelling the task ends the transfer and keeps the bytes received so far. The file is replaced when the download is complete; until then
  /// an existing file is kept.
  ///
  /// The memory use is bounded to a few MiB, regardless of the length of the body. The bytes received so far are stored next to the file,
  /// as `NAME.anvilpart`; names of more than 240 bytes are shortened. An interrupted attempt is resumed with `Range` and `If-Range` if the
  /// response had a strong `ETag` or, without an `ETag`, a `Last-Modified` at least a minute before its `Date`. If the resource has changed
  /// since, or without one of these validators, the download starts again from the beginning. It fails after
  /// ``DownloadOptions/fruitlessAttemptLimit`` consecutive attempts without progress. It fails at once for permanent errors: a status such
  /// as 404, a range that was not requested, a full disk.
  ///
  /// A download that fails or is cancelled leaves the bytes received so far, with a record of the resource in `NAME.anvilpart.json`. The
  /// next call with the same method, URL, `Accept`, `Accept-Language` and file resumes it, also in another process. If the record is
  /// missing or does not match, the download starts from the beginning. Bytes of a response without a validator cannot be resumed and are
  /// removed. Concurrent downloads to one file do not mix: the second fails, or waits for the first to end if that was cancelled. A
  /// symbolic link with the name of the file is replaced, not followed.
  ///
  /// The download sets `Range`, `If-Range` and `Accept-Encoding` of the request. Until the head of a response has arrived, the request is sent
  /// again only by a ``RetryPolicy``. Afterwards the download continues by itself, if the method is safe or ``RequestConfigurable/reconnects``
  /// allows it. A request with a stream as body is sent once.
  ///
  /// A response becomes the file only if nothing shows that it is a part. A 200 with the range of a part is an error, and so is a 200 with
  /// the strong validator of the bytes received so far that has another length than they belong to. A 206 continues the file if it has the
  /// validator, begins at the requested byte, and contradicts neither the known length nor the ranges before it; otherwise the download starts
  /// again. Its range may lack the length of the file (`bytes 100-199/*`) and its body the length of the range. If the length of the file is not
  /// known after it, the rest is requested until the server answers that no byte follows, with a length that no range exceeds.
  ///
  /// - Returns: The last attempt's response, whose status may be 206, with the file as its body.
  /// - Throws: `Failure`, also if the body cannot be written to the file, with the code `TransportError.Code.fileNotWritten`, and for a range
  ///   that was not requested, with `malformedResponse`; `CancellationError` if the task is cancelled.
  ///
  /// Source: RFC 9110 §8.8, §13.1.5, §14.
  @discardableResult
  public func download(
    to file: URL, options: DownloadOptions = DownloadOptions()
  ) async throws -> HTTP.Response {
    var (request, options) = (self, options)
    options.settings = options.settings.inheriting(from: inheritedSettings)
    request.settings = options.transferSettings
    do {
      return try await Download(
        request.makeHTTPRequest(), to: file, options: options, clock: call.gateway.wrappedValue.backend.clock
      ) { [request] attempt in
        var request = request
        request.headers = attempt.headers
        return try await request.respond(.streamed)
      }.run()
    } catch {
      throw untypedError(for: error)
    }
  }

  /// Sends the request, passes the exchange to `use`, and returns the result. The response's body is in memory unless it is streamed.
  ///
  /// - Throws: The errors of `use` and of the exchange in the form of a function without typed errors; see ``untypedError(for:)``.
  package func sending<Value>(
    isStreamed: Bool = false, _ use: (TransportSuccess) async throws -> Value
  ) async throws -> Value {
    do {
      return try await use(call.exchange(isStreamed ? .streamed : .collected))
    } catch {
      throw untypedError(for: error)
    }
  }

  /// Returns the error that a function without typed errors throws for `error`: `CancellationError` if the current task is cancelled,
  /// `Failure` for a failed exchange and, if `Failure` can be created from one, for a decoding failure; otherwise `error` itself.
  private func untypedError(for error: any Error) -> any Error {
    if let failure = error as? TransportFailure, failure.error.code == .cancelled, Task.isCancelled {
      return CancellationError()
    }
    return Failure(failure: error) ?? error
  }

  /// Returns the request in the form that the transport receives.
  ///
  /// - Throws: ``TransportFailure`` of code `invalidRequest` when the target is not a valid URL on the gateway's server, for example
  ///   because a segment of the path is `.` or `..`, or because a template leads to another origin.
  public func makeHTTPRequest() throws(TransportFailure) -> HTTP.Request {
    try call.untyped(.collected).httpRequest
  }

  /// Returns the request with the target `url`, which must be on the gateway's server. Neither the base URL's query nor the request's
  /// ``query`` is added to it.
  func at(_ url: URL) -> Self {
    var request = self
    request.call.target = .url(url)
    return request
  }

  func respond(_ delivery: ResponseDelivery) async throws(TransportFailure) -> HTTP.Response {
    try await call.exchange(delivery).response
  }
}

/// Sending the request and decoding the response.
extension TypedGatewayRequest where Failure: DecodingFailureRepresentable {
  /// Sends the request and decodes the response in the format of the settings. If the response wraps the value in an object, `container` is
  /// the type of that object. With `Decoded<User>.self`, the result is the model and the response.
  ///
  ///     let user = try await request.execute(as: User.self)
  ///
  /// An `Optional` is `nil` when the response has no body, such as a 204, or a body that is only white space. Cancelling the task
  /// cancels the exchange.
  ///
  /// - Throws: `Failure`: for a status that is not 2xx, for a response that cannot be decoded, for a body that cannot be encoded, and for
  ///   every transport error.
  public func execute<R: Decodable & Sendable>(
    as type: R.Type = R.self, container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await call.model(as: type, container: container, failing: Failure.self)
  }
}

extension TypedGatewayRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the URL. Credentials and query values are redacted, so it is safe to log.
  public var description: String {
    do throws(TransportFailure) { return "\(try makeHTTPRequest())" } catch { return "\(error)" }
  }

  /// A mirror without secrets, so that `dump` shows no more than a log.
  public var customMirror: Mirror {
    Mirror(self, children: ["method": method, "query": query, "body": body, "settings": settings])
  }
}

extension TypedGatewayRequest {
  /// The text of dates in the query of a digest.
  package enum DigestDates: Sendable {
    case sent
    /// The text that earlier versions sent: `2026-02-03 04:05:06 +0000`, the description of a `Date`.
    case described
  }

  /// Returns the SHA-256 of the method, the URL and `texts`; `nil` for a request without a valid URL. The result is the same in all
  /// processes.
  ///
  /// The order of the query items has no effect, because callers may keep them in a dictionary. Credentials in the URL, fields, the body
  /// and settings are not included. Digests are stored: another text of a value in a query is another digest.
  package func digest(with texts: [String], dates: DigestDates = .sent) -> String? {
    guard let request = try? makeHTTPRequest() else { return nil }
    let url = request.url
    var items = (url.query() ?? "").split(separator: "&")
    if dates == .described { items = items.map(Self.describingDate) }
    var digest = CacheDigest()
    digest.add(request.method.rawValue)
    digest.add(url.scheme?.lowercased() ?? "")
    digest.add(url.host()?.lowercased() ?? "")
    digest.add(url.port.map { "\($0)" } ?? "")
    digest.add(url.path())
    digest.add(items.sorted().joined(separator: "&"))
    for text in texts { digest.add(text) }
    return digest.text
  }

  /// Returns the item of a percent-encoded query with the description of the date that is its value. An item whose value is not a date as in
  /// RFC 3339, in UTC, is returned unchanged.
  private static func describingDate(_ item: Substring) -> Substring {
    guard let separator = item.firstIndex(of: "=") else { return item }
    let text = PercentEncoding.decode(String(item[item.index(after: separator)...]))
    let pattern = "0000-00-00T00:00:00"
    let isDate = zip(text.utf8, pattern.utf8).allSatisfy { byte, expected in
      expected == .digit0 ? byte.isDigit : byte == expected
    }
    let fraction = text.utf8.dropFirst(pattern.utf8.count)
    guard isDate, fraction.last == UInt8(ascii: "Z"),
      fraction.dropLast().allSatisfy({ $0.isDigit || $0 == .period })
    else { return item }
    let (day, time) = (text.prefix(10), text.dropFirst(11).prefix(8))
    return item[...separator] + PercentEncoding.encode("\(day) \(time) +0000")
  }
}

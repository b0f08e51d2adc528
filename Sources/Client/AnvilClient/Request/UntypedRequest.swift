internal import AnvilBase
internal import AnvilHTTP

/// The properties of a ``Request`` that do not depend on its response and failure types.
///
/// They are stored as one value, so that a request with other types can copy all of them at once.
struct UntypedRequest: Sendable {
  /// A closure that is called after a failure and returns the request to send next, or `nil`. Its arguments are the error in the type of the
  /// call, the transport's failure if the exchange failed, and the request that was sent.
  typealias Recovery = @Sendable (any Error, TransportFailure?, HTTP.Request) async -> HTTP.Request?

  var method: HTTP.Method
  private(set) var target: HTTP.TargetURI
  var body: HTTP.Body
  var settings: RequestSettings {
    _read { yield settingsBox.wrappedValue }
    _modify { yield &settingsBox.wrappedValue }
  }
  private(set) var settingsBox: Boxed<RequestSettings>
  var responseDelivery = ResponseDelivery.collected
  /// The server of the gateway that created or executes the request.
  var home: HTTP.Origin? {
    didSet { isAtHome = false }
  }
  /// True if the target is known to be at ``home``.
  private(set) var isAtHome = false
  /// The statuses besides 2xx whose responses are successes.
  var acceptedStatuses: Set<HTTP.Status> = []
  /// The closures that are called after a failure, until one of them returns a request.
  var recoveries: [Recovery] = []

  init(
    method: HTTP.Method, url: URL, body: HTTP.Body, settings: Boxed<RequestSettings> = RequestSettings.unset
  ) {
    self.init(method: method, target: .url(url), at: nil, body: body, settings: settings)
  }

  /// Creates a request for `target`, which is on the server `home` unless that is `nil`.
  init(
    method: HTTP.Method, target: HTTP.TargetURI, at home: HTTP.Origin?, body: HTTP.Body,
    settings: Boxed<RequestSettings>, responseDelivery: ResponseDelivery = .collected, recoveries: [Recovery] = []
  ) {
    self.method = method
    self.target = target
    self.home = home
    isAtHome = home != nil
    self.body = body
    settingsBox = settings
    self.responseDelivery = responseDelivery
    self.recoveries = recoveries
  }

  /// - Parameter timeout: The maximum duration of one attempt in seconds.
  init(
    method: HTTP.Method, url: URL, headers: HTTP.Headers, body: HTTP.Body, cachePolicy: CachePolicy?,
    timeout: TimeInterval?
  ) {
    self.init(method: method, url: url, body: body)
    guard !headers.isEmpty || cachePolicy != nil || timeout != nil else { return }
    settings.headers = headers
    settings.cachePolicy = cachePolicy
    settings.timeout = timeout.map { Duration(timeout: $0) }
  }

  var url: URL {
    get { target.url }
    set { (target, isAtHome) = (.url(newValue), false) }
  }

  /// Sets the target, which must be on the server `home`.
  mutating func setTarget(_ target: HTTP.TargetURI, at home: HTTP.Origin?) {
    self.target = target
    self.home = home
    isAtHome = true
  }

  /// Sets the unset settings to those of `base`.
  ///
  /// - Parameter withHeaders: False if the fields of `base` are not for the server of this request.
  mutating func inherit(_ base: Boxed<RequestSettings>, withHeaders: Bool = true) {
    let own = settings.headers
    settingsBox = settingsBox.inheriting(from: base)
    if !withHeaders, !base.wrappedValue.headers.isEmpty { settings.headers = own }
  }

  /// Returns `recover` in the form in which it is called.
  ///
  /// - Parameter makeFailure: Creates the failure if the call has failed with an error of another type.
  static func recovery<Failure: TransportFailureRepresentable>(
    makingFailure makeFailure: @escaping @Sendable (TransportFailure) -> Failure = { Failure(transportFailure: $0) },
    _ recover: @escaping @Sendable (Failure, HTTP.Request) async -> HTTP.Request?
  ) -> Recovery {
    { error, transportFailure, request in
      guard let failure = transportFailure.map(makeFailure) ?? Failure(failure: error) else { return nil }
      return await recover(failure, request)
    }
  }

  /// Replaces the message by `request`, which may be a changed copy of ``httpRequest``.
  mutating func replaceMessage(by request: HTTP.Request) {
    method = request.method
    body = request.body
    settings.headers = request.headers
    guard request.url != url else { return }
    let home = home
    if let home, HTTP.Origin(request.url) == home { setTarget(.url(request.url), at: home) } else { url = request.url }
  }

  /// Adds an `Idempotency-Key` if the settings require one and the fields do not contain one.
  mutating func addMissingIdempotencyKey() {
    guard settings.idempotency == .keyed, let key = settings.headers.missingIdempotencyKey(by: settings) else { return }
    settings.headers.add(.idempotencyKey, key)
  }

  /// The request in the form that the transport receives. The body is encoded in the format of the settings, unless the body itself specifies a
  /// format.
  @inline(never)
  var httpRequest: HTTP.Request {
    var body = body
    if body.isDeferred, body.ownEncodingFormat == nil { body.ownEncodingFormat = settings.encodingFormat }
    return HTTP.Request(
      method: method, target: target, headers: settings.headers, body: body, origin: isAtHome ? home : nil)
  }
}

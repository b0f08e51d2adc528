internal import AnvilHTTP
internal import AnvilModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The properties of a ``Request`` that do not depend on its response and failure types.
///
/// They are stored as one value, so that a request with other types can copy all of them at once.
struct UntypedRequest: Sendable {
  var method: HTTP.Method
  private(set) var target: HTTP.TargetURI
  var headers: HTTP.Headers
  var body: HTTP.Body
  @Boxed var settings: RequestSettings
  var responseDelivery = ResponseDelivery.collected
  /// The server of the gateway that created or executes the request.
  var home: HTTP.Origin? {
    didSet { isAtHome = false }
  }
  /// True if the target is known to be at ``home``.
  private(set) var isAtHome = false
  var recoveryAttemptCount = 0
  /// A closure that turns a failure into a success, or returns `nil`. Without a closure, every failure remains a failure.
  var recoveryTransformer: (@Sendable (TransportFailure) -> TransportSuccess?)?
  /// The failure of the previous attempt, while recovery strategies handle it.
  var lastFailure: TransportFailure?
  /// The values of settings that neither the request nor its gateway and configuration set.
  let defaults: RequestDefaults.Values

  init(
    method: HTTP.Method, url: URL, headers: HTTP.Headers, body: HTTP.Body,
    settings: Boxed<RequestSettings> = RequestSettings.unset,
    defaults: RequestDefaults.Values = RequestDefaults.current
  ) {
    self.method = method
    target = .url(url)
    self.headers = headers
    self.body = body
    _settings = settings
    self.defaults = defaults
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
  mutating func inherit(_ base: Boxed<RequestSettings>) {
    _settings = _settings.inheriting(from: base)
    if body.isDeferred { body = bodyInFormat }
  }

  var cachePolicy: CachePolicy { settings.cachePolicy ?? defaults.cachePolicy }
  var timeout: TimeInterval { settings.timeout ?? defaults.timeout }
  var maxRecoveryAttempts: Int? { settings.maxRecoveryAttempts ?? defaults.maxRecoveryAttempts }
  /// The format in which responses are decoded, unless the transformer specifies a format.
  var decodingFormat: any DecodingFormat { settings.decodingFormat ?? defaults.decoder }

  /// The request in the form that the transport receives.
  @inline(never)
  var httpRequest: HTTP.Request {
    HTTP.Request(
      method: method, target: target, headers: headers, body: bodyInFormat, origin: isAtHome ? home : nil)
  }

  /// The body, which is encoded in the format of the settings unless the body itself specifies a format.
  private var bodyInFormat: HTTP.Body {
    guard body.isDeferred, body.ownEncodingFormat == nil else { return body }
    var body = body
    body.ownEncodingFormat = settings.encodingFormat
    return body
  }

  /// Returns the options that the request sets for the transfer, which ends by `deadline`.
  ///
  /// - Parameter reportsOutcome: True if the caller reports the outcome to the handlers of the response.
  func transportOptions(by deadline: RequestDeadline? = nil, reportsOutcome: Bool = false) -> TransportOptions {
    var options = TransportOptions(
      cachePolicy: cachePolicy, timeout: Duration(timeout: timeout), responseDelivery: responseDelivery,
      progressHandler: settings.progressHandler, eventHandler: settings.eventHandler, policy: settings.policy)
    options.home = home
    options.deadline = deadline
    options.reportsOutcome = reportsOutcome
    return options
  }
}

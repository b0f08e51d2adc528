internal import AnvilHTTP
internal import AnvilModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The properties of a ``Request`` that do not depend on its response and failure types.
///
/// One value, so that a transformation of the types copies all of them and cannot lose one.
struct UntypedRequest: Sendable {
  var method: HTTP.Method
  var url: URL
  var headers: HTTP.Headers
  var body: HTTP.Body
  @Boxed var settings: RequestSettings
  var responseDelivery = ResponseDelivery.collected
  /// The server of the gateway that the request was made or executed by.
  var home: HTTP.Origin?
  var recoveryAttemptCount = 0
  /// `nil` until it is set: then every failure stays one.
  var recoveryTransformer: (@Sendable (TransportFailure) -> TransportSuccess?)?
  /// Why the attempt before failed, while recovery strategies are asked.
  var lastFailure: TransportFailure?
  /// What holds where neither the settings nor those that they inherit from say anything.
  let defaults: RequestDefaults.Values

  init(
    method: HTTP.Method, url: URL, headers: HTTP.Headers, body: HTTP.Body,
    settings: Boxed<RequestSettings> = RequestSettings.unset,
    defaults: RequestDefaults.Values = RequestDefaults.current
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    _settings = settings
    self.defaults = defaults
  }

  /// Takes from `base` what the settings leave unset.
  mutating func inherit(_ base: Boxed<RequestSettings>) {
    _settings = _settings.inheriting(from: base)
    if body.isDeferred { body = bodyInFormat }
  }

  var cachePolicy: CachePolicy { settings.cachePolicy ?? defaults.cachePolicy }
  var timeout: TimeInterval { settings.timeout ?? defaults.timeout }
  var maxRecoveryAttempts: Int? { settings.maxRecoveryAttempts ?? defaults.maxRecoveryAttempts }
  /// The format in which responses are decoded, unless a transformer has its own.
  var decodingFormat: any DecodingFormat { settings.decodingFormat ?? defaults.decoder }

  /// The request as it is handed to the transport.
  var httpRequest: HTTP.Request {
    HTTP.Request(method: method, url: url, headers: headers, body: bodyInFormat)
  }

  /// The body, which encodes in the format of the settings unless it has its own.
  private var bodyInFormat: HTTP.Body {
    guard body.isDeferred, body.ownEncodingFormat == nil else { return body }
    var body = body
    body.ownEncodingFormat = settings.encodingFormat
    return body
  }

  /// What it asks of the transfer.
  var transportOptions: TransportOptions {
    var options = TransportOptions(
      cachePolicy: cachePolicy, timeout: Duration(timeout: timeout), responseDelivery: responseDelivery,
      progressHandler: settings.progressHandler, eventHandler: settings.eventHandler, policy: settings.policy)
    options.home = home
    return options
  }
}

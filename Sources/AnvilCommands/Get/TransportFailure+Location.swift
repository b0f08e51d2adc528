internal import Anvil
internal import AnvilHTTP

extension TransportFailure {
  /// The failure in one line and, for a redirect that was not followed, where it leads, without secrets.
  var descriptionWithLocation: String {
    guard let location = response?.headers[.location] else { return "\(self)" }
    return "\(self); Location: \(HTTP.Redaction().shown(HTTP.Headers.Field(.location, location)))"
  }
}

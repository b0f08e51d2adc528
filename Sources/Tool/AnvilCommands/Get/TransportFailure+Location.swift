internal import Anvil
internal import AnvilHTTP

extension TransportFailure {
  /// The failure in one line, without secrets. It includes the location of a redirect that was not followed.
  var descriptionWithLocation: String {
    guard let location = response?.headers[.location] else { return "\(self)" }
    return "\(self); Location: \(HTTP.Redaction().shown(HTTP.Headers.Field(.location, location)))"
  }
}

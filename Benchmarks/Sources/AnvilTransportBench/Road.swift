/// The end of a measured exchange.
enum Road: String, CaseIterable {
  /// To the bytes of the body, by the session alone.
  case transport
  /// To a model, by the session, from a URL made for each request: what the others cannot be cheaper than.
  case decoder
  /// To a model, by a gateway and its promises.
  case gateway
  /// To a model, by a typed request through a gateway.
  case typed
  /// To a model, by the short call of a gateway with the standard configuration.
  case short

  var name: String {
    switch self {
    case .transport: "session alone"
    case .decoder: "session, by hand"
    case .gateway: "gateway, decode(as:)"
    case .typed: "gateway, typed request"
    case .short: "short call, standard"
    }
  }
}

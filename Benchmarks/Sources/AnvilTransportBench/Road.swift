/// The end of a measured exchange.
enum Road: String, CaseIterable {
  /// The bytes of the body, with the session alone.
  case transport
  /// A model, with the session and a new URL for each request: the lower bound of the others.
  case decoder
  /// A model, with a gateway and its promises.
  case gateway
  /// A model, with a typed request through a gateway.
  case typed
  /// A model, with the short call of a gateway in its standard configuration.
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

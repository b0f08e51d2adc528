/// The names under which exchanges, caches and pulls are reported. Each name is written here only: logs, OTLP, and the packages of traits use
/// this table.
///
/// The raw value is the name in OpenTelemetry's semantic conventions for HTTP; names that the conventions do not have begin with `anvil.`.
/// Log entries use the shorter names of ``logName``. An HTTP archive has the property names of its format.
///
/// Source: OpenTelemetry semantic conventions 1.23, HTTP.
package enum ExchangeAttribute: String, CaseIterable, Sendable {
  case method = "http.request.method"
  case originalMethod = "http.request.method_original"
  case url = "url.full"
  case host = "server.address"
  case port = "server.port"
  case status = "http.response.status_code"
  case errorType = "error.type"
  case resendCount = "http.request.resend_count"
  case protocolVersion = "network.protocol.version"
  case peerAddress = "network.peer.address"
  case overflow = "otel.metric.overflow"
  case exchange = "anvil.exchange"
  case attempt = "anvil.attempt"
  case elapsed = "anvil.elapsed"
  case byteCount = "anvil.body.size"
  case lenientCount = "anvil.decoding.lenient"
  case cacheOutcome = "anvil.cache.outcome"
  case pull = "anvil.pull"
  case rowChange = "anvil.row.change"
  case entity = "anvil.entity"

  /// The name in log entries.
  package var logName: String {
    switch self {
    case .method: "method"
    case .url: "url"
    case .status: "status"
    case .errorType: "error"
    case .exchange: "exchange"
    case .attempt: "attempt"
    case .elapsed: "elapsed"
    case .byteCount: "bytes"
    case .lenientCount: "lenient"
    case .cacheOutcome: "cache"
    case .pull: "pull"
    case .rowChange: "change"
    case .entity: "entity"
    case .originalMethod, .host, .port, .resendCount, .protocolVersion, .peerAddress, .overflow: rawValue
    }
  }
}

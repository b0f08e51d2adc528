import Anvil
import AnvilEcosystem
import AnvilTesting
import Logging
import Tracing

// A client with swift-log and swift-distributed-tracing. Its server fails once, so that the call has two attempts:
//
//     swift run --package-path Examples/Ecosystem ecosystem

struct User: Decodable, Sendable {
  var id: Int
  var login: String
}

let attempts = Attempts()
let server = try LoopbackServer()
server.on(.get, "/users/:id") { request in
  print("server: \(request.headers["traceparent"]?.rawValue ?? "no trace")")
  return attempts.isFirst() ? .status(503, headers: [.retryAfter: "0"]) : .json(#"{"id": 1, "login": "ada"}"#)
}

let tracer = PrintingTracer()
var configuration = ClientConfiguration.standard
configuration.logging = .init(Logger(label: "api") { PrintingLog(label: $0) })
configuration.addTracing(tracer)
let api = Gateway(baseURL: server.url, configuration: configuration)

let user = try await ServiceContext.withValue(tracer.newTrace()) {
  try await api.get("users/1", as: User.self)
}
print("user \(user.id) is \(user.login)")

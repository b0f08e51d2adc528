import Anvil
import Foundation

/// Responds to each request with `/bytes/500.json` and the fields that nginx sends, without a connection.
struct MemorySession: TransportSession {
  private let headers: HTTP.Headers = [
    "Server": "nginx", .date: "Mon, 23 Nov 2026 12:00:00 GMT", .contentType: "application/json", .contentLength: "500",
    .lastModified: "Mon, 23 Nov 2026 11:59:00 GMT", "Connection": "keep-alive", .eTag: "\"69230000-1f4\"",
    "Accept-Ranges": "bytes",
  ]
  private let body: Data

  init() {
    let text = """
      {"id":8675309,"login":"wayland","name":"Wayland the Smith","email":"wayland@mail.example.com",\
      "type":"User","site_admin":false,"followers":4211,"following":97,"score":0.8251953125,"company":null,\
      "location":"Uffington, Oxfordshire","created_at":"2011-04-05T06:07:08Z",\
      "updated_at":"2024-02-29T23:59:59Z","tags":["forge","anvil","tongs"],"plan":{"name":"pro","seats":5},\
      "bio":"Forges hinges, horseshoes and the occasional sword; teaches on Thursdays, mends ploughs when it rains\
      , and sings at the bel"}
      """
    body = Data(text.utf8)
  }

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    TransportResponse(HTTP.Response(request: request, status: 200, headers: headers), body: body)
  }
}

import AnvilClient
import AnvilHTTP
import AnvilTesting
import AnvilURLSession
import Foundation
import Testing

/// Responses that URLSession rejects and other sessions may accept. See also `TransportContractTests`.
@Suite(.timeLimit(.minutes(15))) struct StatusAndFaultTests {
  let transport = TransportService(session: URLTransportSession())

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 200_000))\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
  ])
  func malformedResponsesAreReported(bytes: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .raw([.send(Data(bytes.utf8)), .close]) }
    let options = TransportOptions(timeout: .seconds(240))
    let failure = await transport.execute(HTTP.Request(url: server.url), options: options).failure
    #expect(failure?.error.code == .malformedResponse)
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

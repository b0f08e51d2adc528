import AnvilClient
import AnvilDiagnosis
import AnvilHTTP
import AnvilJSON
import Foundation
import Testing

/// The output of `dump`, which reads properties that descriptions omit.
struct DumpTests {
  private static let secret = "t0psecret"

  private struct Model: Decodable, Sendable {
    var id: Int
  }

  private func dumped(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  private func request() throws -> HTTP.Request {
    let secret = Self.secret
    return HTTP.Request(
      method: .post, url: try #require(URL(string: "https://u:\(secret)@api.example.com/a?token=\(secret)#\(secret)")),
      headers: [.authorization: "Bearer \(secret)", "X-Key": "\(secret)", .accept: "text/plain"],
      body: HTTP.Body(secret))
  }

  private func response() throws -> HTTP.Response {
    let request = try request()
    var response = HTTP.Response(
      request: request, status: 200,
      headers: [
        .setCookie: "a=\(Self.secret)", .location: "/x?a=\(Self.secret)", .contentType: .applicationJSON,
      ],
      body: HTTP.Body(Data(#"{"id": "\#(Self.secret)"}"#.utf8), contentType: .applicationJSON))
    response.history.redirections = [.init(url: request.url, method: .get, status: 302)]
    response.history.attempts = [.init(outcome: .status(503), delay: .zero)]
    return response
  }

  /// Returns all types that contain a part of a message, and every failure.
  private func values() throws -> [Any] {
    let (request, response) = (try request(), try response())
    let error = TransportError(code: .other, underlyingError: HTTP.BodyError.eventTooLarge(limit: 1))
    let failure = TransportFailure(error: error, request: request, response: response)
    var decodingFailure: DecodingFailure?
    do {
      _ = try JSON.Decoder().decode(Model.self, from: response.body.data ?? Data())
    } catch let error as DecodingError {
      decodingFailure = .decodingError(.init(decodingError: error, failingType: Model.self, response: response))
    }
    let undecodable = try #require(decodingFailure)
    guard case .decodingError(let context) = undecodable else { return [] }
    let diagnosis = try #require(context.diagnosis(.exhaustive))
    let typed = Request<Model, AnyError>(
      method: request.method, url: request.url, headers: request.headers, body: request.body)
    let query: HTTP.Query = ["token": Self.secret]
    return [
      request, request.headers, Array(request.headers), request.body, query, Array(query), response, response.history,
      HTTP.Body.multipart([.text(Self.secret, name: "a"), .file(URL(filePath: "/b"), name: "b")]),
      failure, TransportSuccess(response: response), undecodable, context,
      DecodingFailure.invalidEmptyResponse(response), AnyError(failure), AnyError(undecodable),
      TypedFailure<ProblemDetails>.raw(failure), TypedFailure<ProblemDetails>.undecodable(undecodable),
      failure.report, undecodable.report, diagnosis, diagnosis.problems, typed,
      Result<Model, TransportFailure>.failure(failure), ["a": failure],
    ]
  }

  @Test func dumpRevealsNoSecrets() throws {
    for value in try values() {
      let text = dumped(value)
      #expect(!text.contains(Self.secret), "\(type(of: value)): \(text)")
    }
  }

  @Test func dumpShowsHarmlessValues() throws {
    let failure = TransportFailure(code: .noData, request: try request(), response: try response())
    let text = dumped(failure)
    for part in ["no data", "POST", "https://<redacted>@api.example.com/a?token=<redacted>", "text/plain", "X-Key"] {
      #expect(text.contains(part), "\(part) is not in \(text)")
    }
  }
}

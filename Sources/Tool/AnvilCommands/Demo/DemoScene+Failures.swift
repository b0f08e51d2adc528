internal import Anvil
internal import Foundation

/// Scenes that demonstrate a failure.
extension DemoScene {
  static let ownError = DemoScene(
    title: "The caller's own error, decoded from the body of a 404",
    code: "catch { switch error { case .notFound(let message, let documentation): … } }"
  ) { api in
    await fail(Request<User, APIError>(url: api.url("/users/nobody"), decoder: JSON.Decoder.api)) { error in
      guard case .notFound(let message, let documentation) = error else { return nil }
      return ["APIError.notFound: \(message), see \(documentation?.absoluteString ?? "no documentation")"]
    }
  }

  private struct ErrorPayload: Decodable {
    struct Detail: Decodable {
      var code: String
      var message: String
    }
    var error: Detail
  }

  static let errorInA200 = DemoScene(
    title: "A 200 response whose body describes an error",
    code: "request.successValidator = { success throws(APIError) in … }"
  ) { api in
    var request = Request<User, APIError>(url: api.url("/limited/users/ada"), decoder: JSON.Decoder.api)
    request.successValidator = { success throws(APIError) in
      if let payload = try? success.body.decode(as: ErrorPayload.self) {
        throw .refused(code: payload.error.code, message: payload.error.message)
      }
    }
    return await fail(request) { error in
      guard case .refused(let code, let message) = error else { return nil }
      return ["APIError.refused: \(code), \(message)"]
    }
  }

  static let timeout = DemoScene(
    title: "A timeout below a second", code: "Request<User, APIError>(url: …/slow/users/ada, timeout: 0.25)"
  ) { api in
    await fail(Request<User, APIError>(url: api.url("/slow/users/ada"), timeout: 0.25)) { error in
      guard case .timedOut(let failure) = error else { return nil }
      return ["APIError.timedOut: \(failure)"]
    }
  }

  static let drifted = DemoScene(
    title: "A response that does not match the model", code: "Request<[Repository], APIError>(url: …/drifted/repos)"
  ) { api in
    await fail(Request<[Repository], APIError>(url: api.url("/drifted/repos"), decoder: JSON.Decoder.api)) { error in
      guard case .unexpectedResponse(let failure) = error else { return nil }
      return ["APIError.unexpectedResponse: \(failure)"]
    }
  }

  /// Executes `request`, which must fail with an error that `lines` describes.
  private static func fail<Response>(
    _ request: Request<Response, APIError>, _ lines: @Sendable (APIError) -> [String]?
  ) async -> Result {
    do throws(APIError) {
      let response = try await backend.execute(request)
      return .unexpected("success: \(response)")
    } catch {
      return lines(error).map { Result(outcome: .failedAsExpected, lines: $0) } ?? .unexpected(error)
    }
  }
}

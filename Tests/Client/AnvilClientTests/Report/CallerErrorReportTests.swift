import AnvilDiagnosis
import AnvilHTTP
import AnvilJSON
import AnvilTesting
import Foundation
import Testing

@testable import AnvilClient

/// An error as a caller would write it: only the initialisers.
private enum CallerError: DecodingFailureRepresentable {
  case notFound
  case network(TransportFailure)
  case undecodable(DecodingFailure, attempt: Int)

  init(transportFailure failure: TransportFailure) {
    self = failure.error.code == .clientError(.notFound) ? .notFound : .network(failure)
  }

  init(decodingFailure: DecodingFailure) { self = .undecodable(decodingFailure, attempt: 1) }
}

/// Stores the context of a decoding failure, which has all its information.
private enum ContextError: DecodingFailureRepresentable {
  case network(TransportFailure), undecodable(DecodingFailure.Context), notEmpty

  init(transportFailure: TransportFailure) { self = .network(transportFailure) }

  init(decodingFailure: DecodingFailure) {
    switch decodingFailure {
    case .decodingError(let context): self = .undecodable(context)
    case .invalidEmptyResponse: self = .notEmpty
    }
  }
}

/// Created from failed exchanges only. Decoding failures are converted by `errorTransformer`.
private enum TransportOnlyError: TransportFailureRepresentable {
  case network(TransportFailure), undecodable(DecodingFailure)

  init(transportFailure: TransportFailure) { self = .network(transportFailure) }
}

/// An application's error without a conformance to the client's protocols.
private struct LoadingError: Error {
  var screen = "profile"
  var cause: any Error
}

/// Stores parts of a failure.
private enum PartError: DecodingFailureRepresentable {
  case transport(TransportError)
  case unexpected(HTTP.Response)
  case unreadable(DecodingError)
  case exchange(TransportError, HTTP.Response?)
  case undecodable(response: HTTP.Response, reason: DecodingError)

  init(transportFailure failure: TransportFailure) { self = .transport(failure.error) }

  init(decodingFailure failure: DecodingFailure) {
    switch failure {
    case .decodingError(let context): self = .unreadable(context.decodingError)
    case .invalidEmptyResponse(let response): self = .unexpected(response)
    }
  }
}

/// The failure is stored by the superclass.
private class StoringError: Error, @unchecked Sendable {
  let cause: any Error

  init(cause: any Error) { self.cause = cause }
}

private final class SpecificError: StoringError, @unchecked Sendable {
  let screen = "profile"
}

@Suite struct CallerErrorReportTests {
  private struct Member: Decodable, Sendable {
    let id: Int
    let name: String
  }

  private static let body = #"[{"id": "one"}, {"id": 2, "name": "secret-name"}, {"id": 3, "name": 4}]"#

  /// Returns the failure of decoding `body` as members.
  private func undecodable() async throws -> DecodingFailure {
    let world = try World()
    world.session.on(.get, world.url, .json(Self.body))
    let failure = await world.backend.outcome(Request<[Member], AnyError>(url: world.url)).failure
    return try #require(failure?.error as? DecodingFailure)
  }

  private func unavailable() async throws -> TransportFailure {
    let world = try World()
    world.session.on(.get, world.url, .status(503))
    return try #require(await world.backend.outcome(Request<HTTP.Response, TransportFailure>(url: world.url)).failure)
  }

  @Test func everyTypeThatHoldsADecodingFailureIsReportedLikeIt() async throws {
    let failure = try await undecodable()
    let errors: [any Error] = [
      CallerError(decodingFailure: failure), AnyError(CallerError(decodingFailure: failure)),
      ContextError(decodingFailure: failure), TransportOnlyError.undecodable(failure),
      TypedFailure<ProblemDetails>(decodingFailure: failure), AnyError(failure), LoadingError(cause: failure),
      LoadingError(cause: AnyError(CallerError(decodingFailure: failure))),
    ]
    for search in [JSON.Diagnosis.Search.asDecoded, .exhaustive] {
      let expected = FailureReport(failure, search: search)
      for error in errors {
        let report = try #require(FailureReport(error, search: search), "\(type(of: error))")
        #expect(report.description == expected.description, "\(type(of: error))")
        #expect(report.line == expected.line)
        #expect(report.json == expected.json)
        #expect(report.diagnosis?.problems.count == expected.diagnosis?.problems.count)
      }
    }
    let report = try #require(FailureReport(CallerError(decodingFailure: failure)))
    #expect(
      report.line
        == "decode.type-mismatch $[0].id expected Int found string @1:9 GET /users/1 200 (+1 more)")
    #expect(report.json["diagnosis"]?["problems"]?.elements.count == 2)
    #expect(!"\(report) \(report.json)".contains("secret-name"))
  }

  @Test func everyTypeThatHoldsAFailedExchangeIsReportedLikeIt() async throws {
    let failure = try await unavailable()
    let errors: [any Error] = [
      CallerError(transportFailure: failure), AnyError(CallerError(transportFailure: failure)),
      ContextError(transportFailure: failure), TransportOnlyError(transportFailure: failure),
      TypedFailure<ProblemDetails>(transportFailure: failure), AnyError(failure), LoadingError(cause: failure),
    ]
    for error in errors {
      let report = try #require(FailureReport(error), "\(type(of: error))")
      #expect(report == failure.report)
      #expect(report.line == "http.503 GET /users/1 503")
      #expect(report.json["code"]?.string == "http.503")
    }
  }

  @Test func aTransportErrorAloneIsReportedWithoutRequest() async throws {
    let world = try World()
    world.session.on(
      .get, world.url, .failure(TransportError(code: .timedOut, phase: .connect, elapsed: .milliseconds(300))))
    let outcome = await world.backend.outcome(Request<HTTP.Response, PartError>(url: world.url))
    let error = try #require(outcome.failure)
    #expect(error.transportError?.code == .timedOut)
    #expect(error.failureResponse == nil)
    for error in [error, AnyError(error), LoadingError(cause: error)] as [any Error] {
      let report = try #require(FailureReport(error))
      #expect(report.line == "transport.timed-out, timed out after 0.300 s connecting")
      #expect(
        report.description == """
          error[transport.timed-out] request unknown (attempt 1, 300 ms)
            = reason: timed out after 0.300 s connecting
          """)
      #expect(report.json["url"] == nil && report.json["code"]?.string == "transport.timed-out")
    }
    #expect(AnyError(error).transportError?.code == .timedOut)
  }

  @Test func aResponseAloneIsReportedByItsStatus() async throws {
    let failure = try await unavailable()
    let response = try #require(failure.response)
    let error = PartError.unexpected(response)
    #expect(error.failureResponse == response)
    #expect(error.transportError?.code == .serverError(.serviceUnavailable))
    #expect(FailureReport(error)?.line == "http.503 GET /users/1 503")
    #expect(FailureReport(PartError.exchange(failure.error, response))?.line == "http.503 GET /users/1 503")
    #expect(FailureReport(PartError.exchange(failure.error, nil))?.line == "http.503")
  }

  /// The caller refused the response, so the error's type is the reason.
  @Test func aSuccessfulResponseAloneIsReportedByTheErrorsType() async throws {
    let response = try await undecodable().response
    let error = PartError.unexpected(response)
    #expect(error.failureResponse == response)
    #expect(error.transportError == nil)
    #expect(FailureReport(error)?.line == "transport.failed GET /users/1 200, transport failed: PartError")
  }

  @Test func aDecodingErrorAloneIsReportedWithItsPath() async throws {
    let failure = try await undecodable()
    let reason = "cannot decode the response: expected Int at $[0].id"
    let error = PartError(decodingFailure: failure)
    #expect(FailureReport(error)?.line == "decode.failed, \(reason)")
    guard case .unreadable(let decodingError) = error else {
      Issue.record("expected a decoding error")
      return
    }
    #expect(
      FailureReport(PartError.undecodable(response: failure.response, reason: decodingError))?.line
        == "decode.failed GET /users/1 200, \(reason)")
    #expect(
      PartError.undecodable(response: failure.response, reason: decodingError).failureResponse == failure.response)
  }

  private struct ListingError: Error {
    var rows: [Int]
    var cause: any Error
  }

  @Test func aFailureAfterALongListIsFound() async throws {
    let failure = try await unavailable()
    let error = ListingError(rows: Array(0..<5_000), cause: failure)
    #expect(FailureReport(error) == failure.report)
    #expect(FailureReport(LoadingError(cause: error)) == failure.report)
  }

  @Test func failuresStoredByASuperclassAreFound() async throws {
    let failure = try await unavailable()
    #expect(FailureReport(SpecificError(cause: failure)) == failure.report)
    #expect(FailureReport(LoadingError(cause: SpecificError(cause: failure))) == failure.report)
    let undecodable = try await undecodable()
    #expect(FailureReport(SpecificError(cause: undecodable)) == undecodable.report)
  }

  private final class Client {
    let lastError: any Error

    init(lastError: any Error) { self.lastError = lastError }
  }

  private struct ClientError: Error {
    nonisolated(unsafe) let client: Client
  }

  @Test func referencedObjectsAreNotInspected() async throws {
    // Another thread could change the error at the same time.
    #expect(FailureReport(ClientError(client: Client(lastError: try await unavailable()))) == nil)
  }

  @Test func anErrorWithoutAFailureHasNoReport() {
    #expect(FailureReport(CallerError.notFound) == nil)
    #expect(FailureReport(AnyError(CallerError.notFound)) == nil)
    #expect(FailureReport(LoadingError(cause: CancellationError())) == nil)
  }
}

import Anvil
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

// sample: models
struct Customer: Decodable, Sendable {
  enum Plan: String, Decodable { case free, team }
  struct Address: Decodable { var street: String, zip: String }

  var id: Int
  var plan: Plan
  var address: Address
}
// end sample

private let guide = "\(Checkout.guides)/DiagnosingErrors.md"
private let text = """
  [
    {"id": 1, "plan": "free", "address": {"street": "Rue Haute", "zip": 1000}},
    {"id": "2", "plan": "gold", "address": {"street": "Elm Row", "Zip": "20095"}}
  ]
  """

@Suite(.timeLimit(.minutes(15))) struct DiagnosisSamples {
  private let data = Data(text.utf8)
  private let decoder = JSON.Decoder()

  private func diagnosis() throws -> JSON.Diagnosis {
    try #require(throws: JSON.Diagnosis.self) { try decoder.decodeAll([Customer].self, from: data) }
  }

  @Test func theGuideShowsTheDocument() throws {
    try expectShown(text, in: guide, language: "json")
  }

  @Test func everyProblemIsFound() throws {
    func customers() throws -> [Customer] {
      var customers: [Customer] = []
      // sample: all
      do {
        customers = try decoder.decodeAll([Customer].self, from: data)
      } catch {
        print(error)  // a JSON.Diagnosis, with every problem
      }
      // end sample
      return customers
    }
    #expect(try customers().isEmpty)
    try expectShown(diagnosis().description, in: guide)
  }

  @Test func errorsAreDiagnosed() throws {
    var diagnosis: JSON.Diagnosis?
    // sample: error
    do {
      _ = try JSONDecoder().decode([Customer].self, from: data)
    } catch {
      diagnosis = JSON.Diagnosis(error, in: data, source: "customers.json")
    }
    // end sample
    #expect(try #require(diagnosis).description.contains("customers.json:2:71"))
  }

  @Test func decoderErrorsAreDiagnosedWithPropertyNames() throws {
    let error = try #require(throws: DecodingError.self) { try decoder.decode([Customer].self, from: data) }
    let diagnosis = decoder.diagnosis(of: error, decoding: [Customer].self, from: data)
    #expect(try diagnosis == self.diagnosis())
  }

  @Test func diagnosisHasSeveralForms() throws {
    let diagnosis = try diagnosis()
    // sample: forms
    print(diagnosis.line)  // for logs: one line
    print(diagnosis.detailedDescription)  // everything, with values of the document
    let style = JSON.Diagnosis.Style(values: .shown, colors: .none, width: 80, problemLimit: 1)
    print(diagnosis.rendered(style))
    print(diagnosis.json().serializedText(.pretty()))  // for programs
    // end sample
    try expectShown(diagnosis.line, in: guide)
    #expect(diagnosis.rendered(style).hasSuffix("… and 3 more"))
    #expect(!diagnosis.description.contains("20095"))
    #expect(!diagnosis.line.contains("20095"))
    #expect(!diagnosis.json().serializedText().contains("20095"))
    #expect(diagnosis.json()["problems"]?[1]?["pointer"] == "/1/id")
    #expect(diagnosis.rendered(JSON.Diagnosis.Style(colors: .ansi)).contains("\u{1B}["))
  }

  @Test func problemsCanBeInspected() throws {
    let diagnosis = try diagnosis()
    // sample: problems
    for problem in diagnosis.problems where problem.code == .missingKey {
      print(problem.path.pointer, problem.missingKey ?? "", problem.location.line)  // /1/address zip 3
    }
    // end sample
    let missing = diagnosis.problems.filter { $0.code == .missingKey }
    #expect(missing.map { "\($0.path.pointer) \($0.missingKey ?? "") \($0.location.line)" } == ["/1/address zip 3"])
  }

  @Test func failedResponsesAreReported() async throws {
    let session = StubSession()
    let url = try #require(URL(string: "https://api.example.com/customers?token=s3cret"))
    session.on(.get, url, .json(text))
    let backend = BackendService(transportService: TransportService(session: session, clock: TestClock()))
    func report() async -> FailureReport? {
      // sample: report
      do {
        _ = try await backend.execute(AnyRequest<[Customer]>(url: url))
      } catch {
        // nil for an error without details of an exchange
        let report = FailureReport(error, search: .exhaustive)
        print(report?.line ?? "\(error)")
        return report
      }
      // end sample
      return nil
    }
    let report = try #require(await report())
    try expectShown(report.line, in: guide)
    #expect(report.description.contains("body:3:23"))
    // sample: report-json
    let json = report.json  // "code", "method", "url", "status", "seconds", "diagnosis", …
    // end sample
    #expect(json["status"] == 200 && json["diagnosis"]?["problems"]?.count == 4 && json["seconds"] != nil)
    #expect(json["url"] == "https://api.example.com/customers?token=<redacted>")
  }
}

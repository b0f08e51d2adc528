import AnvilDiagnosis
import AnvilHTTP
import AnvilJSON
import Foundation
import Testing

@testable import AnvilClient

/// Advice about paths that servers are known to refuse.
@Suite struct EncodedSlashHintTests {
  private func report(_ status: HTTP.Status, _ url: String) throws -> FailureReport {
    let response = HTTP.Response(request: HTTP.Request(url: try #require(URL(string: url))), status: status)
    return try #require(throws: TransportFailure.self) { try response.transportSuccess() }.report
  }

  @Test(arguments: [
    ("https://api.example.com/files/a%2Fb", "slash (%2F)"), ("https://api.example.com/files/a%2fb", "slash (%2F)"),
    ("https://api.example.com/files/a%5Cb", "backslash (%5C)"),
    ("https://api.example.com/files/a%5cb?q=1", "backslash (%5C)"),
  ])
  func aNotFoundPathWithAnEncodedSlashHasAHint(url: String, name: String) throws {
    let report = try report(404, url)
    let hint =
      "the path has an encoded \(name), which some servers and proxies refuse or decode: check that this server accepts it"
    #expect(report.hints == [hint])
    #expect(report.json["hints"] == [JSON(hint)])
    #expect(report.rendered(.init(width: 200)).contains("\n  = hint: \(hint)"))
    #expect(!report.line.contains("hint") && !report.line.contains("encoded"))
  }

  @Test(arguments: [
    (404, "https://api.example.com/files/a/b"), (404, "https://api.example.com/files?path=a%2Fb"),
    (404, "https://api.example.com/files/a%252Fb"), (503, "https://api.example.com/files/a%2Fb"),
  ])
  func otherFailuresHaveNoHint(status: Int, url: String) throws {
    #expect(try report(HTTP.Status(code: status), url).hints.isEmpty)
  }
}

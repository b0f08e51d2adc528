internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilSchema
internal import Foundation

/// Finds the problems of the JSON bodies in an archive: bodies that are not JSON, and bodies that depart from a
/// standard.
struct ArchiveNotes {
  /// The maximum number of problems for each body.
  private static let mostProblems = 200

  /// The standard for the bodies, or `nil` to check only their syntax.
  var standard: CheckStandard?
  /// The text that the URL of a response must contain for its body to be compared with the standard. `nil` matches all responses.
  var url: String?

  /// Returns the notes for the page: an array of objects with `entry`, an index in `log.entries`, and `problems`.
  ///
  /// All bodies together are checked for at most ``CheckStandard/defaultTimeout``. A body whose check was stopped has a note.
  func notes(of archive: JSON) -> JSON {
    let deadline = CheckDeadline(after: CheckStandard.defaultTimeout)
    let entries = archive["log"]?["entries"]?.elements.enumerated().compactMap { index, entry -> JSON? in
      let problems = problems(of: entry, deadline)
      guard !problems.isEmpty else { return .none }
      return JSON.object([("entry", JSON(index)), ("problems", JSON(problems))])
    }
    return JSON(entries ?? [])
  }

  private func problems(of entry: JSON, _ deadline: CheckDeadline) -> [JSON] {
    guard let response = entry["response"], let content = response["content"],
      let type = content["mimeType"]?.string, type.lowercased().contains("json"), !type.contains("seq"),
      !type.contains("ndjson"), let text = content["text"]?.string, !text.isEmpty
    else { return [] }
    let bytes: [UInt8]
    if content["encoding"]?.string == "base64" {
      guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else { return [] }
      bytes = Array(data)
    } else {
      bytes = Array(text.utf8)
    }
    do throws(JSON.SyntaxError) {
      let document = try JSON(parsing: bytes)
      return isChecked(entry, response) ? departures(of: document, bytes, deadline) : []
    } catch {
      let diagnosis = JSON.Diagnosis(error, in: Data(bytes), source: "body")
      return diagnosis.problems.map(Self.json)
    }
  }

  /// Returns `true` for successful responses with a matching URL. Error responses have another format.
  private func isChecked(_ entry: JSON, _ response: JSON) -> Bool {
    guard standard != nil, let status = response["status"]?.int, (200...299).contains(status) else { return false }
    return url.map { entry["request"]?["url"]?.string?.contains($0) ?? false } ?? true
  }

  private func departures(of document: JSON, _ bytes: [UInt8], _ deadline: CheckDeadline) -> [JSON] {
    guard let findings = standard?.check(document, until: deadline) else { return [] }
    let faults = findings.faults.filter { !$0.isNote }.prefix(Self.mostProblems)
    let stops = findings.interruption.map { [JSON.object([("text", JSON($0.description))])] } ?? []
    guard !faults.isEmpty else { return stops }
    let diagnosis = JSON.Diagnosis(faults.map { $0.worded(for: document) }, in: SourceText(bytes), source: "body")
    return diagnosis.problems.map(Self.json) + stops
  }

  private static func json(_ problem: JSON.Diagnosis.Problem) -> JSON {
    JSON.object([
      ("code", JSON(problem.code.rawValue)),
      ("pointer", JSON(problem.pointer.description)),
      ("line", JSON(problem.location.line)),
      ("column", JSON(problem.location.column)),
      ("text", JSON(problem.summary(.shown))),
      ("hints", JSON(problem.hints.map { JSON($0) })),
    ])
  }
}

internal import AnvilBase
internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilSchema
internal import Foundation

struct CheckReport {
  let text: DocumentText
  let standard: CheckStandard
  let options: CheckOptions
  let console: Console

  /// Returns the name of a source for messages: the name of a file, or a URL without secrets.
  static func name(of source: DocumentSource) -> String {
    let name = source.description.printable
    return if case .url = source { String(name.dropFirst("GET ".count)) } else { name }
  }

  private var name: String { Self.name(of: text.source) }

  func write(_ result: CheckResult) {
    switch options.format {
    case .text: writeText(of: result)
    case .line:
      writeLines(problems(result.departures.all), severity: "error")
      writeLines(problems(result.notes.all), severity: "note")
      writeRest(of: result)
    case .json:
      console.write(json: json(result, problems(result.departures.all), notes: problems(result.notes.all)))
      writeRest(of: result)
    }
  }

  func write(broken diagnosis: JSON.Diagnosis) {
    switch options.format {
    case .text:
      console.write(
        Self.rendered(diagnosis, of: text, title: "not JSON, and therefore not checked", options.style) + "\n")
    case .line: writeLines(diagnosis.problems, severity: "error")
    case .json: console.write(json: json(nil, diagnosis.problems, notes: []))
    }
  }

  private func problems(
    _ findings: [CheckResult.Finding], _ fault: (CheckResult.Finding) -> Fault = { $0.fault }
  ) -> [JSON.Diagnosis.Problem] {
    var problems: [JSON.Diagnosis.Problem] = []
    var rest = findings[...]
    while let first = rest.first {
      // All faults of one document are located in a single pass.
      let faults = rest.prefix { $0.document.start == first.document.start }.map(fault)
      rest = rest.dropFirst(faults.count)
      let source = first.document.sourceText(in: text.bytes)
      problems += JSON.Diagnosis(faults, in: source, source: text.source.shortName).problems
    }
    return problems
  }
}

/// The output format for people.
extension CheckReport {
  private func writeText(of result: CheckResult) {
    var shown = ""
    let problems = problems(result.departures.different) { $0.faultWithPlaces }
    if !problems.isEmpty {
      let diagnosis = JSON.Diagnosis(
        problems, extent: result.isComplete ? .everything : .limited, subject: nil, source: text.source.shortName)
      shown += Self.rendered(diagnosis, of: text, title: title(of: result), options.style) + "\n"
      shown += Self.rest(result.departures.differentCount - problems.count)
    }
    shown += notes(of: result)
    if result.isMatch, console.outputIsTerminal {
      let documents = options.hasLines ? "\(result.documentCount.grouped("document")), " : ""
      shown += "\(name) matches \(standard.phrase) (\(documents)\(result.valueCount.grouped("value")))\n"
    }
    console.write(shown)
  }

  /// Returns a title such as `34 departures from the schema user.schema.json, 5 of them distinct`.
  private func title(of result: CheckResult) -> String {
    let (count, different) = (result.departures.count, result.departures.differentCount)
    let isCut = !result.isComplete
    let kinds = different == count ? "" : different == 1 ? ", all alike" : ", \(different) of them distinct"
    return (isCut ? "at least " : "") + "\(count.grouped("departure")) from \(standard.phrase)\(kinds)"
  }

  static func rendered(
    _ diagnosis: JSON.Diagnosis, of text: DocumentText, title: String, _ style: JSON.Diagnosis.Style
  ) -> String {
    var shown = StyledText(width: style.columns)
    if let first = diagnosis.problems.first { shown.write("error[\(first.code)]", .error) }
    shown.write(" \(text.heading.printable)", .strong)
    shown.endLine()
    shown.write("  \(title)")
    shown.endLine()
    diagnosis.write(to: &shown, style)
    return shown.rendered(style.colors)
  }

  private static func rest(_ count: Int) -> String {
    count > 0 ? "… and \(count) more: a higher --limit shows them\n" : ""
  }

  private func notes(of result: CheckResult) -> String {
    let findings = result.notes.different
    guard let code = findings.first?.fault.code else { return "" }
    var shown = StyledText(width: options.style.columns)
    shown.write("note[\(code)]", .note)
    let count = result.notes.differentCount
    shown.write(" \(count == 1 ? "a key" : "\(count.grouped) keys") that no sample has", .strong)
    shown.endLine()
    let widest = findings.map { $0.fault.pathText.displayWidth }.max() ?? 0
    // Duplicate keys may have another order.
    let others = Dictionary(findings.map { ($0.fault.pathText, $0.otherCount) }) { first, _ in first }
    for problem in problems(findings) {
      let otherCount = others[problem.pathText] ?? 0
      shown.write("   ")
      shown.write(problem.pathText, .path)
      shown.pad(to: 3 + min(widest, options.style.columns / 2) + 2)
      shown.write("\(text.source.shortName.printable):\(problem.location)", .muted)
      if otherCount > 0 { shown.write(" and \(otherCount.grouped) more like it") }
      shown.endLine()
    }
    return shown.rendered(options.style.colors) + "\n" + Self.rest(count - findings.count)
  }
}

/// The output formats for programs.
extension CheckReport {
  /// Prints each problem in one line in the format of compilers: `users.json:118:12: error: schema.type $[3].zip …`.
  private func writeLines(_ problems: [JSON.Diagnosis.Problem], severity: String) {
    for problem in problems {
      console.write("\(name):\(problem.location): \(severity): \(problem.summary(options.style.values))\n")
    }
  }

  private func writeRest(of result: CheckResult) {
    let rest = result.departures.count - result.departures.all.count
    if rest > 0 { console.fail("\(rest) more departures are not shown: a higher --limit shows them") }
  }

  private func json(
    _ result: CheckResult?, _ problems: [JSON.Diagnosis.Problem], notes: [JSON.Diagnosis.Problem]
  ) -> JSON {
    JSON.object([
      ("document", JSON(name)),
      ("against", JSON(standard.names.map { JSON($0) })),
      ("kind", JSON(standard.kind)),
      ("matches", JSON(result?.isMatch ?? false)),
      ("complete", JSON(result?.isComplete ?? false)),
      ("documents", result.map { JSON($0.documentCount) }),
      ("values", result.map { JSON($0.valueCount) }),
      ("departures", result.map { JSON($0.departures.count) }),
      ("problems", list(problems)),
      ("notes", list(notes)),
      ("unchecked", JSON(standard.notes.map { JSON("\($0.keyword) at \($0.pointer)") })),
    ])
  }

  private func list(_ problems: [JSON.Diagnosis.Problem]) -> JSON {
    guard !problems.isEmpty else { return [] }
    let diagnosis = JSON.Diagnosis(problems, extent: .everything, subject: nil, source: text.source.shortName)
    return diagnosis.json(options.style.values)["problems"] ?? []
  }
}

extension DocumentText {
  /// The text's name and size; for a response, also the status, the media type, the number of the attempt and the time.
  fileprivate var heading: String {
    let size = "\(bytes.count.grouped) B"
    guard let response else { return "\(source.description) (\(size))" }
    let type = response.headers.contentType.map { " \($0.rawValue.prefix { $0 != ";" })" } ?? ""
    let isRedirected = !response.history.redirections.isEmpty
    let followed = isRedirected ? ", redirected to \(response.request.description.dropFirst("GET ".count))" : ""
    let attempt = response.history.attempts.count + 1
    let time = response.elapsed.map { ", \($0.shortDescription)" } ?? ""
    return "\(source.description) → \(response.status.code)\(type) (\(size)\(followed), attempt \(attempt)\(time))"
  }
}

extension Int {
  fileprivate func grouped(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}

/// The result of checking the documents of a text. Similar departures are grouped.
struct CheckResult {
  struct Finding {
    let fault: Fault
    let document: DocumentText.Document
    fileprivate(set) var others: [String] = []
    fileprivate(set) var otherCount = 0

    var faultWithPlaces: Fault {
      var fault = fault
      if otherCount > 0 {
        let more = otherCount > others.count ? " and \(otherCount - others.count) more" : ""
        fault.elsewhere = others.joined(separator: ", ") + more
      }
      return fault
    }
  }

  struct Findings {
    fileprivate(set) var all: [Finding] = []
    /// The first finding of each group, up to the limit. It contains the places of the others.
    fileprivate(set) var different: [Finding] = []
    fileprivate(set) var count = 0
    var differentCount: Int { numbers.count }
    private var numbers: [Fault.Identity: Int] = [:]

    fileprivate mutating func add(_ finding: Finding, limit: Int) {
      count += 1
      if all.count < limit { all.append(finding) }
      var key = Fault.Identity(finding.fault)
      key.steps = key.steps.map { step in if case .index = step { .index(0) } else { step } }
      guard let number = numbers[key] else {
        numbers[key] = numbers.count
        if different.count < limit { different.append(finding) }
        return
      }
      guard number < different.count else { return }
      different[number].otherCount += 1
      guard different[number].others.count < 3 else { return }
      different[number].others.append(finding.document.line.map { "line \($0)" } ?? finding.fault.pathText)
    }
  }

  private(set) var departures = Findings()
  private(set) var notes = Findings()
  private(set) var documentCount = 0
  private(set) var valueCount = 0
  private(set) var hasMore = false
  private(set) var interruption: CheckFindings.Interruption?

  var isMatch: Bool { isComplete && departures.count == 0 }
  var isComplete: Bool { !hasMore && interruption == nil }

  mutating func add(_ findings: CheckFindings, of document: DocumentText.Document, _ options: CheckOptions) {
    documentCount += 1
    valueCount += document.value.valueCount
    hasMore = hasMore || findings.hasMore
    interruption = interruption ?? findings.interruption
    for fault in findings.faults {
      let finding = Finding(fault: fault.worded(for: document.value), document: document)
      if fault.isNote && options.unknownKeys == .notes {
        notes.add(finding, limit: options.limit)
      } else {
        departures.add(finding, limit: options.limit)
      }
    }
  }
}

extension JSON {
  /// The number of values, including containers.
  fileprivate var valueCount: Int {
    switch kind {
    case .array: elements.reduce(1) { $0 + $1.valueCount }
    case .object: members.reduce(1) { $0 + $1.value.valueCount }
    default: 1
    }
  }
}

extension Fault {
  /// Returns the fault with the description that the report shows, which may contain values of `document`.
  func worded(for document: JSON) -> Fault {
    var fault = self
    switch code {
    case .schemaAdditionalProperty: fault.describe("the schema has no such key")
    case .sampleUnknownKey: fault.describe("no sample has this key")
    case .schemaPropertyName, .schemaFalse, .schemaAdditionalItem: fault.describe(expected.map { "expected \($0)" })
    case .schemaMinItems, .schemaMaxItems, .schemaMinProperties, .schemaMaxProperties:
      fault.detail = document[JSON.Pointer(steps)].map { "\($0.count)" }
    case .schemaUniqueItems:
      fault.describe(reason)
      fault.reason = nil
    case .schemaContains:
      // The detail is the number in "1 matches", because the expected number is printed before it.
      fault.detail = reason.flatMap { $0.split(separator: " ").first.map(String.init) }
      fault.reason = nil
    default: break
    }
    return fault
  }

  private mutating func describe(_ words: String?) {
    guard let words else { return }
    detail = words
    expected = nil
  }

  var pathText: String {
    let text = JSON.Path(steps: steps).description.printable
    return text.isEmpty || text.hasPrefix("[") ? "$\(text)" : "$.\(text)"
  }
}

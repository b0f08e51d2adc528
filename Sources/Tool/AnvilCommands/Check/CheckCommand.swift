internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilSchema
internal import Foundation

/// Implements `anvil check`: compares documents with a standard and prints the differences.
struct CheckCommand {
  let options: CheckOptions
  let console: Console

  /// Runs the command. All inputs are read before anything is printed.
  func run() async -> ExitStatus {
    do throws(DocumentReader.Failure) {
      let reader = DocumentReader(console: console)
      var samples: [DocumentText] = []
      for source in options.against { samples.append(try await reader.read(source)) }
      let standards = StandardReader(
        reference: options.reference, errorStyle: options.errorStyle, console: console)
      let standard = try standards.standard(of: samples)
      for note in standard.notes { console.fail("\(standard.names[0]): \(note)") }
      return check(try await reader.read(options.document), against: standard)
    } catch {
      return error.status
    }
  }

  private func check(_ text: DocumentText, against standard: CheckStandard) -> ExitStatus {
    let report = CheckReport(text: text, standard: standard, options: options, console: console)
    let deadline = options.timeout.map { CheckDeadline(after: $0) }
    var result = CheckResult()
    do throws(JSON.Diagnosis) {
      if options.hasLines {
        try text.forEachLine { result.add(standard.check($0.value, until: deadline), of: $0, options) }
      } else {
        let document = try text.document()
        result.add(standard.check(document.value, until: deadline), of: document, options)
      }
    } catch {
      report.write(broken: error)
      if !options.hasLines, text.looksLikeLines {
        console.fail("the first line is a complete document: use --lines to check each line")
      }
      return .decoding
    }
    if result.documentCount == 0 {
      console.fail("\(text.source.description) has no documents")
      return .decoding
    }
    report.write(result)
    if let interruption = result.interruption {
      let remedy = if case .time = interruption { "; --check-timeout allows more" } else { "" }
      console.fail("\(text.source.description): \(interruption)\(remedy)")
    }
    if result.departures.count > 0 { return .departure }
    return result.isComplete ? .success : .decoding
  }
}

internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilSchema
internal import Foundation

/// `anvil check`: reads a document and what it should be like, and says where they differ.
struct CheckCommand {
  let options: CheckOptions
  let console: Console

  /// Reads everything before it prints anything.
  func run() async -> ExitStatus {
    do throws(DocumentReader.Failure) {
      let reader = DocumentReader(console: console)
      var samples: [DocumentText] = []
      for source in options.against { samples.append(try await reader.read(source)) }
      let standard = try standard(of: samples)
      for note in standard.notes { console.fail("\(standard.names[0]): \(note)") }
      return check(try await reader.read(options.document), against: standard)
    } catch {
      return error.status
    }
  }

  private func check(_ text: DocumentText, against standard: CheckStandard) -> ExitStatus {
    let report = CheckReport(text: text, standard: standard, options: options, console: console)
    var result = CheckResult()
    do throws(JSON.Diagnosis) {
      if options.hasLines {
        try text.forEachLine { result.add(standard.check($0.value), of: $0, options) }
      } else {
        let document = try text.document()
        result.add(standard.check(document.value), of: document, options)
      }
    } catch {
      report.write(broken: error)
      if !options.hasLines, text.looksLikeLines {
        console.fail("the first line is a document by itself: --lines checks each")
      }
      return .decoding
    }
    if result.documentCount == 0 {
      console.fail("\(text.source.description) has no documents")
      return .decoding
    }
    report.write(result)
    if let interruption = result.interruption { console.fail("\(text.source.description): \(interruption)") }
    if result.departures.count > 0 { return .departure }
    return result.isComplete ? .success : .decoding
  }

  /// What `texts` say that documents should be like.
  private func standard(of texts: [DocumentText]) throws(DocumentReader.Failure) -> CheckStandard {
    var samples: [JSON] = []
    for text in texts {
      let before = samples.count
      do throws(JSON.Diagnosis) {
        if text.source.hasLines {
          try text.forEachLine { samples.append($0.value) }
        } else {
          samples.append(try text.document().value)
        }
      } catch {
        throw fail("not JSON, and so no sample or schema", error, of: text)
      }
      guard samples.count == before + 1 else { continue }
      let isSchema = options.reference == .whatItLooksLike && JSONSchema.isSchema(samples[before])
      guard isSchema || options.reference == .schema else { continue }
      if texts.count > 1 {
        let name = text.source.description
        console.fail("\(name) is a schema and must be the only --against; --sample takes it for a sample")
        throw DocumentReader.Failure(status: .usage)
      }
      return try schema(samples[before], of: text)
    }
    if samples.isEmpty {
      console.fail("\(texts[0].source.description) has no documents")
      throw DocumentReader.Failure(status: .decoding)
    }
    return .samples(SampleCheck(samples: samples), names: texts.map { CheckReport.name(of: $0.source) })
  }

  private func schema(_ document: JSON, of text: DocumentText) throws(DocumentReader.Failure) -> CheckStandard {
    do throws(JSONSchema.Malformed) {
      return .schema(try JSONSchema(compiling: document), name: CheckReport.name(of: text.source))
    } catch {
      var fault = Fault(JSON.Diagnosis.Code(rawValue: "schema.malformed"), at: error.steps)
      fault.detail = error.reason
      let diagnosis = JSON.Diagnosis([fault], in: SourceText(text.bytes), source: text.source.shortName)
      throw fail("the schema is wrong", diagnosis, of: text)
    }
  }

  /// Says to standard error what is wrong with a text that documents should be like.
  private func fail(_ what: String, _ diagnosis: JSON.Diagnosis, of text: DocumentText) -> DocumentReader.Failure {
    let shown = CheckReport.rendered(diagnosis, of: text, title: what, options.errorStyle)
    console.writeError(shown + "\n")
    return DocumentReader.Failure(status: .decoding)
  }
}

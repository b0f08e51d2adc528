internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilSchema
internal import Foundation

/// Reads the texts that documents are checked against: a schema, or samples whose common shape the documents must have.
struct StandardReader {
  /// The kind of standard to create.
  let reference: CheckOptions.Reference
  /// The style of standard error.
  let errorStyle: JSON.Diagnosis.Style
  let console: Console

  /// Returns the standard in `texts`.
  ///
  /// - Throws: ``DocumentReader/Failure``, after printing the reason to standard error.
  func standard(of texts: [DocumentText]) throws(DocumentReader.Failure) -> CheckStandard {
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
        throw fail("not JSON, and therefore not a sample or schema", error, of: text)
      }
      guard samples.count == before + 1 else { continue }
      let isSchema = reference == .inferred && JSONSchema.isSchema(samples[before])
      guard isSchema || reference == .schema else { continue }
      if texts.count > 1 {
        let name = text.source.description
        console.fail("\(name) is a schema and must be the only --against; --sample treats it as a sample")
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
      throw fail("the schema is invalid", diagnosis, of: text)
    }
  }

  /// Prints the problem of a standard's text to standard error.
  private func fail(_ what: String, _ diagnosis: JSON.Diagnosis, of text: DocumentText) -> DocumentReader.Failure {
    let shown = CheckReport.rendered(diagnosis, of: text, title: what, errorStyle)
    console.writeError(shown + "\n")
    return DocumentReader.Failure(status: .decoding)
  }
}

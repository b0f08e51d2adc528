internal import AnvilBase
internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilSchema
internal import Foundation

/// Implements `anvil shape`: saves the shape of an API's responses, and later prints the changes.
struct ShapeCommand {
  let options: ShapeOptions
  let console: Console

  /// Runs the command. All inputs are read before anything is written.
  func run() async -> ExitStatus {
    do throws(DocumentReader.Failure) {
      switch options.action {
      case .save(let file):
        let (shape, count) = try await shape()
        return save(shape, of: count, to: file)
      case .diff(let source, let format, let selection):
        let old = try await saved(source)
        let changes = old.changes(to: try await shape().shape)
        return report(changes.filter { selection == .all || $0.isBreaking }, format)
      }
    } catch {
      return error.status
    }
  }

  /// Returns the common shape of the samples and their number. A single schema is read as a saved shape.
  private func shape() async throws(DocumentReader.Failure) -> (shape: SavedShape, count: Int) {
    var shape = Shape()
    var count = 0
    for source in options.sources {
      let sample = try await sample(source)
      if options.sources.count == 1, sample.documents.count == 1, options.path == nil,
        JSONSchema.isSchema(sample.documents[0])
      {
        return (try saved(sample.documents[0], source), 0)
      }
      for document in sample.documents {
        shape.add(try value(in: document, of: source))
        count += 1
      }
    }
    guard count > 0 else {
      console.fail("\(options.sources[0].description) has no documents")
      throw DocumentReader.Failure(status: .decoding)
    }
    return (SavedShape(shape), count)
  }

  private func sample(_ source: DocumentSource) async throws(DocumentReader.Failure) -> SampleText {
    let text = try await DocumentReader(console: console).read(source)
    do throws(SampleText.Malformed) {
      return try SampleText(Data(text.bytes), count: source.hasLines ? .several : nil)
    } catch {
      console.fail("\(source.description) is not JSON: \(error)")
      throw DocumentReader.Failure(status: .decoding)
    }
  }

  private func value(in document: JSON, of source: DocumentSource) throws(DocumentReader.Failure) -> JSON {
    do throws(JSONPath.Failure) {
      return try options.path?.value(in: document) ?? document
    } catch {
      console.fail("\(source.description): \(error)")
      throw DocumentReader.Failure(status: .decoding)
    }
  }

  private func saved(_ source: DocumentSource) async throws(DocumentReader.Failure) -> SavedShape {
    let sample = try await sample(source)
    guard sample.documents.count == 1, JSONSchema.isSchema(sample.documents[0]) else {
      console.fail("\(source.description) is not a saved shape: 'anvil shape save' creates one from it")
      throw DocumentReader.Failure(status: .decoding)
    }
    return try saved(sample.documents[0], source)
  }

  private func saved(_ schema: JSON, _ source: DocumentSource) throws(DocumentReader.Failure) -> SavedShape {
    do throws(SavedShape.Unreadable) {
      return try SavedShape(schema: schema)
    } catch {
      console.fail("\(source.description) is a JSON Schema but not a saved shape: \(error)")
      throw DocumentReader.Failure(status: .decoding)
    }
  }

  private func save(_ shape: SavedShape, of count: Int, to file: String?) -> ExitStatus {
    let comment = "The shape of \(count == 1 ? "1 document" : "\(count) documents"), written by anvil shape save."
    let data = shape.schema(comment: comment).serializedData(.pretty()) + Data("\n".utf8)
    guard let file, !OutputFile.isStandardOutput(file) else {
      console.write(data)
      return .success
    }
    do {
      if OutputFile.isStream(file) {
        try OutputFile.write(data, to: URL(filePath: file))
      } else {
        try data.write(to: URL(filePath: file), options: .atomic)
      }
      return .success
    } catch {
      console.fail("\(file) cannot be written: \(OutputFile.words(for: error, of: file))")
      return .inputOutput
    }
  }
}

/// The output of a comparison.
extension ShapeCommand {
  private func report(_ changes: [ShapeChange], _ format: ShapeOptions.Format) -> ExitStatus {
    switch format {
    case .text: console.write(text(changes))
    case .json: write(json(changes))
    }
    return changes.isEmpty ? .success : .departure
  }

  /// Returns each change in one line: `! type      $.users[].zip  was string, is string or null`.
  private func text(_ changes: [ShapeChange]) -> String {
    let widest = min(changes.map { $0.path.displayWidth }.max() ?? 0, console.outputColumns / 2)
    var lines = changes.map { change in
      let kind = change.kind.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
      let path = change.path.printable
      let padding = String(repeating: " ", count: max(0, widest - path.displayWidth))
      return "\(change.isBreaking ? "!" : " ") \(kind) \(path)\(padding)  \(change.text.printable)"
    }
    if console.outputIsTerminal {
      let breaking = changes.count(where: \.isBreaking)
      let count = changes.count == 1 ? "1 change" : "\(changes.count) changes"
      lines.append(changes.isEmpty ? "no changes" : "\(count), \(breaking) of which can break existing programs (!)")
    }
    return lines.map { "\($0)\n" }.joined()
  }

  private func json(_ changes: [ShapeChange]) -> JSON {
    JSON(
      changes.map { change in
        JSON.object([
          ("kind", JSON(change.kind.rawValue)), ("path", JSON(change.path)), ("text", JSON(change.text)),
          ("breaking", JSON(change.isBreaking)),
        ])
      })
  }

  private func write(_ json: JSON) {
    let isTerminal = console.outputIsTerminal
    console.write(JSONText(isTerminal ? .pretty : .compact, hasColors: false, isForTerminal: isTerminal).data(json))
    console.write("\n")
  }
}

internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilSchema
internal import AnvilSync
internal import Foundation

/// Implements `anvil model`: reads samples and prints models that decode them, or the problem of a sample.
struct ModelCommand {
  let options: ModelOptions
  let console: Console

  /// Runs the command. All samples are read before anything is printed.
  func run() async -> ExitStatus {
    var shape = Shape()
    var counts: [SampleText.Count] = []
    for source in options.sources {
      do throws(DocumentReader.Failure) {
        let sample = try await read(source)
        counts.append(sample.count)
        for document in sample.documents {
          guard let value = value(of: document, from: source) else { return .decoding }
          shape.add(value)
        }
      } catch {
        return error.status
      }
    }
    let models = SwiftModels(
      of: shape, name: typeName(for: shape, documents: counts.first ?? .one), style: options.style,
      access: options.access, origin: origin)
    console.write(models.source)
    return .success
  }

  private func read(_ source: DocumentSource) async throws(DocumentReader.Failure) -> SampleText {
    let text = try await DocumentReader(console: console).read(source)
    do throws(SampleText.Malformed) {
      return try SampleText(Data(text.bytes), count: source.hasLines ? .several : nil)
    } catch {
      console.fail("\(source.description) is not JSON: \(error)")
      throw DocumentReader.Failure(status: .decoding)
    }
  }

  private func value(of document: JSON, from source: DocumentSource) -> JSON? {
    do throws(JSONPath.Failure) {
      return try options.path?.value(in: document) ?? document
    } catch {
      console.fail("\(source.description): \(error)")
      return nil
    }
  }

  private func typeName(for shape: Shape, documents: SampleText.Count) -> String {
    if let name = options.typeName { return name }
    // The last key of the path is the default name of the value.
    for step in options.path?.steps.reversed() ?? [] {
      guard case .key(let key, index: nil) = step else { continue }
      return SwiftModels.typeName(from: key, for: shape)
    }
    return options.sources[0].typeName(for: shape, documents: documents)
  }

  private var origin: String {
    let origins = options.sources.prefix(3).map(\.origin.printable)
    let rest = options.sources.count - origins.count
    return origins.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

internal import Anvil
internal import AnvilHTTP
internal import AnvilShape
internal import Foundation

/// `anvil model`: reads samples and prints models that decode them, or says which sample is the problem.
struct ModelCommand {
  let options: ModelOptions
  let console: Console

  /// Reads all samples before it prints anything.
  func run() async -> ExitStatus {
    var shape = Shape()
    var counts: [SampleText.Count] = []
    for source in options.sources {
      switch await read(source) {
      case .failure(let failure): return failure.status
      case .success(let sample):
        counts.append(sample.count)
        for document in sample.documents {
          guard let value = value(of: document, from: source) else { return .decoding }
          shape.add(value)
        }
      }
    }
    let models = SwiftModels(
      of: shape, name: typeName(for: shape, documents: counts.first ?? .one), style: options.style,
      access: options.access, origin: origin)
    console.write(models.source)
    return .success
  }

  /// What ends the command; it has been said why.
  private struct Failure: Error {
    let status: ExitStatus
  }

  private func read(_ source: SampleSource) async -> Result<SampleText, Failure> {
    let data: Data
    switch await bytes(of: source) {
    case .success(let bytes): data = bytes
    case .failure(let failure): return .failure(failure)
    }
    do throws(SampleText.Malformed) {
      return .success(try SampleText(data, count: source.hasLines ? .several : nil))
    } catch {
      console.fail("\(source.description) is not JSON: \(error)")
      return .failure(Failure(status: .decoding))
    }
  }

  private func bytes(of source: SampleSource) async -> Result<Data, Failure> {
    do {
      switch source {
      case .standardInput: return .success(try FileHandle.standardInput.readToEnd() ?? Data())
      case .file(let name): return .success(try Data(contentsOf: URL(filePath: name)))
      case .url(let request): return await fetch(request)
      }
    } catch {
      console.fail("cannot read \(source.description): \(error.localizedDescription)")
      return .failure(Failure(status: .inputOutput))
    }
  }

  private func fetch(_ options: GetOptions) async -> Result<Data, Failure> {
    let transport = TransportService(interceptors: options.client.interceptors(for: options.request.url))
    switch await transport.execute(options.request, options: TransportOptions(timeout: options.timeout)) {
    case .success(let success): return .success(success.response.body.data ?? Data())
    case .failure(let failure):
      console.fail("\(failure)")
      switch failure.error.code {
      case .clientError, .serverError, .redirection, .unknownStatus: return .failure(Failure(status: .status))
      default: return .failure(Failure(status: .transport))
      }
    }
  }

  private func value(of document: JSON, from source: SampleSource) -> JSON? {
    do throws(JSONPath.NotFound) {
      return try options.path?.value(in: document) ?? document
    } catch {
      console.fail("\(source.description): \(error)")
      return nil
    }
  }

  private func typeName(for shape: Shape, documents: SampleText.Count) -> String {
    if let name = options.typeName { return name }
    // What the path leads to is called by its last key.
    for step in options.path?.steps.reversed() ?? [] {
      guard case .key(let key, index: nil) = step else { continue }
      return SwiftModels.typeName(from: key, for: shape)
    }
    return options.sources[0].typeName(for: shape, documents: documents)
  }

  private var origin: String {
    let origins = options.sources.prefix(3).map(\.origin.escapingControlCharacters)
    let rest = options.sources.count - origins.count
    return origins.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

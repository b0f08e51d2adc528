internal import Anvil
internal import AnvilHTTP
internal import Foundation

/// Reads texts from files, servers and standard input. Prints the reason if one cannot be read.
struct DocumentReader {
  /// The error that ends the command after its reason was printed.
  struct Failure: Error {
    let status: ExitStatus
  }

  let console: Console

  /// Returns the text of `source`.
  ///
  /// - Throws: ``Failure``, after printing the reason to standard error.
  func read(_ source: DocumentSource) async throws(Failure) -> DocumentText {
    do {
      switch source {
      case .standardInput:
        return DocumentText(source: source, bytes: Array(try console.readInput()))
      case .file(let name):
        return DocumentText(source: source, bytes: Array(try InputFile.read(name)))
      case .url(let options):
        return try await fetch(options, as: source)
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      let words = Self.words(for: error, of: source)
      console.fail("cannot read \(source.description): \(words)\(Self.hint(for: source, words))")
      throw Failure(status: .inputOutput)
    }
  }

  /// Returns a short reason for `error`. It replaces Foundation's messages, because that for a missing file has two sentences, and that for
  /// a folder is empty.
  static func words(for error: any Error, of source: DocumentSource) -> String {
    if case .file(let name) = source, InputFile.isFolder(name) { return "it is a folder" }
    return switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: "no such file"
    case .fileReadNoPermission: "permission denied"
    default: error.localizedDescription
    }
  }

  /// Returns advice for a missing file whose name begins like a host: `api.example.com/users`.
  private static func hint(for source: DocumentSource, _ words: String) -> String {
    guard case .file(let name) = source, words == "no such file",
      name.contains(/^[A-Za-z0-9\-]+(\.[A-Za-z0-9\-]+)+\//)
    else { return "" }
    return "; if it is a URL, begin it with https://"
  }

  private func fetch(_ options: GetOptions, as source: DocumentSource) async throws(Failure) -> DocumentText {
    let transport = TransportService(interceptors: options.client.interceptors(for: options.request.url))
    switch await transport.execute(options.request, options: options.transportOptions) {
    case .success(let success):
      let bytes = Array(success.response.body.data ?? Data())
      return DocumentText(source: source, bytes: bytes, response: success.response)
    case .failure(let failure):
      switch failure.error.code {
      case .clientError, .serverError, .redirection, .unknownStatus:
        console.fail(failure.descriptionWithLocation)
        throw Failure(status: .status)
      case .invalidRequest:
        console.fail("\(failure.error)")
        throw Failure(status: .usage)
      default:
        console.fail("\(failure)")
        throw Failure(status: .transport)
      }
    }
  }
}

internal import AnvilClient
internal import AnvilHTTP
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A request's body in the form in which URLSession takes it: nothing, bytes, or a file.
///
/// A stream is first written to a temporary file, which goes with the last copy of this value: URLSession has no way to be
/// fed that works everywhere, and a file gives the body a length and memory a bound.
struct Upload: Sendable {
  private enum Source: Sendable {
    case nothing
    case data(Data)
    case file(URL)
    case temporary(TemporaryFile)
  }

  private let source: Source

  /// - Throws: `TransportError` with code `requestBodyFailed`, `cancelled`, or `invalidRequest` for a GET with a body,
  ///   which URLSession refuses.
  init(_ request: HTTP.Request) async throws(TransportError) {
    let body = request.body
    if request.method == .get, !body.isEmpty {
      throw TransportError(code: .invalidRequest, reason: "URLSession sends no body with GET")
    }
    do {
      if let data = body.data {
        source = data.isEmpty ? .nothing : .data(data)
      } else if let file = body.fileURL {
        try body.checkFile()
        source = .file(file)
      } else {
        source = .temporary(try await TemporaryFile(contentsOf: body))
      }
    } catch is CancellationError {
      throw TransportError(code: .cancelled, phase: .send)
    } catch {
      throw TransportError(code: .requestBodyFailed, reason: "\(error)", underlyingError: error)
    }
  }

  func task(for request: URLRequest, in session: URLSession) -> URLSessionTask {
    switch source {
    case .nothing:
      return session.dataTask(with: request)
    case .data(let data):
      var request = request
      request.httpBody = data
      return session.dataTask(with: request)
    case .file(let url):
      return session.uploadTask(with: request, fromFile: url)
    case .temporary(let file):
      return session.uploadTask(with: request, fromFile: file.url)
    }
  }
}

/// A file that exists as long as its owner.
private final class TemporaryFile: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "anvil-upload-\(UUID().uuidString)")

  init(contentsOf body: HTTP.Body) async throws {
    // Only the owner may read what is sent.
    guard FileManager.default.createFile(atPath: url.path(), contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
    let file = try FileHandle(forWritingTo: url)
    for try await chunk in body { try file.write(contentsOf: chunk) }
    try file.close()
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}

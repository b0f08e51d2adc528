internal import AnvilClient
internal import AnvilHTTP
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A request's body in the form in which URLSession takes it: nothing, bytes, or a file.
///
/// A stream is first read to its end: up to ``memoryLimit`` into memory, beyond that into a temporary file, which goes with
/// the last copy of this value. URLSession has no way to be fed that works everywhere, and this way the stream's promised
/// length has been checked before a byte is sent.
struct Upload: Sendable {
  private enum Source: Sendable {
    case nothing
    case data(Data)
    case file(URL)
    case temporary(TemporaryFile)
  }

  /// The most bytes of a file or stream that are held in memory.
  private static let memoryLimit = 16 << 20

  private let source: Source

  /// The bytes of `data`.
  init(_ data: Data) {
    source = data.isEmpty ? .nothing : .data(data)
  }

  /// - Throws: `TransportError` with code `requestBodyFailed` or `cancelled`.
  init(_ body: HTTP.Body) async throws(TransportError) {
    do {
      source = try await Self.source(of: body)
    } catch is CancellationError {
      throw TransportError(code: .cancelled, phase: .send)
    } catch let error as HTTP.BodyError {
      throw TransportError(code: .requestBodyFailed, phase: .send, reason: error.description, underlyingError: error)
    } catch {
      // The caller's own error: what it says of itself may not be for the log.
      throw TransportError(
        code: .requestBodyFailed, phase: .send, reason: "\(type(of: error))", underlyingError: error)
    }
  }

  private static func source(of body: HTTP.Body) async throws -> Source {
    #if !canImport(FoundationNetworking)
    if let url = body.fileURL, body.length != nil { return .file(url) }
    #endif
    var collected = Data()
    var spilled: TemporaryFile?
    for try await chunk in body {
      if let spilled {
        try spilled.append(chunk)
      } else if chunk.count <= memoryLimit - collected.count {
        collected.append(chunk)
      } else {
        let file = try TemporaryFile(named: "anvil-upload")
        try file.append(collected)
        try file.append(chunk)
        collected = Data()
        spilled = file
      }
    }
    if let spilled { return .temporary(spilled) }
    return collected.isEmpty ? .nothing : .data(collected)
  }

  /// How many bytes there are to send.
  var length: Int? {
    switch source {
    case .nothing: 0
    case .data(let data): data.count
    case .file(let url): HTTP.Body.file(url).length
    case .temporary(let file): file.count
    }
  }

  /// Whether there are no bytes to send.
  var isEmpty: Bool {
    if case .nothing = source { true } else { false }
  }

  func task(for request: URLRequest, in session: URLSession) -> URLSessionTask {
    var request = request
    switch source {
    case .nothing: break
    case .data(let data): request.httpBody = data
    case .file(let url): return session.uploadTask(with: request, fromFile: url)
    case .temporary(let file):
      #if canImport(FoundationNetworking)
      // Not as an upload from a file: cancelling that traps there ("libcurl.Easy Code=43").
      request.httpBodyStream = InputStream(url: file.url)
      #else
      return session.uploadTask(with: request, fromFile: file.url)
      #endif
    }
    return session.dataTask(with: request)
  }
}

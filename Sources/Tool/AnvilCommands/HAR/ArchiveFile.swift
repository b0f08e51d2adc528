internal import AnvilDiagnosis
internal import AnvilJSON
internal import Foundation

/// An HTTP archive that was read from a file.
///
/// Archives of browsers and proxies have different members in their entries. Only `log.entries` is required.
struct ArchiveFile {
  /// The reason why a file cannot be shown.
  enum Failure: Error {
    /// The file cannot be read.
    case unreadable(String)
    /// The file is not JSON.
    case broken(JSON.Diagnosis, DocumentText)
    /// The file is JSON but not an archive.
    case foreign(String)

    /// Returns the failure in one line.
    func message(_ name: String) -> String {
      switch self {
      case .unreadable(let reason): "cannot read \(name): \(reason)"
      case .broken(let diagnosis, _): "\(name) is not JSON: \(diagnosis.line)"
      case .foreign(let reason): "\(name) is not an HTTP archive: \(reason)"
      }
    }
  }

  /// The bytes of the archive, which are JSON in UTF-8.
  let bytes: [UInt8]
  let document: JSON

  /// Reads the archive in `bytes`.
  init(_ bytes: [UInt8], from source: DocumentSource) throws(Failure) {
    if bytes.isEmpty { throw .foreign("it is empty") }
    do throws(JSON.SyntaxError) {
      let document = try JSON(parsing: bytes)
      // Only a text in UTF-16 or UTF-32 contains NUL bytes.
      (self.bytes, self.document) = (bytes.contains(0) ? Array(document.serializedData()) : bytes, document)
    } catch {
      var repaired = bytes
      // Browsers write what JavaScript's strings contain. Source: ECMA-262, QuoteJSONString.
      if error.code == .loneSurrogate { JSON.replaceLoneSurrogates(in: &repaired, from: error.offset) }
      do throws(JSON.Diagnosis) {
        let text = DocumentText(source: source, bytes: repaired)
        (self.bytes, document) = (repaired, try text.document().value)
      } catch {
        throw .broken(error, DocumentText(source: source, bytes: bytes))
      }
    }
    if let problem = Self.problem(of: document) { throw .foreign(problem) }
  }

  private static func problem(of document: JSON) -> String? {
    guard document.kind == .object else { return "it is a JSON \(document.kind) and not an object with log.entries" }
    if document["exchanges"]?.kind == .array {
      return "it is a cassette, with exchanges instead of log.entries: use 'anvil serve' for it"
    }
    guard let log = document["log"] else {
      let keys = document.keys.prefix(5).map(\.quotedExcerpt).joined(separator: ", ")
      return "it has no log\(keys.isEmpty ? "" : "; keys here: \(keys)")"
    }
    guard log.kind == .object else { return "its log is a JSON \(log.kind) and not an object" }
    guard let entries = log["entries"] else { return "its log has no entries" }
    return entries.kind == .array ? nil : "its log.entries is a JSON \(entries.kind) and not an array"
  }

  /// Reads the file that `source` names.
  static func bytes(of source: DocumentSource, _ console: Console) throws(Failure) -> [UInt8] {
    do {
      switch source {
      case .file(let name): return Array(try InputFile.read(name))
      default: return Array(try console.readInput())
      }
    } catch {
      throw .unreadable(DocumentReader.words(for: error, of: source))
    }
  }
}

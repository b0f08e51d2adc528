internal import AnvilBase
internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilSchema
internal import Foundation
internal import Synchronization

/// An archive that is read again after its file has changed.
final class FollowedArchive: Sendable {
  struct Version: Sendable {
    /// The entity tag, which is made from the modification time and the size of the file.
    var tag: String
    /// The data of the page, or the reason why the file cannot be shown.
    var data: Result<[UInt8], ArchiveFile.Failure>
  }

  let title: String
  private let file: URL
  private let source: DocumentSource
  private let notes: ArchiveNotes
  private let console: Console
  private let latest = Mutex<Version?>(nil)

  init(file: URL, source: DocumentSource, title: String, notes: ArchiveNotes, console: Console) {
    self.file = file
    self.source = source
    self.title = title
    self.notes = notes
    self.console = console
  }

  /// The current archive in the file. A missing file is an archive without entries.
  var current: Version {
    latest.withLock { latest in
      let tag = self.tag
      if let latest, latest.tag == tag { return latest }
      let version = Version(tag: tag, data: read())
      latest = version
      return version
    }
  }

  /// The reason why the file is not an archive, or `nil` if it is one or does not exist yet.
  var failure: ArchiveFile.Failure? {
    if case .failure(let failure) = current.data { failure } else { nil }
  }

  private var tag: String {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false)) else {
      return #""none""#
    }
    let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    // A recorder replaces the file. Its number distinguishes two versions of the same size.
    let number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    return "\"\(time)-\(attributes[.size] ?? 0)-\(number)\""
  }

  private func read() -> Result<[UInt8], ArchiveFile.Failure> {
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
      let empty = Array(#"{"log":{"entries":[]}}"#.utf8)
      return .success(InspectorPage.data(file: title, archive: empty, notes: [], .polled))
    }
    do throws(ArchiveFile.Failure) {
      let archive = try ArchiveFile(ArchiveFile.bytes(of: source, console), from: source)
      return .success(
        InspectorPage.data(
          file: title, archive: archive.bytes, notes: notes.notes(of: archive.document), .polled))
    } catch {
      return .failure(error)
    }
  }
}

/// An HTTP archive that was read from a file. Members differ between programs; only `log.entries` is required.
struct ArchiveFile {
  enum Failure: Error {
    case unreadable(String)
    case broken(JSON.Diagnosis, DocumentText)
    case foreign(String)

    func message(_ name: String) -> String {
      switch self {
      case .unreadable(let reason): "cannot read \(name): \(reason)"
      case .broken(let diagnosis, _): "\(name) is not JSON: \(diagnosis.line)"
      case .foreign(let reason): "\(name) is not an HTTP archive: \(reason)"
      }
    }
  }

  let bytes: [UInt8]
  let document: JSON

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
      let text = DocumentText(source: source, bytes: repaired)
      do throws(DocumentText.Malformed) {
        (self.bytes, document) = (repaired, try text.document().value)
      } catch {
        throw .broken(text.diagnosis(of: error), DocumentText(source: source, bytes: bytes))
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

  static func bytes(of source: DocumentSource, _ console: Console) throws(Failure) -> [UInt8] {
    do {
      return try source.bytes(console)
    } catch {
      throw .unreadable(source.words(for: error))
    }
  }
}

extension CommandError {
  init(_ failure: ArchiveFile.Failure, of source: DocumentSource) {
    let status: ExitStatus = if case .unreadable = failure { .inputOutput } else { .decoding }
    self.init(failure.message(source.description), status: status)
  }
}

/// Finds the JSON bodies in an archive that are not JSON, or that depart from a standard.
struct ArchiveNotes {
  private static let mostProblems = 200

  /// The standard for the bodies, or `nil` to check only their syntax.
  var standard: CheckStandard?
  /// The text that the URL of a response must contain for its body to be compared with the standard. `nil` matches all responses.
  var url: String?

  /// Returns an array of objects with `entry`, an index in `log.entries`, and `problems`. All bodies together are checked for at most
  /// ``CheckStandard/defaultTimeout``. A body whose check was stopped has a note.
  func notes(of archive: JSON) -> JSON {
    let deadline = Deadline(after: CheckStandard.defaultTimeout)
    let entries = archive["log"]?["entries"]?.elements.enumerated().compactMap { index, entry -> JSON? in
      let problems = problems(of: entry, deadline)
      guard !problems.isEmpty else { return .none }
      return JSON.object([("entry", JSON(index)), ("problems", JSON(problems))])
    }
    return JSON(entries ?? [])
  }

  private func problems(of entry: JSON, _ deadline: Deadline) -> [JSON] {
    guard let response = entry["response"], let content = response["content"],
      let type = content["mimeType"]?.string, type.lowercased().contains("json"), !type.contains("seq"),
      !type.contains("ndjson"), let text = content["text"]?.string, !text.isEmpty
    else { return [] }
    let bytes: [UInt8]
    if content["encoding"]?.string == "base64" {
      guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else { return [] }
      bytes = Array(data)
    } else {
      bytes = Array(text.utf8)
    }
    do throws(JSON.SyntaxError) {
      let document = try JSON(parsing: bytes)
      return isChecked(entry, response) ? departures(of: document, bytes, deadline) : []
    } catch {
      let diagnosis = JSON.Diagnosis(error, in: Data(bytes), source: "body")
      return diagnosis.problems.map(Self.json)
    }
  }

  /// Returns `true` for successful responses with a matching URL. Error responses have another format.
  private func isChecked(_ entry: JSON, _ response: JSON) -> Bool {
    guard standard != nil, let status = response["status"]?.int, (200...299).contains(status) else { return false }
    return url.map { entry["request"]?["url"]?.string?.contains($0) ?? false } ?? true
  }

  private func departures(of document: JSON, _ bytes: [UInt8], _ deadline: Deadline) -> [JSON] {
    guard let findings = standard?.check(document, until: deadline) else { return [] }
    let faults = findings.faults.filter { !$0.isNote }.prefix(Self.mostProblems)
    let stops = findings.interruption.map { [JSON.object([("text", JSON($0.description))])] } ?? []
    guard !faults.isEmpty else { return stops }
    let diagnosis = JSON.Diagnosis(faults.map { $0.worded(for: document) }, in: SourceText(bytes), source: "body")
    return diagnosis.problems.map(Self.json) + stops
  }

  private static func json(_ problem: JSON.Diagnosis.Problem) -> JSON {
    JSON.object([
      ("code", JSON(problem.code.rawValue)),
      ("pointer", JSON(problem.path.pointer)),
      ("line", JSON(problem.location.line)),
      ("column", JSON(problem.location.column)),
      ("text", JSON(problem.summary(.shown))),
      ("hints", JSON(problem.hints.map { JSON($0) })),
    ])
  }
}

/// The page that shows an archive: one file with the parts in the folder Inspector. A content security policy with their hashes blocks all
/// other scripts, and no text of the archive can be interpreted as markup or script, because it contains no character that begins a tag.
enum InspectorPage {
  enum Updates {
    case none
    /// The page requests `archive`, relative to its URL.
    case polled
  }

  static func data(file: String, archive: [UInt8], notes: JSON, _ updates: Updates) -> [UInt8] {
    var data = Array(#"{"file":"#.utf8)
    data += JSON(file).serializedData(.compact)
    data += Array(#","follow":\#(updates == .polled),"notes":"#.utf8)
    data += notes.serializedData(.compact)
    data += Array(#","archive":"#.utf8)
    data += archive.starts(with: [0xEF, 0xBB, 0xBF]) ? archive.dropFirst(3) : archive[...]
    data.append(.closeBrace)
    return data
  }

  static func page(title: String, data: [UInt8], _ updates: Updates) -> Data {
    let style = PackageResources.page_css
    let script =
      Array("\"use strict\";\n".utf8) + PackageResources.archive_js + PackageResources.elements_js
      + PackageResources.tree_js + PackageResources.list_js + PackageResources.detail_js + PackageResources.main_js
    let policy = """
      default-src 'none'; img-src data:; style-src '\(hash(style))'; script-src '\(hash(script))'; \
      connect-src \(updates == .polled ? "'self'" : "'none'"); base-uri 'none'; form-action 'none'
      """
    let values: [Substring: [UInt8]] = [
      "POLICY": Array(policy.utf8), "TITLE": Array(title.escapedForHTML.utf8), "STYLE": style, "SCRIPT": script,
      "DATA": escaped(data),
    ]
    var page = Data()
    // The names are found before the values are inserted, so that similar text in an archive is not replaced.
    for (index, part) in String(decoding: PackageResources.page_html, as: UTF8.self).split(separator: "@").enumerated()
    {
      page.append(contentsOf: index.isMultiple(of: 2) ? Array(part.utf8) : values[part] ?? [])
    }
    return page
  }

  static func redirect(to url: URL) -> String {
    let address = url.absoluteString.escapedForHTML
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(address)">
      <title>Anvil</title>
      <p><a href="\(address)">Open the archive</a></p>

      """
  }

  /// Returns JSON in which no tag or comment can begin, without U+2028 and U+2029, which end lines in older versions of JavaScript.
  static func escaped(_ json: [UInt8]) -> [UInt8] {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(json.count + json.count / 50)
    var start = 0
    for (index, byte) in json.enumerated() where byte == .lessThan || byte == 0xE2 {
      let count: Int
      let replacement: String
      switch (byte, json.dropFirst(index + 1).prefix(2)) {
      case (0xE2, [0x80, 0xA8]): (replacement, count) = (#"\u2028"#, 3)
      case (0xE2, [0x80, 0xA9]): (replacement, count) = (#"\u2029"#, 3)
      case (0xE2, _): continue
      default: (replacement, count) = (#"\u003c"#, 1)
      }
      escaped += json[start..<index]
      escaped += Array(replacement.utf8)
      start = index + count
    }
    escaped += json[start...]
    return escaped
  }

  /// Returns the hash of `content` in the syntax of a policy. Source: Content Security Policy Level 3 §2.3.1, `hash-source`.
  private static func hash(_ content: [UInt8]) -> String {
    var hash = HashFunction.sha256.begin()
    hash.update(content)
    return "sha256-\(Data(hash.finish()).base64EncodedString())"
  }
}

extension String {
  fileprivate var escapedForHTML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
      "\"", with: "&quot;")
  }
}

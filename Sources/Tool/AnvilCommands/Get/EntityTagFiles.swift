internal import Anvil
internal import AnvilHTTP
internal import Foundation

/// The files of `--etag-save` and `--etag-compare`. Each contains an entity tag in the format of curl.
struct EntityTagFiles: Sendable {
  private let saved: URL?
  /// The entity tag to compare with; `nil` if none was saved yet.
  let compared: HTTP.HeaderValue?

  /// Reads the entity tag to compare with. A file that does not exist yet is ignored.
  ///
  /// - Throws: ``UsageError`` for a file that cannot be read or does not contain an entity tag.
  init(_ arguments: ArgumentParser) throws(UsageError) {
    saved = arguments.value(of: .etagSave).map { URL(filePath: $0) }
    guard let name = arguments.value(of: .etagCompare), FileManager.default.fileExists(atPath: name) else {
      compared = nil
      return
    }
    let data: Data
    do {
      data = try InputFile.read(name)
    } catch {
      throw UsageError(unreadable: name, of: "--etag-compare", error)
    }
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.isEmpty || text.isEntityTag else {
      throw UsageError("--etag-compare \(name.quotedExcerpt) is not a file with an entity tag")
    }
    compared = text.isEmpty ? nil : HTTP.HeaderValue(rawValue: text)
  }

  /// Writes the entity tag of a successful response. If the response does not have an entity tag, or has an invalid one that could not be compared
  /// later, the file of an earlier response is emptied: its entity tag does not belong to this response.
  ///
  /// - Throws: The errors of the system.
  func save(_ response: HTTP.Response) throws {
    guard let saved else { return }
    let tag = response.headers[.eTag]?.rawValue.trimmingCharacters(in: .whitespaces)
    guard let tag, tag.isEntityTag else {
      if FileManager.default.fileExists(atPath: saved.path(percentEncoded: false)) {
        try OutputFile.write(Data(), to: saved)
      }
      return
    }
    try OutputFile.write(Data((tag + "\n").utf8), to: saved)
  }
}

extension String {
  /// True if the text is an entity tag. Source: RFC 9110 §8.8.3.
  fileprivate var isEntityTag: Bool { wholeMatch(of: /(W\/)?"[^"\p{Cc}]*"/) != nil }
}

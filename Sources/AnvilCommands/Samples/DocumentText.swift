internal import Anvil
internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilJSON
internal import Foundation

/// The text of a document, or of several, and where it came from.
struct DocumentText: Sendable {
  let source: DocumentSource
  let bytes: [UInt8]
  /// The response that the text came with, where a server sent it.
  var response: HTTP.Response?

  /// One document of the text.
  struct Document: Sendable {
    let value: JSON
    /// Where it begins in the text.
    let start: Int
    /// Its line, counted from 1, where the text has one document a line.
    let line: Int?

    /// Its text, for the places in it.
    func sourceText(in bytes: [UInt8]) -> SourceText {
      line == nil ? SourceText(bytes) : SourceText(bytes, documentAt: start)
    }
  }

  /// The document of the text.
  ///
  /// - Throws: the one problem of a text that is no document, with its place.
  func document() throws(JSON.Diagnosis) -> Document {
    do throws(JSON.SyntaxError) {
      return Document(value: try JSON(parsing: bytes), start: 0, line: nil)
    } catch {
      throw JSON.Diagnosis(error, in: Data(bytes), source: source.shortName)
    }
  }

  /// Calls `body` with each document of a text that has one a line; empty lines are passed over.
  ///
  /// - Throws: the one problem of the first line that is no document, with its place in the text.
  func forEachLine(_ body: (Document) -> Void) throws(JSON.Diagnosis) {
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var number = 1
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let line = bytes[start..<end]
      if line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
        do throws(JSON.SyntaxError) {
          body(Document(value: try JSON(parsing: Array(line)), start: start, line: number))
        } catch {
          var fault = Fault(.syntax, at: [])
          fault.offset = start + error.offset
          fault.detail = "\(error.code)"
          throw JSON.Diagnosis([fault], in: SourceText(bytes, documentAt: start), source: source.shortName)
        }
      }
      start = end + 1
      number += 1
    }
  }

  /// Whether the text is no document but its first line is one, and there are more.
  var looksLikeLines: Bool {
    guard let end = bytes.firstIndex(of: 0x0A), end + 1 < bytes.count else { return false }
    return (try? JSON(parsing: Array(bytes[..<end]))) != nil
  }
}

internal import Anvil
internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilJSON
internal import Foundation

/// The text of one or more documents, and its source.
struct DocumentText: Sendable {
  let source: DocumentSource
  let bytes: [UInt8]
  /// The response that contained the text, if a server sent it.
  var response: HTTP.Response?

  /// A document of the text.
  struct Document: Sendable {
    let value: JSON
    /// The offset of the document in the text.
    let start: Int
    /// The line, counted from 1, if the text has a document in each line.
    let line: Int?

    /// Returns the text of the document, which is used to find positions.
    func sourceText(in bytes: [UInt8]) -> SourceText {
      line == nil ? SourceText(bytes) : SourceText(bytes, documentAt: start)
    }
  }

  /// Returns the only document of the text.
  ///
  /// - Throws: The problem of a text that is not a document, with its position.
  func document() throws(JSON.Diagnosis) -> Document {
    do throws(JSON.SyntaxError) {
      return Document(value: try JSON(parsing: bytes), start: 0, line: nil)
    } catch {
      throw JSON.Diagnosis(error, in: Data(bytes), source: source.shortName)
    }
  }

  /// Calls `body` with each document of a text that has a document in each line. Empty lines are skipped.
  ///
  /// - Throws: The problem of the first line that is not a document, with its position in the text.
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

  /// True if the first line is a document and the text continues after it.
  var looksLikeLines: Bool {
    guard let end = bytes.firstIndex(of: 0x0A), end + 1 < bytes.count else { return false }
    return (try? JSON(parsing: Array(bytes[..<end]))) != nil
  }
}

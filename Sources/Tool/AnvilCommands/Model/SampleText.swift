internal import Anvil
internal import Foundation

/// A text that is a document or has a document in each line.
struct SampleText {
  /// The number of documents in a text.
  enum Count {
    case one, several
  }

  /// The documents in their order.
  let documents: [JSON]
  /// The form of the text: a single document, or a document in each line.
  let count: Count

  /// The error for a text without documents, with its position.
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads the documents in `data`. If the data is not a document but its first line is, each line is a document, and
  /// empty lines are skipped.
  ///
  /// - Parameter count: The number of documents according to the text's name, or `nil` if it is not known.
  /// - Throws: ``Malformed``, with line and column.
  init(_ data: Data, count: Count?) throws(Malformed) {
    if count != .several {
      do throws(JSON.SyntaxError) {
        documents = [try Self.parse(data)]
        self.count = .one
        return
      } catch {
        guard error.code == .trailingContent, error.line > 1, Self.firstLineIsDocument(data) else {
          throw Malformed(description: data.isEmpty ? "it is empty" : "\(error)")
        }
      }
    }
    documents = try Self.lines(of: data)
    self.count = .several
    if documents.isEmpty { throw Malformed(description: "it is empty") }
  }

  private static func lines(of data: Data) throws(Malformed) -> [JSON] {
    var documents: [JSON] = []
    for (index, line) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      do throws(JSON.SyntaxError) {
        documents.append(try parse(line))
      } catch {
        throw Malformed(description: "\(error.code) at line \(index + 1), column \(error.column)")
      }
    }
    return documents
  }

  private static func firstLineIsDocument(_ data: Data) -> Bool {
    let first = data.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first
    return first.map { (try? parse($0)) != nil } ?? false
  }

  /// Parses a document with limited depth, because Swift's compiler fails for types that are nested too deeply.
  private static func parse(_ data: Data) throws(JSON.SyntaxError) -> JSON {
    try JSON(parsing: data, options: JSON.ParsingOptions(depthLimit: 128))
  }
}

internal import AnvilHTTP
internal import AnvilModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A reader of the lines of a body that skips blank lines.
struct JSONLineReader {
  private var lines: PieceReader<LineSplitter>
  private let format: any DecodingFormat

  init(_ body: HTTP.Body, format: any DecodingFormat, limit: Int) {
    lines = PieceReader(body, LineSplitter(ends: .lineFeed, limit: limit))
    self.format = format
  }

  /// Returns the bytes of the next line; `nil` at the end.
  mutating func next() async throws -> Data? {
    while let line = try await lines.next() {
      if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return line }
    }
    return nil
  }

  /// Decodes `line`, which must be the one that was returned last.
  func decode<Value: Decodable>(_ type: Value.Type, from line: Data) throws(HTTP.LineDecodingError) -> Value {
    do {
      return try format.decode(type, from: line)
    } catch {
      throw HTTP.LineDecodingError(
        line: lines.splitter.count, offset: lines.splitter.lineOffset, underlyingError: error)
    }
  }

  /// Stops reading.
  mutating func stop() {
    lines.stop()
  }
}

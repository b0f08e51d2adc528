internal import AnvilBase
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A reader of the lines of a body that skips blank lines.
struct JSONLineReader: ValueReader {
  private var lines: PieceReader<LineSplitter>
  private let format: any DecodingFormat

  init(_ body: HTTP.Body, format: any DecodingFormat, limit: Int) {
    lines = PieceReader(body, LineSplitter(ends: .lineFeed, limit: limit))
    self.format = format
  }

  mutating func next<Value: Decodable>(
    as type: Value.Type
  ) async throws -> Result<Value, HTTP.LineDecodingError>? {
    while let line = try await lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      do {
        return .success(try format.decode(type, from: line))
      } catch {
        return .failure(
          HTTP.LineDecodingError(
            line: lines.splitter.count, offset: lines.splitter.lineOffset, underlyingError: error))
      }
    }
    return nil
  }

  mutating func stop() {
    lines.stop()
  }
}

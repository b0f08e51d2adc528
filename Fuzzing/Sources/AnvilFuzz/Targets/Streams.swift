@testable import AnvilBodies
@testable import AnvilHTTP
@testable import AnvilJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
  /// Server-sent events and lines: however they are cut, as the standard says.
  static let events = FuzzTarget(name: "events") { bytes in
    let expected = ReferenceEvents.events(in: bytes)
    for size in [1, 2, 7, max(bytes.count, 1)] {
      var parser = ServerSentEventParser(limit: 1 << 20)
      var found: [[String]] = []
      for chunk in chunks(of: bytes, size) {
        parser.append(chunk)
        while let event = requireSuccess("an event is refused", { () throws(HTTP.BodyError) in try parser.next() }) {
          found.append([event.type, event.data, event.lastEventID, event.retry.map { "\($0)" } ?? "none"])
        }
      }
      require(
        found.count == expected.count
          && zip(found, expected).allSatisfy { zip($0, $1).allSatisfy { $0.utf8.elementsEqual($1.utf8) } },
        "cut in \(size): \(found), should be \(expected)")
    }
    var splitter = LineSplitter(ends: .lineFeed, limit: 64)
    var count = 0
    do throws(HTTP.BodyError) {
      for chunk in chunks(of: bytes, 3) {
        splitter.append(chunk)
        while let line = try splitter.next() {
          count += 1
          require(line.count <= 64 && !line.contains(0x0A) && splitter.count == count, "line \(count)")
        }
      }
      _ = try splitter.finish()
    } catch {
      require(!"\(error)".isEmpty, "no description")
    }
  } growth: { bytes in
    var parser = ServerSentEventParser(limit: 1 << 24)
    for chunk in chunks(of: bytes, 1_000) {
      parser.append(chunk)
      while case _? = try? parser.next() {}
    }
  }

  /// JSON text sequences: the records between the separators, however the text is cut. Source: RFC 7464 §2.1.
  static let sequences = FuzzTarget(name: "sequences") { bytes in
    let parts = bytes.split(separator: 0x1E, omittingEmptySubsequences: false)
    var expected: [Record] = []
    var offset = 0
    for (index, part) in parts.enumerated() {
      let text = index == 0 && part.starts(with: [0xEF, 0xBB, 0xBF]) ? part.dropFirst(3) : part
      if index == 0 ? !text.allSatisfy({ "\t\n\r ".utf8.contains($0) }) : !part.isEmpty {
        expected.append(Record(bytes: Array(part), offset: offset, isSeparated: index > 0))
      }
      offset += part.count + 1
    }
    let tooLong = parts.contains { $0.count > 64 }
    for size in [1, 2, 7, max(bytes.count, 1)] {
      let whole = requireSuccess("a record is refused") { () throws(HTTP.BodyError) in
        try records(of: bytes, size, limit: 1 << 20)
      }
      require(whole == expected, "cut in \(size): \(whole), should be \(expected)")
      do throws(HTTP.BodyError) {
        require(
          try records(of: bytes, size, limit: 64) == expected && !tooLong, "cut in \(size): a long record is read")
      } catch {
        require(tooLong, "cut in \(size): \(error)")
      }
    }
  } growth: { bytes in
    _ = try? records(of: bytes, 1_000, limit: 1 << 24)
  }

  private struct Record: Equatable {
    let bytes: [UInt8]
    let offset: Int
    let isSeparated: Bool
  }

  private static func records(of bytes: [UInt8], _ size: Int, limit: Int) throws(HTTP.BodyError) -> [Record] {
    var splitter = RecordSplitter(limit: limit)
    var records: [Record] = []
    func add(_ record: Data) {
      records.append(
        Record(bytes: Array(record), offset: splitter.pieceOffset, isSeparated: splitter.isSeparated))
    }
    for chunk in chunks(of: bytes, size) {
      splitter.append(chunk)
      while let record = try splitter.next() { add(record) }
    }
    if let record = splitter.finish() { add(record) }
    return records
  }

  /// The elements of an array that comes in chunks: those of the array read as a whole, or an error in the same place.
  static let elements = FuzzTarget(name: "elements", repeated: .elements) { bytes in
    let whole = Result { () throws(JSON.SyntaxError) in try JSON(parsing: bytes) }
    // Encodings other than UTF-8 are documented as rejected.
    guard !isDetectedAsOtherEncoding(bytes) else { return }
    for size in [1, 3, 64, max(bytes.count, 1)] {
      let found = Result { try elements(of: bytes, size) }
      switch (found, whole) {
      case (.success(let elements), .success(let json)):
        require(json.kind == .array && elements == Array(json.elements), "cut in \(size): \(elements) of \(json)")
      case (.success(let elements), .failure(let error)):
        require(false, "cut in \(size): \(elements), should be \(error)")
      case (.failure(let error), .success(let json)):
        require(json.kind != .array, "cut in \(size): \(error), should be \(json)")
      case (.failure(let error as JSON.SyntaxError), .failure(let expected)):
        guard bytes.first == UInt8(ascii: "[") else { continue }
        require(error.offset == expected.offset, "cut in \(size): \(error), should be \(expected)")
      case (.failure(let error), .failure):
        require(error is DecodingError, "\(error)")
      }
    }
  } growth: { bytes in
    _ = try? elements(of: bytes, 1_000)
  }

  private static func elements(of bytes: [UInt8], _ size: Int) throws -> [JSON] {
    var splitter = ElementSplitter(sizeLimit: 1 << 20, depthLimit: JSON.ParsingOptions().depthLimit)
    var elements: [JSON] = []
    func parse(_ element: ElementSplitter.Element) throws {
      // As UTF-8: an element by itself may look like a text in another encoding.
      if let error = ElementSplitter.firstError(in: element.bytes) {
        let context = DecodingError.Context(codingPath: [], debugDescription: "", underlyingError: error)
        throw splitter.locating(DecodingError.dataCorrupted(context), in: element)
      }
      elements.append(
        requireSuccess("an element is refused") { () throws(JSON.SyntaxError) in try JSON(parsing: element.bytes) })
    }
    do {
      for chunk in chunks(of: bytes, size) {
        splitter.append(chunk)
        while let element = try splitter.next() { try parse(element) }
      }
      if let element = try splitter.finish() { try parse(element) }
    } catch DecodingError.dataCorrupted(let context) {
      throw context.underlyingError ?? DecodingError.dataCorrupted(context)
    }
    return elements
  }

  static func chunks(of bytes: [UInt8], _ size: Int) -> [Data] {
    stride(from: 0, to: bytes.count, by: size).map { Data(bytes[$0..<min($0 + size, bytes.count)]) }
  }
}

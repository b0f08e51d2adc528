@testable import AnvilCurl
@testable import AnvilHTTP
@testable import AnvilServer

extension FuzzTarget {
  /// A response's head, line by line as libcurl hands it over, against one that is read plainly.
  static let heads = FuzzTarget(name: "heads") { bytes in
    let lines = lines(in: bytes)
    var reader = HeadReader()
    var isRefused = false
    var isOver = false
    for line in lines where !isRefused && !isOver {
      do throws(HeadReader.Malformed) {
        let line = ContiguousArray(line)
        isOver = unsafe try reader.take(line.span.bytes)
      } catch {
        isRefused = true
        require(!error.reason.isEmpty, "no reason")
      }
    }
    let expected = ReferenceHead(lines)
    require((expected == nil) == isRefused, "refused \(isRefused), should be \(expected == nil)")
    guard let expected else { return }
    let fields = reader.fields.map { [$0.key.rawValue, $0.value.rawValue] }
    require(reader.code == expected.code && hasBytes(fields, of: expected.fields), "\(fields), \(expected.fields)")
    let headers = HTTP.Headers(reader.fields)
    if case .bytes(let length) = headers.contentLength { require(length >= 0, "a length of \(length)") }
    if let length = reader.length { require(length >= 0, "a length of \(length)") }
    _ = headers.framingConflict
    _ = headers.contentCodings
    _ = reader.trailers
  } growth: { bytes in
    var reader = HeadReader()
    for line in lines(in: bytes) {
      let line = ContiguousArray(line)
      guard unsafe (try? reader.take(line.span.bytes)) != nil else { break }
    }
    let headers = HTTP.Headers(reader.fields)
    _ = (headers.contentLength, headers.framingConflict, headers.contentCodings, reader.trailers)
  }

  private static func lines(in bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
      lines.append(Array(rest[..<end]))
      rest = rest[end...]
    }
    return lines
  }

  /// Requests as the loopback server reads them: however they are cut, they are the same.
  static let requests = FuzzTarget(name: "requests") { bytes in
    let whole = events(in: bytes, size: max(bytes.count, 1))
    for size in [1, 3, 64] { require(events(in: bytes, size: size) == whole, "cut in \(size) they are others") }
  } growth: { bytes in
    _ = events(in: bytes, size: 1_000)
  }

  /// Returns the result for the bytes when they arrive `size` at a time.
  private static func events(in bytes: [UInt8], size: Int) -> [String] {
    var parser = RequestParser(bodies: .kept) { $0.target.hasPrefix("/echo") }
    var events: [String] = []
    var content: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      parser.append(Array(bytes[start..<min(start + size, bytes.count)]))
      do throws(BadRequest) {
        while true {
          switch try parser.next() {
          case .incomplete: break
          case .expectsContinue:
            events.append("continue")
            continue
          case .begins(let head):
            events.append("begins \(head.method) \(head.target)")
            continue
          case .content(let part):
            content += part
            continue
          case .request(let message):
            events.append("\(message.head.method) \(message.head.target) \(message.head.headers.map(\.key.rawValue))")
            events.append("\(message.bodyCount) \(Array(message.body)) \(content)")
            content = []
            continue
          }
          break
        }
      } catch {
        return events + ["\(error.status) \(error.reason)"]
      }
    }
    return events
  }

  private static func hasBytes(_ found: [[String]], of expected: [[String]]) -> Bool {
    found.count == expected.count
      && zip(found, expected).allSatisfy { zip($0, $1).allSatisfy { $0.utf8.elementsEqual($1.utf8) } }
  }
}

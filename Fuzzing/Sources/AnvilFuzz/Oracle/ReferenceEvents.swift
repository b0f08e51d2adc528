@testable import AnvilBodies

/// A stream of events read as a whole. Source: the HTML standard, §9.2.6.
enum ReferenceEvents {
  /// The events that `bytes` have, each as its type, its data, its ID and the reconnection time in force.
  static func events(in bytes: [UInt8]) -> [[String]] {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var events: [[String]] = []
    var (type, id, retry) = ("", "", "none")
    var data: [[UInt8]] = []
    for line in lines(in: rest) {
      if line.isEmpty {
        if !data.isEmpty {
          let text = String(decoding: Array(data.joined(separator: [0x0A])), as: UTF8.self)
          events.append([type.isEmpty ? "message" : type, text, id, retry])
        }
        type = ""
        data = []
        continue
      }
      let colon = line.firstIndex(of: 0x3A) ?? line.endIndex
      var value = line[colon...].dropFirst()
      if value.first == 0x20 { value = value.dropFirst() }
      let name = line[..<colon]
      if name.elementsEqual("data".utf8) {
        data.append(Array(value))
      } else if name.elementsEqual("event".utf8) {
        type = String(decoding: value, as: UTF8.self)
      } else if name.elementsEqual("id".utf8) {
        if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
      } else if name.elementsEqual("retry".utf8), !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) {
        retry = "\(Duration.milliseconds(Int64(String(decoding: value, as: UTF8.self)) ?? .max))"
      }
    }
    return events
  }

  /// The lines that have an end.
  static func lines(in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = bytes
    while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      lines.append(rest[..<end])
      let isPair = rest[end] == 0x0D && end + 1 < rest.endIndex && rest[end + 1] == 0x0A
      rest = rest[(end + (isPair ? 2 : 1))...]
    }
    return lines
  }
}

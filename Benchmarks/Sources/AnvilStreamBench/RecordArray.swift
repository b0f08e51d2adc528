import Foundation

/// A JSON array of small records in chunks of about 64 KiB, which are created on demand.
struct RecordArray: Sequence, Sendable {
  /// The minimum number of bytes of the array.
  var byteCount: Int

  func makeIterator() -> Iterator { Iterator(left: byteCount) }

  struct Iterator: IteratorProtocol {
    fileprivate var left: Int
    private var number = 0
    private var isAtEnd = false

    fileprivate init(left: Int) {
      self.left = left
    }

    mutating func next() -> Data? {
      guard !isAtEnd else { return nil }
      var text = number == 0 ? "[" : ""
      while text.utf8.count < 65_536, left > text.utf8.count {
        if number > 0 { text += "," }
        number += 1
        text += Self.record(number)
      }
      left -= text.utf8.count
      if left <= 0 {
        isAtEnd = true
        text += "]"
      }
      return Data(text.utf8)
    }

    private static func record(_ number: Int) -> String {
      #"{"id":\#(number),"name":"bellows-\#(number)","isPrivate":\#(number.isMultiple(of: 3)),"#
        + #""score":0.\#(number % 9973),"stars":\#(number % 10_007),"language":null,"#
        + #""owner":{"id":\#(number % 501),"login":"ada-\#(number % 501)"},"topics":["forge","anvil","tongs"]}"#
    }
  }
}

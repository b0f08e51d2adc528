import AnvilJSON
import Synchronization

/// Calls of a reader in any order, including invalid ones. No order may trap or violate memory safety.
struct Program: JSONReadable {
  /// The calls, one for each byte.
  var bytes: [UInt8]

  /// The program that ``read(from:)`` runs, which has no parameter for it.
  static let current = Mutex(Program(bytes: []))

  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Program {
    let program = current.withLock { $0 }
    var last: JSON.ReadingError?
    for byte in program.bytes.prefix(200) {
      do throws(JSON.ReadingError) {
        try call(byte, &reader)
      } catch {
        // A type may continue after an error.
        last = error
      }
    }
    if let last { throw last }
    return program
  }

  private static func call(_ byte: UInt8, _ reader: inout JSON.Reader) throws(JSON.ReadingError) {
    switch byte & 15 {
    case 0: try reader.beginObject()
    case 1: _ = try reader.beginArray()
    case 2: _ = try reader.nextElement()
    case 3: try reader.nextMember()
    case 4: _ = try reader.nextKey()
    case 5: _ = try reader.hasMoreMembers()
    case 6: try reader.skip()
    case 7: _ = try reader.read(String.self)
    case 8: _ = try reader.read(Double.self)
    case 9: _ = try reader.read(Int8.self)
    case 10: _ = try reader.read(JSON.self)
    case 11:
      var value: String??
      try reader.read("a", into: &value)
    case 12:
      var value: [Int]?
      try reader.read(
        "a key that is longer than any that is compared in place, with some more for good measure", into: &value)
    case 13: _ = try reader.readNullIfPresent()
    case 14: _ = try reader.read([String: Bool?].self)
    default: _ = try reader.read(UInt128?.self)
    }
  }
}

@testable import AnvilPostgres
@testable import AnvilStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
  /// Values from a PostgreSQL server, in both formats and as every type: what is read is sent and comes back.
  static let wires = FuzzTarget(name: "wires") { bytes in
    for isBinary in [true, false] {
      unsafe bytes.withUnsafeBytes { buffer in
        let value = unsafe PostgresDecoding(buffer, isBinary: isBinary)
        check(value.integer.map(StoreValue.integer), as: .int8) { $0.integer.map(StoreValue.integer) }
        check(value.boolean.map(StoreValue.integer), as: .boolean) { $0.boolean.map(StoreValue.integer) }
        if let real = value.real, !real.isNaN {
          check(.real(real), as: .float8) { $0.real.map(StoreValue.real) }
        }
        if let text = value.text {
          require(text.utf8.elementsEqual(bytes), "\(bytes) are the text \(text)")
        } else {
          require(String(validating: bytes, as: UTF8.self) == nil, "\(bytes) are no text")
        }
        check(value.bytes.map(StoreValue.blob), as: .bytes) { $0.bytes.map(StoreValue.blob) }
        if let number = value.unsignedInteger, isBinary { require(number >= 0 && number <= UInt32.max, "\(number)") }
        if isBinary, let text = value.uuid {
          let parts = UUID(uuidString: text).map { unsafe withUnsafeBytes(of: $0.uuid) { unsafe Array($0) } }
          require(parts == bytes, "\(bytes) are the UUID \(text)")
        }
      }
    }
  } growth: { bytes in
    for isBinary in [true, false] {
      unsafe bytes.withUnsafeBytes { buffer in
        let value = unsafe PostgresDecoding(buffer, isBinary: isBinary)
        _ = (value.integer, value.boolean, value.real, value.text, value.bytes, value.uuid, value.unsignedInteger)
      }
    }
  }

  /// Checks that `value`, in the binary format of `type`, is the same when it is read.
  private static func check(_ value: StoreValue?, as type: PostgresType, _ read: (PostgresDecoding) -> StoreValue?) {
    guard let value else { return }
    var sent: [UInt8] = []
    requireSuccess("\(value) cannot be sent") { () throws(StoreError) in
      try PostgresEncoding.append(value, as: type, to: &sent) { "the value" }
    }
    let again = unsafe sent.withUnsafeBytes { unsafe read(PostgresDecoding($0, isBinary: true)) }
    require(again == value, "\(value) comes back as \(again.map { "\($0)" } ?? "nothing")")
  }
}

/// What MD5 and SHA-256 put behind a message: a bit, zeros, and the message's length in bits.
///
/// Source: RFC 1321 §3.1, §3.2; FIPS 180-4 §5.1.1.
enum HashPadding {
  /// In which order the bytes of the length come.
  enum Order {
    case littleEndian
    case bigEndian
  }

  /// The message and its padding, a multiple of 64 bytes.
  static func pad(_ message: [UInt8], lengthOrder: Order) -> [UInt8] {
    var padded = message
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) &* 8
    let bytes = stride(from: 0, through: 56, by: 8).map { UInt8(truncatingIfNeeded: bits >> $0) }
    padded += lengthOrder == .littleEndian ? bytes : bytes.reversed()
    return padded
  }
}

extension UInt32 {
  /// The bits moved to the right by `count`, those that fall out put in at the left.
  func rotated(right count: UInt32) -> UInt32 {
    self &>> count | self &<< (32 &- count)
  }
}

/// The padding that MD5 and the SHA-2 functions append to a message: a bit, zeros, and the message's length in bits.
///
/// Source: RFC 1321 §3.1, §3.2; FIPS 180-4 §5.1.
enum HashPadding {
  /// The byte order of the length.
  enum Order {
    case littleEndian
    case bigEndian
  }

  /// Returns the padding of a message of `count` bytes, which completes the last block.
  static func bytes(after count: UInt64, blockSize: Int, lengthOrder: Order) -> [UInt8] {
    let lengthSize = blockSize / 8
    let used = Int(count % UInt64(blockSize)) + 1 + lengthSize
    let zeros = (blockSize - used % blockSize) % blockSize
    let bits = count &* 8
    let length = (0..<lengthSize).map { $0 < 8 ? UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) : 0 }
    return [0x80] + [UInt8](repeating: 0, count: zeros) + (lengthOrder == .littleEndian ? length : length.reversed())
  }
}

extension FixedWidthInteger {
  /// Returns the bits rotated to the right by `count`.
  func rotated(right count: Self) -> Self {
    self &>> count | self &<< (Self(Self.bitWidth) &- count)
  }
}

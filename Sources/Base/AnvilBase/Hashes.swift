/// A hash function that processes a message in blocks of a fixed size.
protocol BlockHash {
  /// The number of bytes of a block. In the padding, the length of the message occupies an eighth of a block.
  var blockSize: Int { get }
  /// The byte order of the message's length in the padding.
  var lengthOrder: HashPadding.Order { get }
  /// The hash of the blocks so far.
  var bytes: [UInt8] { get }

  mutating func compress(_ block: ArraySlice<UInt8>)
}

package struct RunningHash {
  private var function: any BlockHash
  private var incompleteBlock: [UInt8] = []
  private var count: UInt64 = 0

  init(_ function: any BlockHash) {
    self.function = function
  }

  package mutating func update(_ bytes: some Sequence<UInt8>) {
    let before = incompleteBlock.count
    incompleteBlock.append(contentsOf: bytes)
    count &+= UInt64(incompleteBlock.count - before)
    compressBlocks()
  }

  package consuming func finish() -> [UInt8] {
    incompleteBlock += HashPadding.bytes(after: count, blockSize: function.blockSize, lengthOrder: function.lengthOrder)
    compressBlocks()
    return function.bytes
  }

  private mutating func compressBlocks() {
    let size = function.blockSize
    let whole = incompleteBlock.count - incompleteBlock.count % size
    for start in stride(from: 0, to: whole, by: size) { function.compress(incompleteBlock[start..<(start + size)]) }
    incompleteBlock.removeFirst(whole)
  }
}

/// The hash functions for Digest authentication and the cache.
package enum HashFunction {
  case md5
  case sha256
  case sha512Truncated256

  /// Returns the hash of `bytes`, in lower-case hexadecimal digits.
  package func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
    var hash = begin()
    hash.update(bytes)
    return Self.hexadecimal(hash.finish())
  }

  package func begin() -> RunningHash {
    switch self {
    case .md5: RunningHash(MD5())
    case .sha256: RunningHash(SHA256())
    case .sha512Truncated256: RunningHash(SHA512Truncated256())
    }
  }

  /// Returns the bytes of a hash in lower-case hexadecimal digits.
  package static func hexadecimal(_ hash: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// The padding that MD5 and the SHA-2 functions append to a message: a bit, zeros, and the message's length in bits.
///
/// Source: RFC 1321 §3.1, §3.2; FIPS 180-4 §5.1.
enum HashPadding {
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
  func rotated(right count: Self) -> Self {
    self &>> count | self &<< (Self(Self.bitWidth) &- count)
  }
}

/// MD5, which Digest authentication still requires. It is not secure. Source: RFC 1321 §3; its security considerations: RFC 6151.
struct MD5: BlockHash {
  /// The integer parts of 2³² times the absolute sine of 1 to 64 radians.
  private static let constants: [UInt32] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
  ]

  private static let rotations: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

  private var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]

  var blockSize: Int { 64 }
  var lengthOrder: HashPadding.Order { .littleEndian }

  var bytes: [UInt8] {
    state.flatMap { word in stride(from: 0, through: 24, by: 8).map { UInt8(truncatingIfNeeded: word >> $0) } }
  }

  mutating func compress(_ block: ArraySlice<UInt8>) {
    let words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      block[index..<(index + 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    state = zip(state, Self.compress(state, words)).map { $0 &+ $1 }
  }

  private static func compress(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for index in 0..<64 {
      let (mix, word) =
        switch index / 16 {
        case 0: (b & c | ~b & d, index)
        case 1: (d & b | ~d & c, (5 * index + 1) % 16)
        case 2: (b ^ c ^ d, (3 * index + 5) % 16)
        default: (c ^ (b | ~d), 7 * index % 16)
        }
      let sum = a &+ mix &+ constants[index] &+ words[word]
      (a, d, c, b) = (d, c, b, b &+ sum.rotated(right: 32 - rotations[index / 16][index % 4]))
    }
    return [a, b, c, d]
  }
}

/// SHA-256, for platforms without a reliably available implementation. Source: FIPS 180-4 §4.1.2, §5, §6.2.
struct SHA256: BlockHash {
  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]

  /// The first 32 bits of the fractional parts of the square roots of the first eight primes.
  private static let start: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  private var state = Self.start

  var blockSize: Int { 64 }
  var lengthOrder: HashPadding.Order { .bigEndian }

  var bytes: [UInt8] {
    state.flatMap { word in stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) } }
  }

  mutating func compress(_ block: ArraySlice<UInt8>) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      block[index..<(index + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = early.rotated(right: 7) ^ early.rotated(right: 18) ^ early >> 3
      let second = late.rotated(right: 17) ^ late.rotated(right: 19) ^ late >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    state = zip(state, Self.compress(state, words)).map { $0 &+ $1 }
  }

  private static func compress(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let mix = e.rotated(right: 6) ^ e.rotated(right: 11) ^ e.rotated(right: 25)
      let first = h &+ mix &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index]
      let second = (a.rotated(right: 2) ^ a.rotated(right: 13) ^ a.rotated(right: 22)) &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    return [a, b, c, d, e, f, g, h]
  }
}

/// SHA-512/256, which Digest calls SHA-512-256. Source: FIPS 180-4 §4.1.3, §5.3.6.2, §6.4, §6.7.
struct SHA512Truncated256: BlockHash {
  /// The first 64 bits of the fractional parts of the cube roots of the first 80 primes.
  private static let constants: [UInt64] = [
    0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
  ]

  private var state: [UInt64] = [
    0x2231_2194_fc2b_f72c, 0x9f55_5fa3_c84c_64c2, 0x2393_b86b_6f53_b151, 0x9638_7719_5940_eabd,
    0x9628_3ee2_a88e_ffe3, 0xbe5e_1e25_5386_3992, 0x2b01_99fc_2c85_b8aa, 0x0eb7_2ddc_81c5_2ca2,
  ]

  var blockSize: Int { 128 }
  var lengthOrder: HashPadding.Order { .bigEndian }

  var bytes: [UInt8] {
    state.prefix(4).flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  mutating func compress(_ block: ArraySlice<UInt8>) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 8).map { index in
      block[index..<(index + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    for index in 16..<80 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = early.rotated(right: 1) ^ early.rotated(right: 8) ^ early >> 7
      let second = late.rotated(right: 19) ^ late.rotated(right: 61) ^ late >> 6
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    state = zip(state, Self.compress(state, words)).map { $0 &+ $1 }
  }

  private static func compress(_ state: [UInt64], _ words: [UInt64]) -> [UInt64] {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<80 {
      let mix = e.rotated(right: 14) ^ e.rotated(right: 18) ^ e.rotated(right: 41)
      let first = h &+ mix &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index]
      let second = (a.rotated(right: 28) ^ a.rotated(right: 34) ^ a.rotated(right: 39)) &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    return [a, b, c, d, e, f, g, h]
  }
}

/// The 64-bit FNV-1a hash of bytes, which detects accidental changes. It does not withstand an attacker.
///
/// Source: the Internet-Draft "The FNV Non-Cryptographic Hash Algorithm".
package struct FNV1a: Hashable, Sendable {
  @usableFromInline static var prime: UInt64 { 0x0000_0100_0000_01b3 }

  package var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  @inlinable
  package init(_ bytes: some Sequence<UInt8>) {
    self.init()
    add(bytes)
  }

  /// Adds `bytes`. The hash does not depend on how the bytes are divided into calls.
  @inlinable
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    var hash = value
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* Self.prime }
    value = hash
  }

  /// Adds a number in one step. Adding the length of each part separates the parts from each other.
  package mutating func add(_ number: Int) {
    value = (value ^ UInt64(bitPattern: Int64(number))) &* Self.prime
  }
}

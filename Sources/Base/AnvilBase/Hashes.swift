package struct RunningHash {
  /// The state of a function after the blocks so far.
  private enum State {
    case md5(MD5)
    case sha256(SHA2<UInt32>)
    case sha512(SHA2<UInt64>)
  }

  private var state: State
  private let blockSize: Int
  private var incompleteBlock: [UInt8] = []
  private var count: UInt64 = 0

  fileprivate init(_ function: HashFunction) {
    switch function {
    case .md5: (state, blockSize) = (.md5(MD5()), 64)
    case .sha256: (state, blockSize) = (.sha256(SHA2(SHA2<UInt32>.start)), 64)
    case .sha512Truncated256: (state, blockSize) = (.sha512(SHA2(SHA2<UInt64>.start)), 128)
    }
  }

  package mutating func update(_ bytes: some Sequence<UInt8>) {
    let before = incompleteBlock.count
    incompleteBlock.append(contentsOf: bytes)
    count &+= UInt64(incompleteBlock.count - before)
    compressBlocks()
  }

  package consuming func finish() -> [UInt8] {
    let order: HashPadding.Order = if case .md5 = state { .littleEndian } else { .bigEndian }
    incompleteBlock += HashPadding.bytes(after: count, blockSize: blockSize, lengthOrder: order)
    compressBlocks()
    return switch state {
    case .md5(let md5): md5.bytes
    case .sha256(let sha): sha.bytes
    case .sha512(let sha): Array(sha.bytes.prefix(32))
    }
  }

  private mutating func compressBlocks() {
    let whole = incompleteBlock.count - incompleteBlock.count % blockSize
    for start in stride(from: 0, to: whole, by: blockSize) {
      let block = incompleteBlock[start..<(start + blockSize)]
      switch state {
      case .md5(let md5): state = .md5(md5.compressing(block))
      case .sha256(let sha): state = .sha256(sha.compressing(block))
      case .sha512(let sha): state = .sha512(sha.compressing(block))
      }
    }
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

  package func begin() -> RunningHash { RunningHash(self) }

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
private struct MD5 {
  /// The integer parts of 2³² times the absolute sine of 1 to 64 radians.
  private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }
  private static let rotations: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

  private var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]

  var bytes: [UInt8] {
    state.flatMap { word in stride(from: 0, through: 24, by: 8).map { UInt8(truncatingIfNeeded: word >> $0) } }
  }

  func compressing(_ block: ArraySlice<UInt8>) -> MD5 {
    let words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      block[index..<(index + 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for index in 0..<64 {
      let (mix, word) =
        switch index / 16 {
        case 0: (b & c | ~b & d, index)
        case 1: (d & b | ~d & c, (5 * index + 1) % 16)
        case 2: (b ^ c ^ d, (3 * index + 5) % 16)
        default: (c ^ (b | ~d), 7 * index % 16)
        }
      let sum = a &+ mix &+ Self.constants[index] &+ words[word]
      (a, d, c, b) = (d, c, b, b &+ sum.rotated(right: 32 - Self.rotations[index / 16][index % 4]))
    }
    var next = self
    next.state = zip(state, [a, b, c, d]).map { $0 &+ $1 }
    return next
  }
}

/// SHA-256 and SHA-512, for platforms without a reliably available implementation. They differ in the size of a word, in the number of rounds
/// and in how far words are rotated. Source: FIPS 180-4 §4.1, §5, §6.2, §6.4.
private struct SHA2<Word: FixedWidthInteger & UnsignedInteger> {
  private var state: [Word]

  init(_ start: [Word]) {
    state = start
  }

  var bytes: [UInt8] {
    state.flatMap { word in
      stride(from: Word.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  /// Returns `word`, rotated by the first two distances, and rotated or shifted by the last.
  private static func mix(_ word: Word, _ distances: (UInt8, UInt8, UInt8), shifts: Bool = false) -> Word {
    let last = Word(truncatingIfNeeded: distances.2)
    return word.rotated(right: Word(truncatingIfNeeded: distances.0))
      ^ word.rotated(right: Word(truncatingIfNeeded: distances.1))
      ^ (shifts ? word &>> last : word.rotated(right: last))
  }

  func compressing(_ block: ArraySlice<UInt8>) -> SHA2 {
    let size = Word.bitWidth / 8
    let isLong = size == 8
    var words = stride(from: block.startIndex, to: block.endIndex, by: size).map { index in
      block[index..<(index + size)].reduce(Word(0)) { $0 << 8 | Word(truncatingIfNeeded: $1) }
    }
    let rounds = isLong ? 80 : 64
    for index in 16..<rounds {
      let first = Self.mix(words[index - 15], isLong ? (1, 8, 7) : (7, 18, 3), shifts: true)
      let second = Self.mix(words[index - 2], isLong ? (19, 61, 6) : (17, 19, 10), shifts: true)
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<rounds {
      let constant = Word(truncatingIfNeeded: shaConstants[index] >> (64 - UInt64(Word.bitWidth)))
      let first = h &+ Self.mix(e, isLong ? (14, 18, 41) : (6, 11, 25)) &+ (e & f ^ ~e & g) &+ constant &+ words[index]
      let second = Self.mix(a, isLong ? (28, 34, 39) : (2, 13, 22)) &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    return SHA2(zip(state, [a, b, c, d, e, f, g, h]).map { $0 &+ $1 })
  }
}

extension SHA2<UInt32> {
  /// The first 32 bits of the fractional parts of the square roots of the first eight primes.
  fileprivate static let start: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
}

extension SHA2<UInt64> {
  /// The start of SHA-512/256, which Digest calls SHA-512-256. Source: FIPS 180-4 §5.3.6.2.
  fileprivate static let start: [UInt64] = [
    0x2231_2194_fc2b_f72c, 0x9f55_5fa3_c84c_64c2, 0x2393_b86b_6f53_b151, 0x9638_7719_5940_eabd,
    0x9628_3ee2_a88e_ffe3, 0xbe5e_1e25_5386_3992, 0x2b01_99fc_2c85_b8aa, 0x0eb7_2ddc_81c5_2ca2,
  ]
}

/// The first 64 bits of the fractional parts of the cube roots of the first 80 primes. SHA-256 uses the first halves of 64 of them.
private let shaConstants: [UInt64] = [
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

/// The powers of five from 5⁻³⁴² to 5³²⁴, each normalised to 128 bits.
///
/// Reading needs no power above 5³⁰⁸; larger ones are used for writing (``ShortestDecimal``). The powers of most numbers are in a table; others
/// are products of a power in steps of 27 and one of the exact ones up to 5²⁶. Sources: D. Lemire, Number Parsing at a Gigabyte per Second,
/// Software: Practice and Experience 51 (2021); U. Adams, Ryū: Fast Float-to-String Conversion, PLDI 2018, for tables of two levels.
enum PowersOfFive {
  /// The exponent of the first power.
  static let smallest = -342
  /// The largest exponent that a finite double can be read from.
  static let largest = 308

  /// Returns whether the power is rounded down. Others are exact, or rounded up if the exponent is negative, which is necessary for numbers
  /// exactly halfway between two doubles.
  @inline(__always)
  static func isTruncated(_ exponent: Int) -> Bool { exponent < -27 || exponent > 55 }

  /// Returns the power with an exponent from -342 to 324.
  @inline(__always)
  static func words(_ exponent: Int) -> (high: UInt64, low: UInt64) {
    guard !isTruncated(exponent) else { return product(exponent) }
    let index = 2 &* (exponent &+ 27)
    return (near[index], near[index &+ 1])
  }

  /// Returns the upper 128 bits of the product of three words and one. The words that are cut off do not reach those bits for any exponent.
  @inline(never)
  private static func product(_ exponent: Int) -> (high: UInt64, low: UInt64) {
    let (step, rest) = (exponent &+ 351).quotientAndRemainder(dividingBy: 27)
    // The steps of 5⁻²⁷, 5⁰ and 5²⁷ are missing because their powers are near.
    let index = 3 &* (step < 12 ? step : step &- 3)
    let factor = near[2 &* (rest &+ 27)]
    let lower = factor.multipliedFullWidth(by: far[index &+ 2])
    let middle = factor.multipliedFullWidth(by: far[index &+ 1])
    let upper = factor.multipliedFullWidth(by: far[index])
    let (third, thirdCarry) = middle.low.addingReportingOverflow(lower.high)
    let (second, secondCarry) = upper.low.addingReportingOverflow(middle.high &+ (thirdCarry ? 1 : 0))
    let first = upper.high &+ (secondCarry ? 1 : 0)
    guard first >> 63 == 0 else { return (first, second) }
    return (first &<< 1 | second &>> 63, second &<< 1 | third &>> 63)
  }

  /// The powers from 5⁻²⁷ to 5⁵⁵: high word, low word.
  private static let near: [UInt64] = [
    0x9e74d1b791e07e48, 0x775ea264cf55347e, 0xc612062576589dda, 0x95364afe032a819e,
    0xf79687aed3eec551, 0x3a83ddbd83f52205, 0x9abe14cd44753b52, 0xc4926a9672793543,
    0xc16d9a0095928a27, 0x75b7053c0f178294, 0xf1c90080baf72cb1, 0x5324c68b12dd6339,
    0x971da05074da7bee, 0xd3f6fc16ebca5e04, 0xbce5086492111aea, 0x88f4bb1ca6bcf585,
    0xec1e4a7db69561a5, 0x2b31e9e3d06c32e6, 0x9392ee8e921d5d07, 0x3aff322e62439fd0,
    0xb877aa3236a4b449, 0x09befeb9fad487c3, 0xe69594bec44de15b, 0x4c2ebe687989a9b4,
    0x901d7cf73ab0acd9, 0x0f9d37014bf60a11, 0xb424dc35095cd80f, 0x538484c19ef38c95,
    0xe12e13424bb40e13, 0x2865a5f206b06fba, 0x8cbccc096f5088cb, 0xf93f87b7442e45d4,
    0xafebff0bcb24aafe, 0xf78f69a51539d749, 0xdbe6fecebdedd5be, 0xb573440e5a884d1c,
    0x89705f4136b4a597, 0x31680a88f8953031, 0xabcc77118461cefc, 0xfdc20d2b36ba7c3e,
    0xd6bf94d5e57a42bc, 0x3d32907604691b4d, 0x8637bd05af6c69b5, 0xa63f9a49c2c1b110,
    0xa7c5ac471b478423, 0x0fcf80dc33721d54, 0xd1b71758e219652b, 0xd3c36113404ea4a9,
    0x83126e978d4fdf3b, 0x645a1cac083126ea, 0xa3d70a3d70a3d70a, 0x3d70a3d70a3d70a4,
    0xcccccccccccccccc, 0xcccccccccccccccd, 0x8000000000000000, 0x0000000000000000,
    0xa000000000000000, 0x0000000000000000, 0xc800000000000000, 0x0000000000000000,
    0xfa00000000000000, 0x0000000000000000, 0x9c40000000000000, 0x0000000000000000,
    0xc350000000000000, 0x0000000000000000, 0xf424000000000000, 0x0000000000000000,
    0x9896800000000000, 0x0000000000000000, 0xbebc200000000000, 0x0000000000000000,
    0xee6b280000000000, 0x0000000000000000, 0x9502f90000000000, 0x0000000000000000,
    0xba43b74000000000, 0x0000000000000000, 0xe8d4a51000000000, 0x0000000000000000,
    0x9184e72a00000000, 0x0000000000000000, 0xb5e620f480000000, 0x0000000000000000,
    0xe35fa931a0000000, 0x0000000000000000, 0x8e1bc9bf04000000, 0x0000000000000000,
    0xb1a2bc2ec5000000, 0x0000000000000000, 0xde0b6b3a76400000, 0x0000000000000000,
    0x8ac7230489e80000, 0x0000000000000000, 0xad78ebc5ac620000, 0x0000000000000000,
    0xd8d726b7177a8000, 0x0000000000000000, 0x878678326eac9000, 0x0000000000000000,
    0xa968163f0a57b400, 0x0000000000000000, 0xd3c21bcecceda100, 0x0000000000000000,
    0x84595161401484a0, 0x0000000000000000, 0xa56fa5b99019a5c8, 0x0000000000000000,
    0xcecb8f27f4200f3a, 0x0000000000000000, 0x813f3978f8940984, 0x4000000000000000,
    0xa18f07d736b90be5, 0x5000000000000000, 0xc9f2c9cd04674ede, 0xa400000000000000,
    0xfc6f7c4045812296, 0x4d00000000000000, 0x9dc5ada82b70b59d, 0xf020000000000000,
    0xc5371912364ce305, 0x6c28000000000000, 0xf684df56c3e01bc6, 0xc732000000000000,
    0x9a130b963a6c115c, 0x3c7f400000000000, 0xc097ce7bc90715b3, 0x4b9f100000000000,
    0xf0bdc21abb48db20, 0x1e86d40000000000, 0x96769950b50d88f4, 0x1314448000000000,
    0xbc143fa4e250eb31, 0x17d955a000000000, 0xeb194f8e1ae525fd, 0x5dcfab0800000000,
    0x92efd1b8d0cf37be, 0x5aa1cae500000000, 0xb7abc627050305ad, 0xf14a3d9e40000000,
    0xe596b7b0c643c719, 0x6d9ccd05d0000000, 0x8f7e32ce7bea5c6f, 0xe4820023a2000000,
    0xb35dbf821ae4f38b, 0xdda2802c8a800000, 0xe0352f62a19e306e, 0xd50b2037ad200000,
    0x8c213d9da502de45, 0x4526f422cc340000, 0xaf298d050e4395d6, 0x9670b12b7f410000,
    0xdaf3f04651d47b4c, 0x3c0cdd765f114000, 0x88d8762bf324cd0f, 0xa5880a69fb6ac800,
    0xab0e93b6efee0053, 0x8eea0d047a457a00, 0xd5d238a4abe98068, 0x72a4904598d6d880,
    0x85a36366eb71f041, 0x47a6da2b7f864750, 0xa70c3c40a64e6c51, 0x999090b65f67d924,
    0xd0cf4b50cfe20765, 0xfff4b4e3f741cf6d,
  ]

  /// The powers from 5⁻³⁵¹ to 5⁻⁵⁴ and from 5⁵⁴ to 5³²⁴ in steps of 27: three words each, rounded down.
  private static let far: [UInt64] = [
    0x8049a4ac0c5811ae, 0x205b896d777d6278, 0xac261e9f5141430b,
    0xcf42894a5dce35ea, 0x52064cac828675b9, 0x475f2b7d7df1ad7a,
    0xa76c582338ed2621, 0xaf2af2b80af6f24e, 0x657c8f4d43323a36,
    0x873e4f75e2224e68, 0x5a7744a6e804a291, 0xcc35eddfcf0996d7,
    0xda7f5bf590966848, 0xaf39a475506a899e, 0xa30294cc2934e662,
    0xb080392cc4349dec, 0xbd8d794d96aacfb3, 0xfe13a5c86af64418,
    0x8e938662882af53e, 0x547eb47b7282ee9c, 0x41b0230e1421487d,
    0xe65829b3046b0afa, 0x0cb4a5a3112a5112, 0xa3b561b1cb208396,
    0xba121a4650e4ddeb, 0x92f34d62616ce413, 0x21a0183e10583cd3,
    0x964e858c91ba2655, 0x3a6a07f8d510f86f, 0xe9082f25e9c5e9ec,
    0xf2d56790ab41c2a2, 0xfae27299423fb9c3, 0x3695dad7e8858901,
    0xc428d05aa4751e4c, 0xaa97e14c3c26b886, 0x96842dc95323f5a8,
    0xa70c3c40a64e6c51, 0x999090b65f67d924, 0x0000000000000000,
    0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3, 0xdf9f915627c04e28,
    0xda01ee641a708de9, 0xe80e6f4820cc9495, 0xd74baad03bc1d8d3,
    0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f, 0xc04c79ffe324301f,
    0x8e41ade9fbebc27d, 0x14588f13be847307, 0x23bd6a2059c002f5,
    0xe5d3ef282a242e81, 0x8f1668c8a86da5fa, 0xf0b5ccf5176ecc7c,
    0xb9a74a0637ce2ee1, 0x6d953e2bd7173692, 0x88efb0037ac08bde,
    0x95f83d0a1fb69cd9, 0x4abdaf101564f98e, 0x0d5a4af7b3a98e47,
    0xf24a01a73cf2dccf, 0xbc633b39673c8cec, 0x3d9c44cd2f36917c,
    0xc3b8358109e84f07, 0x0a862f80ec4700c8, 0x02606ea01029dc37,
    0x9e19db92b4e31ba9, 0x6c07a2c26a8346d1, 0x4944d9f52cd0dec2,
  ]
}

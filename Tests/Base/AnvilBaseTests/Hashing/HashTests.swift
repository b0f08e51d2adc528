import Testing

@testable import AnvilBase

@Suite struct HashTests {
  /// Source: RFC 1321, appendix A.5.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
    (
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"
    ),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func a3_md5IsThatOfRFC1321(text: String, expected: String) {
    #expect(HashFunction.md5.hexadecimal(of: text.utf8) == expected)
  }

  /// Source: FIPS 180-2, appendix B; the empty message and a million letters by NIST's examples.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 100_000), "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"
    ),
  ])
  func a3_sha256IsThatOfFIPS180(text: String, expected: String) {
    #expect(HashFunction.sha256.hexadecimal(of: text.utf8) == expected)
  }

  /// Source: NIST's examples for FIPS 180-4; lengths about a block's end, against OpenSSL.
  @Test(arguments: [
    ("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
    ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
    ),
    (String(repeating: "a", count: 111), "0239e429f98d0ed61ee8e2a7c30afe98c1c3a80ce5dff62a107e9c538f7632ce"),
    (String(repeating: "a", count: 112), "9216b5303edb66504570bee90e48ea5beaa5e9fe9f760bbd3e0460559fc005f6"),
    (String(repeating: "a", count: 127), "2fe3b2a6ee7e12f6fe4ba82166541ad9b4ed882c493581cbe300d68f3757b778"),
    (String(repeating: "a", count: 128), "b88f97e274f9c1d49f181c8cbd01a9c74930ad055a46ac4499a1d601f1c80bf2"),
  ])
  func a3_sha512Truncated256IsThatOfFIPS180(text: String, expected: String) {
    #expect(HashFunction.sha512Truncated256.hexadecimal(of: text.utf8) == expected)
  }

  @Test(arguments: [HashFunction.md5, .sha256, .sha512Truncated256])
  func hashingInPiecesEqualsHashingTheWhole(function: HashFunction) {
    let message = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    for size in [1, 7, 63, 64, 65, 127, 128, 129, 999] {
      var hash = function.begin()
      for start in stride(from: 0, to: message.count, by: size) { hash.update(message[start...].prefix(size)) }
      #expect(HashFunction.hexadecimal(hash.finish()) == function.hexadecimal(of: message))
    }
  }

  /// Messages of every length around a block's end are padded to whole blocks, and all hashes differ.
  @Test func paddingFillsWholeBlocks() {
    for (blockSize, length) in [64, 128].flatMap({ size in (0...260).map { (size, $0) } }) {
      let padding = HashPadding.bytes(after: UInt64(length), blockSize: blockSize, lengthOrder: .bigEndian)
      #expect((length + padding.count) % blockSize == 0)
      #expect(padding.count > blockSize / 8 && padding.count <= blockSize + blockSize / 8)
      #expect(padding[0] == 0x80 && padding.suffix(2).reduce(0) { $0 << 8 | Int($1) } == length * 8)
    }
  }

  /// A message of each length around a block's end, compared with sha256sum.
  @Test(arguments: [
    (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
    (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    (1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
  ])
  func digestsOfLengthsAroundABlockBoundaryAreCorrect(count: Int, digest: String) {
    let message = repeatElement(UInt8(ascii: "a"), count: count)
    #expect(HashFunction.sha256.hexadecimal(of: message) == digest)
  }
}

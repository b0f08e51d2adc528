import AnvilBase
import Testing

@Suite struct FNV1aTests {
  /// Source: the Internet-Draft "The FNV Non-Cryptographic Hash Algorithm", test vectors.
  @Test(
    arguments: [
      ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ] as [(String, UInt64)])
  func hashesMatchTheVectorsOfTheDraft(text: String, hash: UInt64) {
    #expect(FNV1a(text.utf8).value == hash)
  }

  @Test func bytesMayBeAddedInParts() {
    var hash = FNV1a("foo".utf8)
    hash.add("bar".utf8)
    #expect(hash == FNV1a("foobar".utf8))
  }

  @Test func addingANumberChangesTheHash() {
    var hash = FNV1a("foo".utf8)
    hash.add(3)
    #expect(hash != FNV1a("foo".utf8))
  }
}

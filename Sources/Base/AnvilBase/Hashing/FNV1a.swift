/// The 64-bit FNV-1a hash of bytes, which detects accidental changes. It does not withstand an attacker.
///
/// Source: the Internet-Draft "The FNV Non-Cryptographic Hash Algorithm".
package struct FNV1a: Hashable, Sendable {
  @usableFromInline static var prime: UInt64 { 0x0000_0100_0000_01b3 }

  /// The hash of the bytes that were added.
  package var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Creates the hash of no bytes.
  package init() {}

  /// Creates the hash of `bytes`.
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

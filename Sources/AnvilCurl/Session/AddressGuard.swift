extension CurlSession {
  /// Which addresses a session may connect to: a guard against requests that are forged to reach what only the server can
  /// reach (SSRF). It sees every address that a connection is made to, after the name was resolved.
  ///
  /// A session that has one asks no proxy of the environment, behind which it would see nothing. A proxy that is configured by
  /// hand is judged itself, and has to judge what is behind it. A Unix-domain socket is not judged.
  public struct AddressGuard: Sendable {
    let allows: (@Sendable (IPAddress) -> Bool)?

    /// Any address.
    public static let none = AddressGuard(allows: nil)

    /// Those that the public Internet has: no loopback, private, link-local, shared, multicast or reserved ones, in IPv6
    /// neither by themselves nor around such an address of IPv4.
    public static let publicOnly = AddressGuard(allows: \.isGlobal)

    /// Those for which `allows` returns true; it is called on the session's thread and had better return at once.
    public static func custom(_ allows: @escaping @Sendable (IPAddress) -> Bool) -> AddressGuard {
      AddressGuard(allows: allows)
    }
  }
}

/// An address of IPv4 or IPv6.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// Four or sixteen bytes, in network order.
  public let bytes: [UInt8]

  /// The address of these bytes; `nil` unless there are four or sixteen.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Whether it is an address of IPv4.
  public var isIPv4: Bool { bytes.count == 4 }

  /// Dotted decimals, or groups of hexadecimal digits without abbreviation.
  public var description: String {
    if isIPv4 { return bytes.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2)
      .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
  }

  /// Whether the public Internet can reach it. Source: IANA's registries of special-purpose addresses, RFC 6890.
  public var isGlobal: Bool {
    if isIPv4 { return !Self.specialIPv4.contains { $0.contains(bytes) } }
    if let embedded { return embedded.isGlobal }
    // Of IPv6 only 2000::/3 is given out.
    return bytes[0] & 0xE0 == 0x20 && !Self.specialIPv6.contains { $0.contains(bytes) }
  }

  /// The address of IPv4 that is part of this one and that packets to it reach in the end.
  private var embedded: IPAddress? {
    let start: Int
    if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
      start = 12  // Mapped: RFC 4291 §2.5.5.2.
    } else if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
      start = 12  // Translated: RFC 6052 §2.1.
    } else if bytes.starts(with: [0x20, 0x02]) {
      start = 2  // 6to4: RFC 3056 §2.
    } else {
      return nil
    }
    return IPAddress(bytes: Array(bytes[start..<start + 4]))
  }

  /// The first `length` bits of an address.
  private struct Prefix {
    let bytes: [UInt8]
    let length: Int

    func contains(_ address: [UInt8]) -> Bool {
      for (index, byte) in bytes.enumerated() {
        let count = min(8, length - index * 8)
        let mask = count < 8 ? ~(0xFF >> UInt8(count)) : 0xFF as UInt8
        guard address[index] & mask == byte & mask else { return false }
      }
      return true
    }
  }

  private static let specialIPv4 = [
    Prefix(bytes: [0], length: 8), Prefix(bytes: [10], length: 8), Prefix(bytes: [100, 64], length: 10),
    Prefix(bytes: [127], length: 8), Prefix(bytes: [169, 254], length: 16), Prefix(bytes: [172, 16], length: 12),
    Prefix(bytes: [192, 0, 0], length: 24), Prefix(bytes: [192, 0, 2], length: 24),
    Prefix(bytes: [192, 88, 99], length: 24), Prefix(bytes: [192, 168], length: 16),
    Prefix(bytes: [198, 18], length: 15), Prefix(bytes: [198, 51, 100], length: 24),
    Prefix(bytes: [203, 0, 113], length: 24), Prefix(bytes: [224], length: 3),
  ]

  private static let specialIPv6 = [
    Prefix(bytes: [0x20, 0x01, 0x00], length: 23), Prefix(bytes: [0x20, 0x01, 0x0D, 0xB8], length: 32),
    Prefix(bytes: [0x3F, 0xFF, 0x00], length: 20),
  ]
}

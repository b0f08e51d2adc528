extension CurlSession {
  /// A rule for the addresses that a session may connect to. It protects against server-side request forgery (SSRF), in which an attacker
  /// makes this machine send requests to servers that only this machine can reach. Every address is checked after name resolution, before a
  /// connection is made to it.
  ///
  /// A session with a guard ignores the proxies of the environment, because a proxy hides the addresses of the servers. The address of a
  /// proxy in the configuration is checked. The proxy itself has to check the servers that it connects to. A Unix-domain socket is not
  /// checked.
  public struct AddressGuard: Sendable {
    let allows: (@Sendable (IPAddress) -> Bool)?

    /// Allows any address.
    public static let none = AddressGuard(allows: nil)

    /// Allows only addresses of the public Internet. Loopback, private, link-local, shared, multicast and reserved addresses are refused,
    /// also as IPv4 addresses that are embedded in IPv6 addresses.
    public static let publicOnly = AddressGuard(allows: \.isGlobal)

    /// Allows the addresses for which `allows` returns `true`. It is called on the session's thread and should return quickly.
    public static func custom(_ allows: @escaping @Sendable (IPAddress) -> Bool) -> AddressGuard {
      AddressGuard(allows: allows)
    }
  }
}

/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// The four or sixteen bytes of the address, in network order.
  public let bytes: [UInt8]

  /// Creates an address from its bytes. Returns `nil` if their number is neither four nor sixteen.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// A Boolean value that indicates whether this is an IPv4 address.
  public var isIPv4: Bool { bytes.count == 4 }

  /// The address as dotted decimals, or as groups of hexadecimal digits without abbreviation.
  public var description: String {
    if isIPv4 { return bytes.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2)
      .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
  }

  /// A Boolean value that indicates whether the address can be reached from the public Internet. Source: IANA's registries of
  /// special-purpose addresses, RFC 6890.
  public var isGlobal: Bool {
    if isIPv4 { return !Self.specialIPv4.contains { $0.contains(bytes) } }
    if let embedded { return embedded.isGlobal }
    // Only 2000::/3 is allocated in IPv6.
    return bytes[0] & 0xE0 == 0x20 && !Self.specialIPv6.contains { $0.contains(bytes) }
  }

  /// The IPv4 address that is embedded in this address, to which packets are finally delivered; `nil` if no address is embedded.
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

  /// A prefix of addresses: the first `length` bits of an address.
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

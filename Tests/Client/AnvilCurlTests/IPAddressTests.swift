import Foundation
import Testing

@testable import AnvilCurl

/// The addresses of the public Internet. Source: IANA's special-purpose registries of IPv4 and IPv6.
@Suite struct IPAddressTests {
  /// The address as the system parses it.
  private func address(_ text: String) throws -> IPAddress {
    var bytes = [UInt8](repeating: 0, count: text.contains(":") ? 16 : 4)
    // Safety: the buffer has the size of an address of the family.
    let result = unsafe bytes.withUnsafeMutableBytes {
      unsafe inet_pton(text.contains(":") ? AF_INET6 : AF_INET, text, $0.baseAddress)
    }
    try #require(result == 1, "\(text) is no address")
    return try #require(IPAddress(bytes: bytes))
  }

  @Test(arguments: [
    "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
    "127.255.255.255", "169.254.0.0", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.2.1",
    "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.1",
    "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
  ])
  func specialIPv4AddressesAreNotGlobal(text: String) throws {
    #expect(try !address(text).isGlobal)
    // Nor is it public as an IPv6 address that embeds the IPv4 address in any form.
    #expect(try !address("::ffff:\(text)").isGlobal)
    #expect(try !address("64:ff9b::\(text)").isGlobal)
    let bytes = try address(text).bytes
    #expect(try !#require(IPAddress(bytes: [0x20, 0x02] + bytes + Array(repeating: 1, count: 10))).isGlobal)
  }

  @Test(arguments: [
    "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
    "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.88.98.255",
    "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0",
    "203.0.112.255", "203.0.114.0", "223.255.255.255",
  ])
  func publicIPv4AddressesAreGlobal(text: String) throws {
    #expect(try address(text).isGlobal)
    #expect(try address("::ffff:\(text)").isGlobal)
    #expect(try address("64:ff9b::\(text)").isGlobal)
    let bytes = try address(text).bytes
    #expect(try #require(IPAddress(bytes: [0x20, 0x02] + bytes + Array(repeating: 1, count: 10))).isGlobal)
  }

  @Test(arguments: [
    "::", "::1", "::127.0.0.1", "::8.8.8.8", "64:ff9b:1::1", "100::1", "100:0:0:1::1", "2001::1", "2001:2::1",
    "2001:10::1",
    "2001:20::1", "2001:1ff:ffff::1", "2001:db8::1", "3fff::1", "3fff:fff::1", "4000::1", "5f00::1", "fc00::1",
    "fd12::1",
    "fe80::1", "fec0::1", "ff02::1", "1fff::1",
  ])
  func specialIPv6AddressesAreNotGlobal(text: String) throws {
    #expect(try !address(text).isGlobal)
  }

  @Test(arguments: [
    "2001:200::1", "2001:db7:ffff::1", "2001:db9::1", "2606:4700::1111", "2a00::1", "2003::1", "3ffe:ffff::1",
  ])
  func publicIPv6AddressesAreGlobal(text: String) throws {
    #expect(try address(text).isGlobal)
  }

  @Test func addressesHaveFourOrSixteenBytes() {
    for count in [0, 3, 5, 15, 17] { #expect(IPAddress(bytes: Array(repeating: 1, count: count)) == nil) }
    #expect(IPAddress(bytes: [8, 8, 4, 4])?.description == "8.8.4.4")
    #expect(
      IPAddress(bytes: [0x20, 1] + Array(repeating: 0, count: 13) + [0xAB])?.description == "2001:0:0:0:0:0:0:ab")
  }
}

extension String {
  /// A Boolean value that indicates whether the text is an IPv4 address such as `127.0.0.1`. Source: RFC 3986 §3.2.2.
  package var isIPv4Address: Bool {
    let parts = split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { $0 &- 0x30 <= 9 } && part.utf8.count <= 3 && UInt8(part) != nil
      }
  }
}

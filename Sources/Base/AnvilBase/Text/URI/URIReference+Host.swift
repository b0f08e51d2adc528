extension URIReference {
  /// A Boolean value that indicates whether the authority has a host that can be resolved or connected to, and a valid port.
  ///
  /// The URL syntax allows authorities that a resolver does not accept: hosts with percent-encoded spaces or non-ASCII letters, and ports
  /// of any length. Source: RFC 3986 §3.2.2 and §3.2.3, RFC 1123 §2.1.
  package var hasReachableHost: Bool {
    guard var rest = authority.map({ Substring($0).utf8 }) else { return false }
    if let mark = rest.lastIndex(of: UInt8(ascii: "@")) { rest = rest[rest.index(after: mark)...] }
    if rest.first == UInt8(ascii: "[") {
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
      rest = rest[rest.index(after: end)...]
      guard rest.first ?? UInt8(ascii: ":") == UInt8(ascii: ":") else { return false }
    } else {
      let end = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
      guard end > rest.startIndex, rest[..<end].allSatisfy(PercentEncoding.isUnreserved) else { return false }
      rest = rest[end...]
    }
    let port = rest.dropFirst()
    guard port.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return port.isEmpty || Int(Substring(port)).map { $0 <= 65_535 } ?? false
  }
}

/// A host that no resolver can look up: tests use only the loopback interface, for DNS queries as well.
enum Unresolvable {
  /// The first label is one character longer than the maximum of RFC 1035 §2.3.4.
  static let name = String(repeating: "x", count: 64) + ".invalid"
}

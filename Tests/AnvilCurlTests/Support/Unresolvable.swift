/// A host that no resolver can be asked about: tests send nothing to anything but the loopback, no question for a name either.
enum Unresolvable {
  /// Its first label has one character more than one may have (RFC 1035 §2.3.4).
  static let name = String(repeating: "x", count: 64) + ".invalid"
}

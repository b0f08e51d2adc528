import Foundation

/// Precompressed bytes: the tests do not compress.
///
/// Made with Python 3.11 (`zlib` 1.2.13, level 9; `brotli` 1.2.0; `zstandard` 0.25.0, level 19).
enum Packed {
  /// The decompressed form of most of the data.
  static let text = Data(String(repeating: "Anvil reads what was packed for the way. ", count: 8).utf8)

  /// ``text`` compressed, by the names of the codings in order.
  static let texts: [(codings: [String], bytes: Data)] = [
    (["gzip"], gzip), (["x-gzip"], gzip),
    (["deflate"], bytes("eNpzzCvLzFEoSk1MKVYoz0gsUShPLFYoSEzOTk1RSMsvUijJSAUKVeopOI4qxKcQAKY6c7k=")),
    (["deflate"], bytes("c8wry8xRKEpNTClWKM9ILFEoTyxWKEhMzk5NUUjLL1IoyUgFClXqKTiOKsSnEAA=")),
    (["br"], bytes("G0cB+I1UtT+3sb1dU7BWFBhUgaR1J6IINJjGwaCZjhLoWxyUfT5XkyLHF9NZAA==")),
    (["zstd"], bytes("KLUv/WBIAIUBAJKCCRDA6yhvGVcriiBCuNLXoMudBu1rzGVFw4dFPFl9vZ5rdUe1IeyEAQDhYKoqAw==")),
    (
      ["gzip", "br"],
      bytes("CyCAH4sIAAAAAAACA3PMK8vMUShKTUwpVijPSCxRKE8sVihITM5OTVFIyy9SKMlIBQpV6ik4jirEpxAAfe2YO0gBAAAD")
    ),
  ]

  static let gzip = bytes("H4sIAAAAAAACA3PMK8vMUShKTUwpVijPSCxRKE8sVihITM5OTVFIyy9SKMlIBQpV6ik4jirEpxAAfe2YO0gBAAA=")

  /// 8 MiB of zeros, by the coding's name. gzip and Zstandard use eight parts of 1 MiB.
  static let zeros: [(coding: String, bytes: Data)] = [
    ("gzip", repeated("H4sIAAAAAAACA+3BMQEAAADCoPVPbQhfo" + String(repeating: "A", count: 1355) + "PgMc6jinAAAQAA==")),
    ("br", bytes("y///P/gnAOKxQCD3/m8=")),
    ("zstd", repeated("KLUv/aAAABAATAAACAABAPz/ORACAgAQAAIAEAACABAAAgAQAAIAEAACABAAAwAQAA==")),
  ]

  /// Returns `bytes`, at most 65,535 of them, as deflate data without compression. Source: RFC 1951 §3.2.4.
  static func stored(_ bytes: Data) -> Data {
    let count = UInt16(truncatingIfNeeded: bytes.count)
    return Data([1, UInt8(count & 0xFF), UInt8(count >> 8), ~UInt8(count & 0xFF), ~UInt8(count >> 8)]) + bytes
  }

  private static func repeated(_ base64: String) -> Data {
    Data(repeatElement(bytes(base64), count: 8).joined())
  }

  private static func bytes(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The compressed forms of a text in each content coding. They are precomputed, because the package has a compressor for gzip only.
///
/// The bytes were made with Python 3.11 (`zlib` 1.2.13, level 9; `brotli` 1.2.1; `zstandard` 0.25.0, level 19). They contain ``text``,
/// except where the comment names other contents.
enum CompressedBytes {
  static let text = String(repeating: "Anvil reads what was packed for the way. ", count: 8)

  static let gzip = bytes(
    "H4sIAAAAAAACA3PMK8vMUShKTUwpVijPSCxRKE8sVihITM5OTVFIyy9SKMlIBQpV6ik4jirEpxAAfe2YO0gBAAA=")
  /// The two halves of the text as separate members. Source: RFC 1952 §2.2.
  static let gzipMembers = bytes(
    "H4sIAAAAAAACA3PMK8vMUShKTUwpVijPSCxRKE8sVihITM5OTVFIyy9SKMlIBQpV6ik4DpxCAEqW59mkAAAAH4sIAAAAAAACA3PMK8vMUShKTUwpVijP"
      + "SCxRKE8sVihITM5OTVFIyy9SKMlIBQpV6ik4DpxCAEqW59mkAAAA")
  /// An empty text.
  static let emptyGzip = bytes("H4sIAAAAAAACAwMAAAAAAAAAAAA=")
  /// 1 MiB of zeros.
  static let gzipOfZeros = bytes(
    "H4sIAAAAAAACA+3BMQEAAADCoPVPbQhfo" + String(repeating: "A", count: 1355) + "PgMc6jinAAAQAA==")
  /// The text in the format that the standard calls `deflate`: a zlib stream. Source: RFC 9110 §8.4.1.2, RFC 1950.
  static let deflate = bytes(
    "eNpzzCvLzFEoSk1MKVYoz0gsUShPLFYoSEzOTk1RSMsvUijJSAUKVeopOI4qxKcQAKY6c7k=")
  /// The text in the format that some servers send as `deflate`: compressed data without the zlib header. Source: RFC 9110 §8.4.1.2 (note),
  /// RFC 1951.
  static let rawDeflate = bytes("c8wry8xRKEpNTClWKM9ILFEoTyxWKEhMzk5NUUjLL1IoyUgFClXqKTiOKsSnEAA=")
  static let brotli = bytes("G0cB+I1UtT+3sb1dU7BWFBhUgaR1J6IINJjGwaCZjhLoWxyUfT5XkyLHF9NZAA==")
  static let zstandard = bytes(
    "KLUv/WBIAIUBAJKCCRDA6yhvGVcriiBCuNLXoMudBu1rzGVFw4dFPFl9vZ5rdUe1IeyEAQDhYKoqAw==")

  private static func bytes(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}

internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Cases for invalid responses, and for responses that clients may interpret differently.
extension TransportContract {
  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  /// Responses that have to be rejected as malformed. Source: RFC 9112 §4, §5, §6.3, §7.1.
  private static let refused: [(name: String, bytes: String)] = [
    ("a length that is not a number", ok + "Content-Length: abc\r\n\r\n"),
    ("a length that exceeds 64 bits", ok + "Content-Length: 99999999999999999999999\r\n\r\nhello"),
    ("a negative length", ok + "Content-Length: -1\r\n\r\nhello"),
    ("a chunk size that exceeds 64 bits", chunked + "fffffffffffffffffff\r\nhello"),
    ("a chunk that is longer than its size", chunked + "5\r\nhelloXX0\r\n\r\n"),
    ("a chunk without a size", chunked + "\r\nhello\r\n0\r\n\r\n"),
    ("a status line without a status code", "HTTP/1.1 abc\r\n\r\n"),
    ("a status code of two digits", "HTTP/1.1 99 X\r\n\r\n"),
    ("a field without a colon", ok + "no colon\r\nContent-Length: 0\r\n\r\n"),
    ("an HTTP/0.9 response", "<html>hello</html>"),
    ("control characters", "\u{0}\u{1}\u{2}\u{3}"),
    ("NUL in a field", ok + "Content-Length: 0\r\nX: a\0b\r\n\r\n"),
    ("an HTTP version that does not exist", "HTTP/9.7 200 OK\r\nContent-Length: 0\r\n\r\n"),
  ]

  /// Responses that a client may reject or accept. If it accepts one, the received body must be `body`. Source: RFC 9112 §2.2, §5.1, §5.2.
  private static let disputed: [(name: String, bytes: String, body: String)] = [
    ("lines without a carriage return", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "ok"),
    ("a status line without a space after the status code", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("spaces before a colon", ok + "X : y\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("a field that is folded over two lines", ok + "X: a\r\n b\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("a field without a name", ok + ": x\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("control characters in a chunk extension", chunked + "2;\u{1}=\u{2}\r\nok\r\n0\r\n\r\n", "ok"),
    ("spaces before a chunk size", chunked + " 2\r\nok\r\n0\r\n\r\n", "ok"),
    ("a response with the version HTTP/3.0 in HTTP/1 syntax", "HTTP/3.0 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("a status code of four digits", "HTTP/1.1 2000 X\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("a status code greater than 599", "HTTP/1.1 999 X\r\nContent-Length: 2\r\n\r\nok", "ok"),
    (
      "a field of 200 kB", ok + "X-Long: \(String(repeating: "x", count: 200_000))\r\nContent-Length: 2\r\n\r\nok", "ok"
    ),
    ("a body after 204", "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok", ""),
    ("an empty line before the status line", "\r\n\(ok)Content-Length: 2\r\n\r\nok", "ok"),
  ]

  static let malformedCases: [Case] =
    refused.map { name, bytes in
      Case("malformed: \(name)", needs: [.rawConnection]) { setting in
        let server = try setting.server(sending: bytes)
        try await setting.exchange(setting.get(server)).expectError(.malformedResponse, in: .firstByte, .body)
        try await setting.expectUsable()
      }
    }
    + disputed.map { name, bytes, body in
      Case("disputed: \(name)", needs: [.rawConnection]) { setting in
        let server = try setting.server(sending: bytes)
        let outcome = await setting.exchange(setting.get(server))
        if let error = outcome.error {
          // A head beyond a limit may be reported as too large.
          try expect(error.code == .malformedResponse || error.code == .responseTooLarge, "\(error)")
          try expect(
            error.phase == .firstByte || error.phase == .body, "\(error) has phase \(String(describing: error.phase))")
        } else {
          try expect(outcome.text, is: body)
        }
        try await setting.expectUsable()
      }
    }
    + [
      Case("random bytes end in an error or a response", needs: [.rawConnection]) { setting in
        var generator = SplitMix(state: 7)
        for round in 0..<60 {
          let noise = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
          }
          // Some rounds put the bytes in the place of a field, a chunk or a body.
          let start = ["", ok, chunked, "HTTP/1.1 ", ok + "Content-Length: 100\r\n\r\n"][round % 5]
          let server = try setting.server(answering: .raw([.send(Data(start.utf8) + Data(noise)), .close]))
          _ = await setting.exchange(setting.get(server), .patient)
        }
        try await setting.expectUsable()
      }
    ]
}

/// A generator of pseudorandom numbers that are the same in each run. Source: Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators".
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

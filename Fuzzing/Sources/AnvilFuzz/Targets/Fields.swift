@testable import AnvilClient
@testable import AnvilHTTP
@testable import AnvilObservability

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
  /// The values of structured fields: what was read is written, and comes back; the rest keeps within its bounds.
  static let fields = FuzzTarget(name: "fields") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let value = HTTP.HeaderValue(rawValue: text)

    let directives = FieldScanner.directives(in: text)
    let line = directives.map { directive in
      let equals = directive.hasBlanks ? " = " : "="
      return directive.name + (directive.argument.map { equals + quoted($0) } ?? "")
    }
    let again = FieldScanner.directives(in: line.joined(separator: ", "))
    require(again == directives, "directives \(directives) come back as \(again)")
    let control = CacheControl([.cacheControl: value])
    for name in ["max-age", "s-maxage", "stale-if-error"] {
      if let seconds = control.seconds(name).value { require(seconds >= 0 && seconds <= CacheControl.longest, name) }
    }

    let challenges = AuthChallenge.challenges(in: [value])
    let challengeLine = challenges.map { challenge in
      let parameters = challenge.parameters.map { "\($0.key)=\(quoted($0.value))" }
      return "\(challenge.scheme) " + ([challenge.token68].compactMap(\.self) + parameters).joined(separator: ", ")
    }
    let sameChallenges = AuthChallenge.challenges(in: [.init(rawValue: challengeLine.joined(separator: ", "))])
    require(sameChallenges == challenges, "challenges \(challenges) come back as \(sameChallenges)")

    let links = ([.link: value] as HTTP.Headers).links
    let linkLine = links.map { link in
      let parameters = link.parameters.map { "; \($0.key)=\(quoted($0.value))" }.joined()
      return "<\(link.reference)>; rel=\(quoted(link.relations.joined(separator: " ")))\(parameters)"
    }
    let sameLinks = ([.link: .init(rawValue: linkLine.joined(separator: ", "))] as HTTP.Headers).links
    require(sameLinks == links, "links \(links) come back as \(sameLinks)")

    checkNumbers(text, value)
  } growth: { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    _ = FieldScanner.directives(in: text)
    _ = ([.link: .init(rawValue: text)] as HTTP.Headers).links
    _ = AuthChallenge.challenges(in: [.init(rawValue: text)])
    let headers: HTTP.Headers = [.contentLength: .init(rawValue: text), .retryAfter: .init(rawValue: text)]
    _ = headers.contentLength
    _ = ByteRange([.range: .init(rawValue: text)])
    _ = RetryAfter.delay(in: headers, status: 429, now: Date(timeIntervalSince1970: 1_700_000_000))
  }

  private static func checkNumbers(_ text: String, _ value: HTTP.HeaderValue) {
    if case .bytes(let first, let last, let total) = ContentRange([.contentRange: value]) {
      require(first >= 0 && first <= last && last < total ?? .max, "a range from \(first) to \(last)")
    }
    checkRange(value)
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    for headers in [[.retryAfter: value], ["RateLimit-Reset": value], ["X-RateLimit-Reset": value]] as [HTTP.Headers] {
      if let delay = RetryAfter.delay(in: headers, status: 429, now: now) { require(delay >= .zero, "waits \(delay)") }
    }
    if case .bytes(let length) = ([.contentLength: value] as HTTP.Headers).contentLength {
      require(length >= 0, "a length of \(length)")
    }
    if let context = TraceContext(parsing: [.traceparent: value]) {
      let again = TraceContext(parsing: [.traceparent: context.traceparent])
      require(again == context, "a trace context comes back as another")
    }
    _ = value.isJSON
    _ = value.isForm
    _ = value.isValid
  }

  /// The range of a request comes back when it is written, and is within any body.
  private static func checkRange(_ value: HTTP.HeaderValue) {
    guard let range = ByteRange([.range: value]) else { return }
    let written =
      switch range {
      case .from(let first, let last): "bytes=\(first)-\(last.map(String.init) ?? "")"
      case .suffix(let count): "bytes=-\(count)"
      }
    require(ByteRange([.range: .init(rawValue: written)]) == range, "\(range) comes back as another")
    for length in [0, 1, 10, 1 << 40, .max] {
      guard let part = range.range(in: length) else { continue }
      require(!part.isEmpty && part.lowerBound >= 0 && part.upperBound <= length, "\(part) of \(length)")
    }
  }

  /// `text` as a quoted string. Source: RFC 9110 §5.6.4.
  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [0x22]
    for byte in text.utf8 {
      if byte == 0x22 || byte == 0x5C { bytes.append(0x5C) }
      bytes.append(byte)
    }
    return String(decoding: bytes + [0x22], as: UTF8.self)
  }
}

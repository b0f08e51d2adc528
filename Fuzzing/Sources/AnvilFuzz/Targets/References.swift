@testable import AnvilBase
@testable import AnvilClient
@testable import AnvilHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
  private static let bases = [
    "http://a/b/c/d;p?q", "https://example.com", "http://user:pass@h:8080/x/y//z?#f", "http://h/%2e%2E/a%2Fb/..;x/",
  ].map(URIReference.init)

  /// References of URIs: written and read again they are the same, and resolved as the RFC's own steps say.
  static let references = FuzzTarget(name: "references") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let reference = URIReference(text)
    require(URIReference(reference.description) == reference, "\(reference) comes back as another")
    // Making a URL takes longer than all the rest: the length of the input chooses one base.
    let base = bases[bytes.count % bases.count]
    let target = reference.resolved(against: base)
    require(target.scheme != nil, "no scheme")
    let segments = target.path.utf8.split(separator: 0x2F)
    require(
      !segments.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }, "dots in \(target.path)")
    let expected = resolvedPath(of: reference, against: base)
    require(
      removingEmptyStart(target.path) == removingEmptyStart(expected), "\(reference) is \(target), not \(expected)")
    if let url = target.url {
      require(url.absoluteString == target.description, "the URL of \(target) is \(url)")
      _ = HTTP.Origin(url)
      _ = CookieScope(url)
      _ = CacheKey(url)
      _ = url.redactedDescription
    }
  } growth: { bytes in
    _ = URIReference(String(decoding: bytes, as: UTF8.self)).resolved(against: bases[0])
  }

  /// The path of the target by RFC 3986 §5.2.2.
  private static func resolvedPath(of reference: URIReference, against base: URIReference) -> String {
    if reference.scheme != nil || reference.authority != nil { return removingDots(reference.path) }
    if reference.path.isEmpty { return base.path }
    if reference.path.hasPrefix("/") { return removingDots(reference.path) }
    guard !base.path.isEmpty, let slash = base.path.lastIndex(of: "/") else {
      return removingDots("/" + reference.path)
    }
    return removingDots(base.path[...slash] + reference.path)
  }

  /// RFC 3986 §5.2.4, step by step.
  private static func removingDots(_ path: some StringProtocol) -> String {
    var input = Array(path.utf8)[...]
    var output: [UInt8] = []
    func starts(_ text: String) -> Bool { input.starts(with: text.utf8) }
    while !input.isEmpty {
      if starts("../") {
        input = input.dropFirst(3)
      } else if starts("./") || starts("/./") {
        input = input.dropFirst(2)
      } else if input.elementsEqual("/.".utf8) {
        input = [0x2F]
      } else if starts("/../") || input.elementsEqual("/..".utf8) {
        input = input.count > 3 ? input.dropFirst(3) : [0x2F]
        output = Array(output[..<(output.lastIndex(of: 0x2F) ?? 0)])
      } else if input.elementsEqual(".".utf8) || input.elementsEqual("..".utf8) {
        input = []
      } else {
        let end = input.dropFirst().firstIndex(of: 0x2F) ?? input.endIndex
        output += input[..<end]
        input = input[end...]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// If a path without a leading slash loses all of its segments, the RFC's steps leave one.
  private static func removingEmptyStart(_ path: String) -> Substring { path.drop { $0 == "/" } }

  /// URI templates and their expansion: a value stays within its expression, and contains only characters of a URI.
  static let templates = FuzzTarget(name: "templates") { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let text = String(decoding: parts[0], as: UTF8.self)
    let value = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "a/b?c"
    let template: URITemplate
    do throws(URITemplate.SyntaxError) {
      template = try URITemplate(text)
    } catch {
      require((0...text.utf8.count).contains(error.offset), "byte \(error.offset) of \(text.utf8.count)")
      return
    }
    let names = template.variableNames
    let pairs = URITemplate.Value.pairs([(value, "x"), ("y", value)])
    for expanded in [.string(value), .list([value, "", value]), pairs, .list([])] as [URITemplate.Value] {
      let values = Dictionary(uniqueKeysWithValues: names.map { ($0, expanded) })
      guard let expansion = try? template.expanded(values) else { continue }
      require(expansion.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "expands to \(expansion)")
    }
    for name in names where name.utf8.allSatisfy({ $0 != 0x25 }) {
      let simple = requireSuccess("the template of a name") { () throws(URITemplate.SyntaxError) in
        try URITemplate("<{\(name)}>")
      }
      let expansion = try? simple.expanded([name: .string(value)])
      require(expansion == "%3C\(PercentEncoding.encode(value))%3E", "\(value) expands to \(expansion ?? "nothing")")
    }
  } growth: { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard let template = try? URITemplate(String(decoding: parts[0], as: UTF8.self)) else { return }
    // Each of many variables with a long value would be as long as both multiplied.
    let value = parts.count > 1 && parts[0].count < 1_000 ? String(decoding: parts[1], as: UTF8.self) : "a/b?c"
    _ = try? template.expanded(Dictionary(uniqueKeysWithValues: template.variableNames.map { ($0, .string(value)) }))
  }
}

internal import AnvilBase
internal import AnvilJSON

/// Finds suggestions for a wrong or missing value in the text around it.
struct HintFinder {
  let fault: Fault
  let value: ValueLocator.LocatedValue
  let steps: [JSON.Step]
  let locator: ValueLocator

  private var text: SourceText { locator.text }

  /// The hints, most likely first.
  var hints: [String] {
    if let substitute = fault.substitute { return [substitute.hint] }
    return switch fault.code {
    case .missingKey: missingKeyHints
    case .unexpectedNull:
      [
        steps.isEmpty
          ? "the text contains only null"
          : errorBesideHint ?? "the value is null; a property that may be null must be optional"
      ]
    case .unknownCase: choiceHints
    default: fault.missing == nil ? valueHints : nearKeyHints { _ in nil }
    }
  }

  private var missingKeyHints: [String] {
    guard case .key(let key) = fault.missing else { return [] }
    let near = nearKeyHints { $0.difference(from: key) ?? "check the key strategy" }
    if !near.isEmpty { return near }
    // The coding that the compiler writes has these keys, and no other code has.
    if key.first == "_", Int(key.dropFirst()) != nil {
      return [
        "Swift's own coding names the values of a case without labels _0, _1, …: write init(from:), or use @JSONCodable"
      ]
    }
    let members = locator.members(of: value.token)
    return [containerHint(key, members), outerHint(key)].compactMap { $0 }.prefix(1).map { $0 }
  }

  /// Returns a hint with the key most similar to the missing one. `advice` is added for a key that differs only in spelling.
  private func nearKeyHints(advice: (String) -> String?) -> [String] {
    guard case .key(let key) = fault.missing else { return [] }
    let names = locator.members(of: value.token).map(\.key)
    guard let (name, similarity) = mostSimilar(to: key, of: names) else { return [] }
    let conversion = conversion(of: name)
    if ScalarKey(name) == ScalarKey(key) {
      // Without a strategy, a key that is present is not missing.
      guard let conversion else { return [] }
      return [
        "\(name.shortened.quoted) is here, but the key strategy converts it to \(conversion)"
          + (conversion == Self.anotherKey ? "" : ", which the coding key has to be")
      ]
    }
    let reason =
      conversion.flatMap { $0 == Self.anotherKey ? nil : "the key strategy converts it to \($0)" }
      ?? (similarity == .spelling ? advice(name) : nil)
    return ["\(name.shortened.quoted) is similar" + (reason.map { "; \($0)" } ?? "")]
  }

  private func mostSimilar(to name: String, of names: [String]) -> (name: String, similarity: String.Similarity)? {
    names.compactMap { other in other.similarity(to: name).map { (other, $0) } }.min { $0.1 < $1.1 }
  }

  private static let anotherKey = "another key"

  /// Returns the key to which the decoder's strategy converts `name`, or ``anotherKey`` if it is not known; `nil` for the same key.
  private func conversion(of name: String) -> String? {
    if fault.strategies.contains("keyDecodingStrategy = .custom") { return Self.anotherKey }
    guard fault.strategies.contains("keyDecodingStrategy = .convertFromSnakeCase") else { return nil }
    let converted = KeyConversion.fromSnakeCase(name)
    return ScalarKey(converted) == ScalarKey(name) ? nil : converted.shortened.quoted
  }

  /// Returns a hint that the key exists one level further down.
  private func containerHint(_ key: String, _ members: [(key: String, value: Token)]) -> String? {
    let holders = members.filter { member in
      locator.members(of: member.value).contains { ScalarKey($0.key) == ScalarKey(key) }
    }
    guard let holder = holders.first, holders.count == 1 else { return nil }
    return "\(holder.key.shortened.quoted) contains \(key.shortened.quoted): the model may be nested in it"
  }

  private func outerHint(_ key: String) -> String? {
    var locator = locator
    guard !steps.isEmpty, let outer = locator.beginning(at: Array(steps.dropLast())),
      locator.members(of: outer.token).contains(where: {
        ScalarKey($0.key) == ScalarKey(key)
      })
    else { return nil }
    return "the enclosing object has \(key.shortened.quoted)"
  }

  /// A hint that a member of the enclosing object describes an error, as in `{"data": null, "errors": […]}`.
  private var errorBesideHint: String? {
    var locator = locator
    guard steps.count == 1, let outer = locator.beginning(at: []),
      let error = ErrorObject(locator.members(of: outer.token), in: locator),
      error.isExplicit
    else { return nil }
    return "the enclosing object contains \(error.key.shortened.quoted): the server may have returned an error"
  }

  private var valueHints: [String] {
    guard let kind = text.kind(value.token) else { return [] }
    if let date = dateHint(kind) { return [date] }
    switch (fault.kinds.first, kind) {
    case (.number, .string) where isNumberText: return ["the number is in a string"]
    case (.number, .string) where hasDecimalComma: return ["the number is in a string, with a decimal comma"]
    case (.number, .bool): return ["true and false are not numbers in JSON"]
    case (.bool, .string) where ["true", "false"].contains(string.lowercased()):
      return ["the Boolean is in a string"]
    case (.bool, .number) where ["0", "1"].contains(word): return ["0 and 1 are not Booleans in JSON"]
    case (.string, .number) where fault.choices.isEmpty || fault.choices.contains(word):
      return ["the number is not in a string"]
    case (.number, .number) where fault.code == .numberOutOfRange: return numberHints
    case (.array, .object): return arrayInObjectHints
    case (.object, .array): return objectInArrayHints
    case (.object, .string), (.array, .string):
      return ["{", "["].contains(string.prefix(1)) ? ["the string contains JSON: it was encoded twice"] : []
    default: return fault.choices.isEmpty ? [] : choiceHints
    }
  }

  private var string: String { text.string(value.token) }
  private var word: String { String(decoding: text.bytes[value.range], as: UTF8.self) }
  /// True if the string is a number with a decimal comma.
  private var hasDecimalComma: Bool {
    let parts = string.split(separator: ",", omittingEmptySubsequences: false)
    return value.range.count < 100 && parts.count == 2 && parts[1].first != "-" && parts[1].first != "+"
      && Double(parts.joined(separator: ".")).map(\.isFinite) == true
  }

  private var isNumberText: Bool { value.range.count < 100 && Double(string).map(\.isFinite) == true }

  private var numberHints: [String] {
    guard let expected = fault.expected, expected.contains("Int") else { return [] }
    if word.contains(".") || word.lowercased().contains("e") {
      return Double(word).map { $0 == $0.rounded() } == true ? [] : ["a fraction needs Double or Decimal"]
    }
    if word.hasPrefix("-"), expected.hasPrefix("U") { return ["\(expected) cannot represent negative numbers"] }
    guard ["Int64", "UInt64", "Int", "UInt"].contains(expected) else {
      return expected.hasSuffix("128") ? [] : ["a wider type may be able to represent it"]
    }
    if !expected.hasPrefix("U"), UInt64(word) != nil { return ["UInt64 can represent it"] }
    return word.utf8.count { $0 != .minus } <= 38
      ? ["Int128 and Decimal can represent integers of up to 38 digits"]
      : ["no integer type can represent so many digits"]
  }

  /// Returns true if a text begins with a date in ISO 8601 and, if it is longer, continues with a time.
  private func looksLikeDay(_ text: String) -> Bool {
    let beginning = text.utf8.prefix(11)
    return beginning.count >= 10
      && beginning.enumerated().allSatisfy { index, byte in
        switch index {
        case 4, 7: byte == .minus
        case 10: byte == UInt8(ascii: "T") || byte == .space
        default: byte.isDigit
        }
      }
  }

  private func dateHint(_ kind: JSON.Kind) -> String? {
    // `Date` decodes itself as a Double.
    guard fault.expected == "Date" || (fault.expected == "Double" && kind == .string) else { return nil }
    let isText = fault.kinds.contains(.string)
    switch kind {
    case .string where !isText:
      return looksLikeDay(string) ? "the string looks like a date in ISO 8601: dateDecodingStrategy = .iso8601" : nil
    case .number where fault.kinds == [.string]:
      let digits = word.prefix { $0.isASCII && $0.isNumber }.count
      return digits >= 12
        ? "the number may be milliseconds: dateDecodingStrategy = .millisecondsSince1970"
        : "the number may be seconds: dateDecodingStrategy = .secondsSince1970"
    case .string:
      let text = string
      if text.utf8.count == 10, looksLikeDay(text) {
        return "a date without a time is not a point in time: decode it as a JSON.Day"
      }
      if looksLikeDay(text), !text.contains("Z"), !text.dropFirst(10).contains("+"), !text.dropFirst(11).contains("-") {
        return "the time has no UTC offset, such as Z"
      }
      return nil
    default: return nil
    }
  }

  private var arrayInObjectHints: [String] {
    let arrays = locator.members(of: value.token).filter { text.kind($0.value) == .array }
    guard let array = arrays.first, arrays.count == 1 else { return [] }
    return ["\(array.key.shortened.quoted) is an array in this object: it may be the expected one"]
  }

  private var objectInArrayHints: [String] {
    guard let first = locator.firstChild(of: value.token), text.kind(first) == .object else { return [] }
    return ["the array contains objects" + (fault.code.isOfDecoding ? ": decode an array of the model" : "")]
  }

  private var choiceHints: [String] {
    switch text.kind(value.token) {
    case .string: return similarChoice(to: string).map { [$0] } ?? []
    case .object:
      let keys = locator.members(of: value.token, limit: 2).map(\.key)
      let similar = keys.count == 1 ? similarChoice(to: keys[0]) : nil
      return [similar ?? "an enumeration with values is an object with one key, the name of a case"]
    default: return []
    }
  }

  private func similarChoice(to string: String) -> String? {
    guard let (choice, similarity) = mostSimilar(to: string, of: fault.choices) else { return nil }
    guard similarity == .spelling else { return "\(choice.quoted) is similar" }
    let difference = string.difference(from: choice).flatMap { $0 == "case matters" ? nil : $0 }
    return "\(choice.quoted) is similar; \(difference ?? "case and separators matter")"
  }
}

public import AnvilJSON

extension JSON.Diagnosis {
  /// A problem with a text, with the details that help to fix it.
  public struct Problem: Hashable, Sendable {
    /// The kind of the problem.
    public let code: Code
    /// The path to the wrong value or, if something is missing, to the container that lacks it. It consists of the text's own keys.
    public let path: JSON.Path
    /// The location of the value at ``path``.
    public let location: Location
    /// The missing key, as the text would have to spell it.
    public let missingKey: String?
    /// The index of the missing element.
    public let missingIndex: Int?
    /// The expected value: a Swift type, `Date`, or a few words.
    public let expected: String?
    /// The kinds of value that would have been accepted; empty if they are not known.
    package let expectedKinds: [JSON.Kind]
    /// The value that was found; `nil` if the text ends before it or is broken there.
    public let found: Found?
    /// The model that has ``property``: `User.Address`.
    public let model: String?
    /// The property that could not be decoded, by its name in Swift: `zip`.
    public let property: String?
    /// The first twenty keys of the object that lacks a key, or that was found in place of another kind of value.
    public let keys: [String]
    /// The number of keys of the object whose first keys are ``keys``.
    public let keyCount: Int
    /// The accepted values if there are few, such as those of an enumeration.
    public let choices: [String]
    /// The decoder's strategies that affected the problem: `dateDecodingStrategy = .iso8601`.
    public let strategies: [String]
    /// Suggestions for a fix, most likely first. They contain keys of the text but no values.
    public let hints: [String]
    /// A short description of the problem where the code alone does not describe it.
    let detail: String?
    /// The reason why the value was rejected, in the words of the code that rejected it. It may quote values.
    public let reason: String?
    /// The other places that have the same problem.
    let elsewhere: String?
    /// The lines around the location.
    let snippet: Snippet?

    /// The path as a JSON Pointer (RFC 6901): `/3/address/zip`.
    public var pointer: JSON.Pointer { JSON.Pointer(path.steps) }
  }

  /// A value that was found in place of the expected one.
  public struct Found: Hashable, Sendable {
    /// The kind of the value.
    public let kind: JSON.Kind
    /// The beginning of the value's text, in one line of at most 80 characters with control characters escaped. It is data of the
    /// document.
    public let text: String
  }
}

extension JSON.Diagnosis.Problem: CustomReflectable {
  /// A mirror without values of the text, so that the output of `dump` is as safe as a log line.
  public var customMirror: Mirror {
    Mirror(self, children: ["code": code, "path": path, "location": location, "found": found?.kind as Any])
  }
}

extension JSON.Diagnosis.Found: CustomReflectable {
  /// A mirror without the value's text, so that `dump` does not show it.
  public var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}

extension JSON.Diagnosis.Problem {
  static let mostKeys = 20

  init(_ fault: Fault, in locator: inout ValueLocator) {
    let text = locator.text
    let located = fault.offset == nil ? locator.value(at: fault.steps) : nil
    // A broken text, or one without a value: the range is one byte, or empty at the end.
    let offset = fault.offset ?? text.start
    let range = located?.value.range ?? offset..<min(offset + 1, max(offset, text.bytes.count))
    let kind = located.flatMap { text.kind($0.value.token) }
    var members: (keys: [String], count: Int) = ([], 0)
    if let located, kind == .object { members = locator.keys(of: located.value.token, limit: Self.mostKeys) }
    let steps = located.map { Array(fault.steps.prefix($0.depth)) } ?? locator.steps(to: offset)
    code = fault.code
    path = JSON.Path(steps: steps)
    location = JSON.Diagnosis.Location(range, in: &locator.lines)
    (missingKey, missingIndex) = fault.missingParts
    expected = fault.expected
    expectedKinds = fault.kinds
    // If the error's path leads nowhere, the value at ``path`` is not the one that is wrong.
    found =
      fault.nonexistentStep != nil
      ? nil : kind.map { JSON.Diagnosis.Found(kind: $0, text: Snippet.excerpt(of: text.bytes[range])) }
    model = fault.model
    property = fault.property
    (keys, keyCount) = (members.keys.map(\.shortened), members.count)
    choices = fault.choices
    strategies = fault.strategies
    if let located {
      let nowhere = fault.nonexistentStep.map {
        "the path of the error continues with \(JSON.Path(steps: [$0]).description.shortened), which does not exist"
      }
      hints = nowhere.map { [$0] } ?? HintFinder(fault, at: located.value, steps: steps, in: locator).hints
      detail = fault.nonexistentStep != nil ? nil : fault.detail(of: located.value.token, in: text)
    } else {
      hints = SyntaxHints(fault, at: offset, in: locator).hints
      detail = fault.detail
    }
    reason = fault.reason
    elsewhere = fault.elsewhere
    snippet = fault.missing != nil || text.bytes.isEmpty ? nil : Snippet(of: range, in: &locator.lines, of: text)
  }
}

extension Fault {
  fileprivate var missingParts: (String?, Int?) {
    switch missing {
    case .key(let key): (key, nil)
    case .index(let index): (nil, index)
    case nil: (nil, nil)
    }
  }

  /// Types that are decoded from strings of a particular form.
  private static let typesWithForms: Set<String> = ["Date", "Data", "URL", "UUID", "Decimal", "Character"]

  /// Returns a description of the problem with a value of the right kind.
  fileprivate func detail(of token: Token, in text: SourceText) -> String? {
    if let detail { return detail }
    switch code {
    case .numberOutOfRange:
      let number = String(decoding: text.bytes[token.range], as: UTF8.self)
      let isWhole = !number.contains(".") && !number.lowercased().contains("e")
      return isWhole || expected?.contains("Int") != true
        ? "number outside its range" : "number with a fraction or exponent"
    case .unknownCase: return text.kind(token).map { "\($0) that is not one of its cases" }
    case .invalidValue where expected.map(Self.typesWithForms.contains) == true:
      return text.kind(token).map { "\($0) in another format" }
    case .invalidValue: return text.kind(token).map { "\($0) that the type rejects" }
    default: return nil
    }
  }
}

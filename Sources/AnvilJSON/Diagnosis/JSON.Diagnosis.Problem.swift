extension JSON.Diagnosis {
  /// One thing that is wrong with a text, and all that helps to mend it.
  public struct Problem: Hashable, Sendable {
    /// What kind of problem it is.
    public let code: Code
    /// The way to the value that is wrong or, where something is missing, to the container without it, in the text's own keys.
    public let path: JSON.Path
    /// Where that is.
    public let location: Location
    /// The key that is missing, as the text would have to spell it.
    public let missingKey: String?
    /// The index of the element that is missing.
    public let missingIndex: Int?
    /// What was wanted: a Swift type, `Date`, or a few words.
    public let expected: String?
    /// The kinds of value that would have done; none where that is not known.
    public let expectedKinds: [JSON.Kind]
    /// What stands there; `nil` for a text that ends before, or is broken there.
    public let found: Found?
    /// The model whose property is concerned: `User.Address`.
    public let model: String?
    /// That property's name in Swift: `zip`.
    public let property: String?
    /// The keys of the object in which one is missing, or that stands where another kind was wanted: the first twenty.
    public let keys: [String]
    /// How many keys that object has.
    public let keyCount: Int
    /// The values that would have done, where there are few: an enumeration's.
    public let choices: [String]
    /// The strategies in force that had a say in it: `dateDecodingStrategy = .iso8601`.
    public let strategies: [String]
    /// What may help, most likely first. Names keys of the text, no values.
    public let hints: [String]
    /// In a word or two what is wrong, where the code alone does not say it.
    let detail: String?
    /// Why the value was refused, in the words of who refused it: may quote values.
    public let reason: String?
    /// Where else the same is wrong.
    let elsewhere: String?
    /// The lines around.
    let snippet: Snippet?

    /// The place as RFC 6901 writes it: `/3/address/zip`.
    public var pointer: JSON.Pointer { JSON.Pointer(path.steps) }
  }

  /// A value that is not what was wanted.
  public struct Found: Hashable, Sendable {
    /// What it is.
    public let kind: JSON.Kind
    /// The beginning of its text, in one line of at most 80 characters, control characters escaped: a value of the document.
    public let text: String
  }
}

extension JSON.Diagnosis.Problem: CustomReflectable {
  /// A mirror without values of the text, so that `dump` shows no more than a log.
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

  init(_ fault: Fault, in finder: inout PlaceFinder) {
    let text = finder.text
    let value = fault.offset == nil ? finder.place(at: fault.steps) : nil
    // A text that is broken, or holds no value: one byte, or its end.
    let offset = fault.offset ?? text.start
    let range = value?.place.range ?? offset..<min(offset + 1, max(offset, text.bytes.count))
    let kind = value.flatMap { text.kind($0.place.token) }
    var members: (keys: [String], count: Int) = ([], 0)
    if let value, kind == .object { members = finder.keys(of: value.place.token, limit: Self.mostKeys) }
    let steps = value.map { Array(fault.steps.prefix($0.depth)) } ?? finder.steps(to: offset)
    code = fault.code
    path = JSON.Path(steps: steps)
    location = JSON.Diagnosis.Location(range, in: &finder.lines)
    (missingKey, missingIndex) = fault.missingParts
    expected = fault.expected
    expectedKinds = fault.kinds
    // Where the error's path leads nowhere, what stands at its beginning is not what is wrong.
    found =
      fault.leadsNowhere != nil
      ? nil : kind.map { JSON.Diagnosis.Found(kind: $0, text: Snippet.excerpt(of: text.bytes[range])) }
    model = fault.model
    property = fault.property
    (keys, keyCount) = (members.keys.map(\.shortened), members.count)
    choices = fault.choices
    strategies = fault.strategies
    if let value {
      let nowhere = fault.leadsNowhere.map {
        "the error names \(JSON.Path(steps: [$0]).description.shortened) in it, which is not there"
      }
      hints = nowhere.map { [$0] } ?? HintFinder(fault, at: value.place, steps: steps, in: finder).hints
      detail = fault.leadsNowhere != nil ? nil : fault.detail(of: value.place.token, in: text)
    } else {
      hints = SyntaxHints(fault, at: offset, in: finder).hints
      detail = fault.detail
    }
    reason = fault.reason
    elsewhere = fault.elsewhere
    snippet = fault.missing != nil || text.bytes.isEmpty ? nil : Snippet(of: range, in: &finder.lines, of: text)
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

  /// Types that are made from strings of a form of their own.
  private static let typesWithForms: Set<String> = ["Date", "Data", "URL", "UUID", "Decimal", "Character"]

  /// What is wrong with a value of the right kind.
  fileprivate func detail(of token: Token, in text: SourceText) -> String? {
    if let detail { return detail }
    switch code {
    case .numberOutOfRange:
      let number = String(decoding: text.bytes[token.range], as: UTF8.self)
      let isWhole = !number.contains(".") && !number.lowercased().contains("e")
      return isWhole || expected?.contains("Int") != true
        ? "number outside its range" : "number with a fraction or exponent"
    case .unknownCase: return text.kind(token).map { "\($0) that is no case of it" }
    case .invalidValue where expected.map(Self.typesWithForms.contains) == true:
      return text.kind(token).map { "\($0) in another form" }
    case .invalidValue: return text.kind(token).map { "\($0) that it refuses" }
    default: return nil
    }
  }
}

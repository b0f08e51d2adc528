public import AnvilBase
public import AnvilJSON

extension JSON {
  /// The problems found when a model was decoded from a JSON text, each with its location.
  ///
  ///     do {
  ///       users = try decoder.decode([User].self, from: data)
  ///     } catch {
  ///       print(JSON.Diagnosis(error, in: data))
  ///     }
  ///
  /// ``description`` is the full report in several lines, without values of the text. ``line`` is for logs, ``json(_:)`` for
  /// programs, and ``rendered(_:)`` for a terminal, optionally with values and colours.
  ///
  /// A diagnosis is also an error: methods that search for all problems of a text throw it.
  public struct Diagnosis: Error, Hashable, Sendable {
    /// The problems, in the order of their locations in the text. The array is never empty.
    public let problems: [Problem]
    /// The extent to which the text was searched for problems.
    public let extent: Extent
    /// The name of the type that was decoded: `[User]`; `nil` if it is not known.
    public let subject: String?
    /// The name of the text in messages that refer to its lines: `body`, or a file's name.
    public let source: String

    /// Creates a diagnosis of `problems`, which must not be empty and must be in the order of their locations.
    package init(_ problems: [Problem], extent: Extent, subject: String?, source: String) {
      self.problems = problems
      self.extent = extent
      self.subject = subject
      self.source = source
    }

    /// Creates a diagnosis of `faults`, which were found in `text`.
    package init(
      _ faults: [Fault], in text: SourceText, extent: Extent = .everything, subject: String? = nil,
      source: String = "text"
    ) {
      var locator = ValueLocator(faults.compactMap(\.offset).min().map(text.broken) ?? text)
      var substitutes = SubstituteFinder(locator: locator, subject: subject)
      let problems = substitutes.joined(faults).map { Problem($0, in: &locator) }
      let sorted = problems.sorted(on: \.location.offset)
      self.init(sorted, extent: extent, subject: subject, source: source)
    }
  }
}

extension JSON.Diagnosis: CustomReflectable {
  /// A mirror without children, so that `dump` prints only the description, which contains no values of the text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension JSON.Diagnosis: LocalizedError {
  /// The one-line form for logs.
  public var errorDescription: String? { line }
}

extension JSON.Diagnosis {
  /// The extent to which a text was searched for problems.
  public enum Extent: Hashable, Sendable {
    /// Every problem that can be found was found.
    case everything
    /// The search ended where decoding stopped. After the first problem of an object is fixed, others may appear.
    case first
    /// The search was ended by a limit, or by a model's code that stops early. There may be more problems.
    case limited
  }

  /// The extent of a search for problems.
  public enum Search: Hashable, Sendable {
    /// Searches for every problem. After each one, decoding continues with a placeholder, which models' initialisers can see.
    case exhaustive
    /// Searches for the problems at which decoding stops: one in each element of an array and each value of a dictionary. Models'
    /// initialisers are called once more and see only values of the document.
    case asDecoded
  }

  /// A Boolean value that indicates whether every problem that can be found is included.
  package var isComplete: Bool { extent == .everything }

  /// Creates the diagnosis of `error`, which was thrown when `data` was decoded.
  ///
  /// - Parameters:
  ///   - error: a `DecodingError` of any JSON decoder, a `JSONDecodingError`, a `JSON.ReadingError`, or a `JSON.SyntaxError`. For any other
  ///     error, the location is the whole text.
  ///   - data: the whole text.
  ///   - decoder: the `JSON.Decoder` that decoded the text, if it was one. It supplies the syntax of the text and the strategies.
  ///   - source: the name of the text in messages that refer to its lines.
  /// - Complexity: O(*n*), *n* the number of bytes.
  public init(_ error: any Error, in data: Data, decoder: JSON.Decoder? = nil, source: String = "text") {
    if let diagnosis = error as? JSON.Diagnosis {
      self = diagnosis
      return
    }
    let bytes = Array(data)
    let options = decoder?.options
    let parsing = options?.parsing ?? JSON.ParsingOptions()
    var text = SourceText(bytes, root: parsing.root)
    var error = error
    let isRefusedAsText = (error as? DecodingError)?.isFoundationSyntaxError ?? false
    if let broken = Self.syntaxError(in: bytes, parsing, isStrict: options != nil || isRefusedAsText) {
      text = text.broken(at: text.offset(ofOriginal: broken.offset))
      // Foundation's decoder does not report where a text is broken.
      if (error as? DecodingError)?.concernsWholeText == true { error = broken }
    }
    self.init([Fault(error, in: text, options: options)], in: text, extent: .first, source: source)
  }

  /// Returns the same diagnosis with `subject` as the name of the decoded type.
  package func of(_ subject: String) -> JSON.Diagnosis {
    JSON.Diagnosis(problems, extent: extent, subject: subject, source: source)
  }

  /// Returns the syntax error of the text; `nil` if the text is JSON. JSON5 is accepted too, unless the decoder is known to reject it.
  private static func syntaxError(
    in bytes: [UInt8], _ options: JSON.ParsingOptions, isStrict: Bool
  ) -> JSON.SyntaxError? {
    do throws(JSON.SyntaxError) {
      _ = try JSON(parsing: bytes, options: options)
      return nil
    } catch {
      var lenient = options
      lenient.syntax = .json5
      return !isStrict && (try? JSON(parsing: bytes, options: lenient)) != nil ? nil : error
    }
  }

  /// The kind of a problem, as a word for code, logs and alerts: `decode.type-mismatch`. New codes may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The text of the code: an area, a dot, and words joined by hyphens.
    public let rawValue: String

    /// Creates a code with the text `rawValue`.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The text is not JSON.
    ///
    /// What to do: look at the location; often the body is HTML or was truncated.
    public static let syntax = Code(rawValue: "decode.syntax")
    /// A required key is missing.
    ///
    /// What to do: make the property optional, give it a default, or correct the key; the hint lists similar keys.
    public static let missingKey = Code(rawValue: "decode.missing-key")
    /// An array has fewer elements than are read from it.
    ///
    /// What to do: check the length before, or make the element optional.
    public static let missingElement = Code(rawValue: "decode.missing-element")
    /// `null` in place of a required value.
    ///
    /// What to do: make the property optional.
    public static let unexpectedNull = Code(rawValue: "decode.unexpected-null")
    /// A value of another kind than the type is decoded from.
    ///
    /// What to do: change the type of the property; `NumberOrString` accepts both.
    public static let typeMismatch = Code(rawValue: "decode.type-mismatch")
    /// A number that its type cannot hold: too large, negative, or with a fraction.
    ///
    /// What to do: use a larger type, or `Double` or `Decimal` for fractions.
    public static let numberOutOfRange = Code(rawValue: "decode.number-out-of-range")
    /// A value that matches no case of an enumeration.
    ///
    /// What to do: add the case, or use `OpenEnum` for values to come.
    public static let unknownCase = Code(rawValue: "decode.unknown-case")
    /// A value of the right kind that is invalid: a malformed date, URL or Base64, or a value that the model's own code
    /// rejects.
    ///
    /// What to do: set the strategy of the decoder; `reason` has the explanation.
    public static let invalidValue = Code(rawValue: "decode.invalid-value")

    /// An object without the model's keys, with a member that contains them.
    ///
    /// What to do: decode the member, with a path or a ``DecodableContainer``.
    public static let wrappedModel = Code(rawValue: "decode.wrapped-model")
    /// An object without the model's keys that describes an error.
    ///
    /// What to do: check for the error with a `successValidator`: the API answers errors with a status 2xx.
    public static let errorObject = Code(rawValue: "decode.error-object")

    /// The text of the code.
    public var description: String { rawValue }

    /// True for the problems that decoders find. Other sources supply their own description.
    var isOfDecoding: Bool { rawValue.hasPrefix("decode.") }
  }

  /// A location in a text.
  public struct Location: Hashable, Sendable {
    /// The range of bytes in the text, counted from 0. For a missing key or element, the range of the container that lacks it.
    public let range: Range<Int>
    /// The line in which the range begins, counted from 1. Lines end with LF, CR LF or CR.
    public let line: Int
    /// The column in which the range begins, in Unicode scalars, counted from 1.
    public let column: Int

    /// The number of bytes before the range.
    package var offset: Int { range.lowerBound }

    init(_ range: Range<Int>, in lines: inout LineFinder) {
      self.range = lines.original(range)
      (line, column) = lines.position(of: range.lowerBound)
    }
  }
}

extension JSON.Diagnosis.Location: CustomStringConvertible {
  /// Line and column: `118:12`.
  public var description: String { "\(line):\(column)" }
}

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
    package let missingIndex: Int?
    /// The expected value: a Swift type, `Date`, or a few words.
    public let expected: String?
    /// The kinds of value that would have been accepted; empty if they are not known.
    let expectedKinds: [JSON.Kind]
    /// The value that was found; `nil` if the text ends before it or is broken there.
    public let found: Found?
    /// The model that has ``property``: `User.Address`.
    public let model: String?
    /// The property that could not be decoded, by its name in Swift: `zip`.
    public let property: String?
    /// The first twenty keys of the object that lacks a key, or that was found in place of another kind of value.
    public let keys: [String]
    /// The number of keys of the object whose first keys are ``keys``.
    package let keyCount: Int
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
    let snippet: Snippet?
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
      hints =
        nowhere.map { [$0] } ?? HintFinder(fault: fault, value: located.value, steps: steps, locator: locator).hints
      detail = fault.nonexistentStep != nil ? nil : fault.detail(of: located.value.token, in: text)
    } else {
      hints = SyntaxHints(fault: fault, offset: offset, locator: locator).hints
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

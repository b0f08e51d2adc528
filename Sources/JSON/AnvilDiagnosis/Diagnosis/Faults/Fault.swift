internal import AnvilBase
package import AnvilJSON

/// A problem with a value or a text, with all known details. A ``JSON/Diagnosis`` is created from faults.
///
/// A fault identifies its value by a path and has no line numbers. ``JSON/Diagnosis/Problem`` is the fault after it was
/// located in the text: with its line, the excerpt, the value that was found, and hints. Users see problems only.
package struct Fault: Sendable {
  package var code: JSON.Diagnosis.Code
  /// The path from the root to the wrong value, or to the container that lacks something. It uses the text's own keys, before
  /// any strategy has converted them.
  package var steps: [JSON.Step]
  /// The missing key, as the text would have to spell it, or the missing index, in the container at the end of ``steps``.
  package var missing: JSON.Step?
  /// The expected value: the name of a Swift type from ``TypeName``, `Date`, or a few words, `a number of at least 3`.
  package var expected: String?
  /// The kinds of JSON value that would have been accepted; empty if they are not known.
  package var kinds: [JSON.Kind] = []
  /// The model that has ``property``, as named by ``TypeName``: `User.Address`.
  package var model: String?
  /// The property of ``model``, by its name in Swift: `createdAt` for the key `created_at`.
  package var property: String?
  /// The reason why a value was rejected, in the words of the code that rejected it. It may quote the value, and is therefore
  /// shown only where values are.
  package var reason: String?
  /// The decoder's strategies that affected the fault: `dateDecodingStrategy = .iso8601`.
  package var strategies: [String] = []
  /// The accepted values if there are few, as text without quotation marks, such as an enumeration's raw values.
  package var choices: [String] = []
  /// A short description of the value that was found, without the value itself, if its kind does not suffice: `number with a fraction`.
  package var detail: String?
  /// The other values that have the same fault, in words: `$[4].id, $[9].id and 3 more`.
  package var elsewhere: String?
  /// The step of the error's path that follows ``steps`` but does not exist in the text. If it is set, the text does not contain the wrong
  /// value.
  var nonexistentStep: JSON.Step?
  /// True if a strategy of the property rejected the value, to which the decoder's strategies do not apply.
  private var isOfStrategy = false
  /// The keys that the model reads, including ``missing``, as the text would have to spell them; empty if they are not known.
  package var modelKeys: [String] = []
  /// The description of the object that was found in place of the model, if that object lacks all of ``modelKeys``.
  var substitute: Substitute?
  /// The offset at which the text itself is broken. If it is set, ``steps`` are derived from it.
  package var offset: Int?

  /// Creates a fault of kind `code`. `steps` is the path to the wrong value, or to the container that lacks something.
  @inline(never)
  package init(_ code: JSON.Diagnosis.Code, at steps: [JSON.Step], missing: JSON.Step? = nil, expected: String? = nil) {
    self.code = code
    self.steps = steps
    self.missing = missing
    self.expected = expected
  }
}

extension Fault {
  /// Creates the fault that `error` describes in `text`.
  ///
  /// - Parameter options: the decoder's options; `nil` if another decoder was used.
  init(_ error: any Error, in text: SourceText, options: JSON.Decoder.Options?) {
    switch error {
    case let error as JSON.SyntaxError: self.init(error, in: text)
    case let error as DecodingError: self.init(error, after: [], in: text, options: options)
    case let error as any JSONDecodingError: self.init(mapping: error, in: text, options: options)
    case let error as JSON.ReadingError:
      // It has the keys of the text, and no decoder's strategy applies to it.
      self.init(error, in: text)
      return
    default:
      self.init(.invalidValue, at: [])
      reason = "\(error)"
      detail = "cannot be decoded: \(TypeName.of(type(of: error)))"
    }
    if let options { note(options) }
  }

  init(_ error: JSON.SyntaxError, in text: SourceText) {
    self.init(.syntax, at: [])
    offset = text.offset(ofOriginal: error.offset)
    detail = "\(error.code)"
  }

  init(_ error: JSON.ReadingError, in text: SourceText) {
    let steps = error.path.steps
    switch error.code {
    case .syntax(let code):
      self.init(.syntax, at: [])
      offset = text.offset(ofOriginal: error.offset)
      detail = "\(code)"
    case .typeMismatch(let expected, let found): self.init(expected: expected, found: found, at: steps)
    case .missingKey(let key): self.init(.missingKey, at: steps, missing: .key(key))
    case .unrepresentableNumber(let type):
      self.init(.numberOutOfRange, at: steps, expected: type)
      kinds = [.number]
    case .dataCorrupted(let problem):
      self.init(.invalidValue, at: steps)
      let form = error.expectedForm
      if let cases = form?.cases {
        (code, choices, expected) = (.unknownCase, cases, form?.name)
      } else {
        reason = problem
        var locator = ValueLocator(text)
        if let name = form?.name { setForm(name, of: locator.beginning(at: steps).flatMap { text.kind($0.token) }) }
      }
    }
  }

  /// Creates the fault that a value of the kind `found` is not the type or kind `expected`.
  private init(expected name: String, found: JSON.Kind, kinds: [JSON.Kind]? = nil, at steps: [JSON.Step]) {
    self.init(found == .null ? .unexpectedNull : .typeMismatch, at: steps, expected: name)
    let named = ["Date", "Data"].contains(name) ? [.string] : JSON.Kind.kinds(ofTypeNamed: name)
    self.kinds = kinds ?? named
    if name == "object" || name == "array" { expected = "an \(name)" }
    // The value is of the right kind but was rejected.
    if self.kinds == [found], name != found.rawValue { code = found == .number ? .numberOutOfRange : .invalidValue }
  }

  /// Sets the form that a value of the right kind should have.
  mutating func setForm(_ form: String, of kind: JSON.Kind?) {
    expected = form
    kinds = kind.map { [$0] } ?? []
    detail = kind.map { "\($0) in another format" }
  }

  /// Creates the fault that `error` describes, for the value at the end of `steps`.
  init(_ error: DecodingError, after steps: [JSON.Step], in text: SourceText, options: JSON.Decoder.Options?) {
    let context = error.context
    if let broken = context.underlyingError as? JSON.SyntaxError {
      self.init(broken, in: text)
      return
    }
    var locator = ValueLocator(text)
    let path = locator.steps(for: context.codingPath, after: steps, options?.keys)
    self.init(.invalidValue, at: path.steps)
    reason = context.debugDescription
    defer {
      if missing == nil, path.unresolved != nil { nonexistentStep = path.unresolved }
    }
    switch error {
    case .keyNotFound(let key, _):
      code = .missingKey
      missing = .key(key.stringValue)
      modelKeys = EnumMetadata.keys(besides: key)
      model = TypeName.model(ofKey: key)
      property = model == nil ? nil : key.propertyName
      reason = nil
    case .valueNotFound(let type, _):
      set(type)
      if case .some(.index(let index)) = path.unresolved {
        (code, missing) = (.missingElement, .index(index))
      } else {
        code = .unexpectedNull
      }
      reason = nil
    case .typeMismatch(let type, _):
      code = .typeMismatch
      set(type)
      if context.debugDescription.hasPrefix("Expected \(type) key ") { setKey(TypeName.of(type)) }
      // The other descriptions by Foundation and by Anvil add nothing to the kinds.
      reason = nil
    default: refine(context, locator: &locator)
    }
    setCases(of: error)
    if let key = context.codingPath.last, property == nil, code != .missingElement,
      let model = TypeName.model(ofKey: key)
    {
      (self.model, property) = (model, key.propertyName)
    }
  }

  /// Sets the type of the keys of a dictionary, which the key of the value cannot be converted to. The value itself may be right.
  private mutating func setKey(_ type: String) {
    (expected, kinds, detail) = ("a key of type \(type)", [], "another key")
  }

  /// Sets the expected type and kinds from the type in a decoder's error.
  mutating func set(_ type: Any.Type) {
    kinds = JSON.Kind.kinds(of: type)
    expected = TypeName.of(type)
    // Containers request these types. They are not types of the caller.
    if type == [String: Any].self { expected = "an object" }
    if type == [Any].self { expected = "an array" }
    if type == Never.self { expected = nil }
  }

  /// Sets the cases of an enumeration if `error` is about a value that is not one of them.
  mutating func setCases(of error: DecodingError) {
    guard let cases = error.unknownCases else { return }
    code = .unknownCase
    choices = cases
    kinds = []
    if case .typeMismatch = error { detail = "object without exactly one key that is the name of a case" }
  }

  /// Derives the code and the expected type from the description of a `dataCorrupted` error, which has no other details. Unknown
  /// descriptions change nothing.
  private mutating func refine(_ context: DecodingError.Context, locator: inout ValueLocator) {
    let words = context.debugDescription
    let kind = locator.beginning(at: steps).flatMap { locator.text.kind($0.token) }
    if let form = context.expectedForm {
      setForm(form, of: kind)
      isOfStrategy = true
    } else if kind == .number, words.contains("does not fit") || words.contains("not representable") {
      code = .numberOutOfRange
      // In a model's own description, a value may be in that position.
      expected = words.word(after: "does not fit ").flatMap {
        JSON.Kind.kinds(ofTypeNamed: $0) == [.number] ? $0 : nil
      }
      kinds = [.number]
    } else if words.hasPrefix("Cannot initialize "), words.contains(" from invalid "), words.contains(" value ") {
      code = .unknownCase
      expected = words.word(after: "Cannot initialize ")
    } else if let type = words.word(after: "Could not convert key to type ") {
      setKey(type)
    } else if let form = Self.forms.first(where: { words.contains($0.words) }) {
      expected = form.type
      strategies = form.strategy.map { [$0] } ?? []
      kinds = [.string]
    }
  }

  /// The types that are decoded from strings of certain forms, by words of the descriptions of the decoders' errors.
  private static let forms: [(words: String, type: String, strategy: String?)] = [
    ("a date in ISO 8601", "Date", "dateDecodingStrategy = .iso8601"),
    ("ISO8601-formatted", "Date", "dateDecodingStrategy = .iso8601"),
    ("a date and time in the format of RFC 3339", "Date", nil), ("Base64", "Data", "dataDecodingStrategy = .base64"),
    ("Expected a URL.", "URL", nil), ("Invalid URL", "URL", nil),
  ]

  init(mapping error: any JSONDecodingError, in text: SourceText, options: JSON.Decoder.Options?) {
    let steps = (error.rootObject?.path.steps ?? []) + error.path.steps
    switch error {
    case let error as MissingKeyError:
      let step = error.key.steps.first
      if case .some(.index) = step {
        self.init(.missingElement, at: steps, missing: step)
      } else {
        self.init(.missingKey, at: steps, missing: step)
      }
    case let error as TypeMismatchError:
      self.init(expected: error.expected, found: error.found, kinds: error.enumeration?.rawKinds, at: steps)
      choices = error.enumeration?.choices ?? []
    case let error as RawRepresentableInitializationError:
      self.init(.unknownCase, at: steps, expected: error.type)
      choices = error.choices
    case let error as NoMatchingTypeError:
      self.init(.typeMismatch, at: steps)
      expected = "one of " + error.attempts.map(\.type).joined(separator: ", ")
      reason = error.attempts.map { "not \($0.type): \($0.error)" }.joined(separator: "; ")
    case let error as WrappedDecodingError:
      guard let underlying = error.underlyingError as? DecodingError else {
        self.init(.invalidValue, at: steps)
        reason = "\(error.underlyingError)"
        detail = "refused: \(TypeName.of(type(of: error.underlyingError)))"
        return
      }
      // The path of the wrapping error contains that of the wrapped one where it can be resolved.
      self.init(underlying.withoutPath, after: steps, in: text, options: options)
    default:
      self.init(.invalidValue, at: steps)
      reason = error.description
      detail = "refused: \(TypeName.of(type(of: error)))"
    }
  }

  /// Adds the strategies that affected the problem.
  private mutating func note(_ options: JSON.Decoder.Options) {
    if case .key(let key) = missing, let name = options.keys.name {
      strategies.append("keyDecodingStrategy = \(name)")
      missing = .key(options.keys.spelling(of: key))
      modelKeys = modelKeys.map(options.keys.spelling)
    }
    guard !isOfStrategy else { return }
    if expected == "Date", strategies.isEmpty, let name = options.dates.name {
      strategies = ["dateDecodingStrategy = \(name)"]
    }
    if expected == "Data", strategies.isEmpty { strategies = ["dataDecodingStrategy = \(options.data.name)"] }
  }
}

extension DecodingError.Context {
  /// The form that a value should have, if a strategy of Anvil rejected it.
  var expectedForm: String? { (underlyingError as? any ExpectedFormError)?.expectedForm }
}

extension DecodingError {
  /// True if the error may be about a text that is not JSON at all.
  var concernsWholeText: Bool {
    if case .dataCorrupted(let context) = self { context.codingPath.isEmpty } else { false }
  }

  /// True if the error has the description that Foundation's decoder uses for a text that it cannot parse. Foundation uses the
  /// same description for a number that its type cannot hold; an underlying error, if there is one, distinguishes the two.
  var isFoundationSyntaxError: Bool {
    guard concernsWholeText, context.debugDescription == "The given data was not valid JSON." else { return false }
    return context.underlyingError.map { !"\($0)".contains("representable") } ?? true
  }

  /// The same error without a coding path, as if it had been thrown at the root.
  fileprivate var withoutPath: DecodingError {
    with(
      Context(codingPath: [], debugDescription: context.debugDescription, underlyingError: context.underlyingError))
  }

  /// The cases of an enumeration if the error is about a value that is not one of them; `nil` for other errors. The list is empty for an
  /// error of the standard library's own coding, which does not name the cases.
  var unknownCases: [String]? {
    UnknownCase.cases(of: self) ?? (context.debugDescription.hasPrefix("Invalid number of keys found") ? [] : nil)
  }
}

extension CodingKey {
  /// The property that this key of a model represents.
  var propertyName: String { EnumMetadata.caseName(of: self) ?? stringValue }
}

extension String {
  /// Returns the word after the first occurrence of `prefix`, without a full stop at its end; `nil` if the text does not contain `prefix`.
  fileprivate func word(after prefix: String) -> String? {
    guard let range = firstRange(of: prefix) else { return nil }
    let word = self[range.upperBound...].prefix { $0 != " " }
    return word.last == "." ? String(word.dropLast()) : String(word)
  }
}

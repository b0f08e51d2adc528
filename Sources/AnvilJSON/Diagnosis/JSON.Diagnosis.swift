#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// What is wrong with a JSON text for those who wanted a model from it: the problems that are known, each with its place.
  ///
  ///     do {
  ///       users = try decoder.decode([User].self, from: data)
  ///     } catch {
  ///       print(JSON.Diagnosis(error, in: data))
  ///     }
  ///
  /// ``description`` is the full form, many lines without a value of the text; ``line`` the form for logs; ``json`` the form for
  /// programs; ``rendered(_:)`` the full form for a terminal, with values and colours where they are wanted.
  ///
  /// An error itself, thrown where all problems of a text are looked for.
  public struct Diagnosis: Error, Hashable, Sendable {
    /// The problems, in the order in which their places stand in the text; never none.
    public let problems: [Problem]
    /// Whether these are all problems that could be found; false where a limit ended the search.
    public let isComplete: Bool
    /// The name of what was to be made of the text: `[User]`; `nil` where that is not known.
    public let subject: String?
    /// What the text is called where its lines are named: `body`, or a file's name.
    public let source: String

    /// The diagnosis of `problems`, one at least, in the order in which they are to be told.
    package init(_ problems: [Problem], isComplete: Bool, subject: String?, source: String) {
      self.problems = problems
      self.isComplete = isComplete
      self.subject = subject
      self.source = source
    }

    /// The diagnosis of `faults`, which were found in `text`.
    package init(
      _ faults: [Fault], in text: SourceText, isComplete: Bool = true, subject: String? = nil, source: String = "text"
    ) {
      var finder = PlaceFinder(text)
      let problems = faults.map { Problem($0, in: &finder) }
      // Those of one place stay in their order.
      let sorted = problems.enumerated().sorted {
        ($0.element.location.offset, $0.offset) < ($1.element.location.offset, $1.offset)
      }
      self.init(sorted.map(\.element), isComplete: isComplete, subject: subject, source: source)
    }
  }
}

extension JSON.Diagnosis {
  /// The diagnosis of `error`, which decoding `data` ended with.
  ///
  /// - Parameters:
  ///   - error: a `DecodingError` of any JSON decoder, a ``JSONDecodingError``, a ``JSON/SyntaxError``; of
  ///     ``JSONDecodingErrors`` each is a problem. For any other error the place is the whole text.
  ///   - data: the text, whole.
  ///   - decoder: what decoded, where it was a ``JSON/Decoder``: says the language of the text and the strategies in force.
  ///   - source: what the text is called where its lines are named.
  /// - Complexity: O(*n*), *n* the number of bytes.
  public init(_ error: any Error, in data: Data, decoder: JSON.Decoder? = nil, source: String = "text") {
    self.init(
      error, in: Array(data), options: decoder?.options ?? JSON.Decoder.Options(), isKnown: decoder != nil,
      source: source)
  }

  init(_ error: any Error, in bytes: [UInt8], options: JSON.Decoder.Options, isKnown: Bool, source: String) {
    if let diagnosis = error as? JSON.Diagnosis {
      self = diagnosis
      return
    }
    let text = SourceText(bytes, root: options.parsing.root)
    let errors: [any Error] = (error as? any JSONDecodingError)?.all ?? [error]
    self.init(
      errors.map { Fault($0, in: text, options: isKnown ? options : nil) }, in: text,
      isComplete: errors.count < JSONDecodingErrors.limit, source: source)
  }
}

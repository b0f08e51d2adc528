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
    /// How far was looked for problems.
    public let extent: Extent
    /// The name of what was to be made of the text: `[User]`; `nil` where that is not known.
    public let subject: String?
    /// What the text is called where its lines are named: `body`, or a file's name.
    public let source: String

    /// The diagnosis of `problems`, one at least, in the order in which they are to be told.
    package init(_ problems: [Problem], extent: Extent, subject: String?, source: String) {
      self.problems = problems
      self.extent = extent
      self.subject = subject
      self.source = source
    }

    /// The diagnosis of `faults`, which were found in `text`.
    package init(
      _ faults: [Fault], in text: SourceText, extent: Extent = .everything, subject: String? = nil,
      source: String = "text"
    ) {
      var finder = PlaceFinder(faults.compactMap(\.offset).min().map(text.broken) ?? text)
      var substitutes = SubstituteFinder(finder, subject: subject)
      let problems = substitutes.joined(faults).map { Problem($0, in: &finder) }
      // Those of one place stay in their order.
      let sorted = problems.enumerated().sorted {
        ($0.element.location.offset, $0.offset) < ($1.element.location.offset, $1.offset)
      }
      self.init(sorted.map(\.element), extent: extent, subject: subject, source: source)
    }
  }
}

extension JSON.Diagnosis: CustomReflectable {
  /// A mirror without children, so that `dump` shows the description, which has no value of the text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension JSON.Diagnosis: LocalizedError {
  /// The form for logs.
  public var errorDescription: String? { line }
}

extension JSON.Diagnosis {
  /// How far was looked for problems.
  public enum Extent: Hashable, Sendable {
    /// All that could be found was.
    case everything
    /// Where decoding stops: behind the first problem of an object others may come up once it is mended.
    case first
    /// A limit, or code of a model that looks no further, ended the search: there may be more.
    case limited
  }

  /// How far to look for problems.
  public enum Search: Hashable, Sendable {
    /// For all: behind each problem decoding goes on with a placeholder, and models' initialisers see those.
    case exhaustive
    /// For those at which decoding stops, one in each element of an array and each value of a dictionary. Models'
    /// initialisers are called once more and see nothing but the document.
    case asDecoded
  }

  /// Whether these are all problems that could be found.
  public var isComplete: Bool { extent == .everything }
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
    var text = SourceText(bytes, root: options.parsing.root)
    var errors: [any Error] = (error as? any JSONDecodingError)?.all ?? [error]
    let isRefusedAsText = (error as? DecodingError)?.isFoundationsOfBrokenText ?? false
    if let broken = Self.syntaxError(in: bytes, options.parsing, isStrict: isKnown || isRefusedAsText) {
      text = text.broken(at: text.offset(ofOriginal: broken.offset))
      // Foundation's decoder does not say where a text is broken.
      if (error as? DecodingError)?.isOfWholeText == true { errors = [broken] }
    }
    let isCut = errors.count >= JSONDecodingErrors.limit
    self.init(
      errors.map { Fault($0, in: text, options: isKnown ? options : nil) }, in: text,
      extent: isCut ? .limited : errors.count > 1 ? .everything : .first, source: source)
  }

  /// The same diagnosis of what was to become `subject`.
  package func of(_ subject: String) -> JSON.Diagnosis {
    JSON.Diagnosis(problems, extent: extent, subject: subject, source: source)
  }

  /// Where the text is no JSON, if anywhere; unless the decoder is known to be strict, no JSON5 either.
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
}

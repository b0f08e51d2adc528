public import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// The problems found when a model was decoded from a JSON text, each with its location.
  ///
  ///     do {
  ///       users = try decoder.decode([User].self, from: data)
  ///     } catch {
  ///       print(JSON.Diagnosis(error, in: data))
  ///     }
  ///
  /// ``description`` is the full report in several lines, without values of the text. ``line`` is for logs, ``json`` for
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
      var substitutes = SubstituteFinder(locator, subject: subject)
      let problems = substitutes.joined(faults).map { Problem($0, in: &locator) }
      // Problems at the same location keep their order.
      let sorted = problems.enumerated().sorted {
        ($0.element.location.offset, $0.offset) < ($1.element.location.offset, $1.offset)
      }
      self.init(sorted.map(\.element), extent: extent, subject: subject, source: source)
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
  public var isComplete: Bool { extent == .everything }
}

extension JSON.Diagnosis {
  /// Creates the diagnosis of `error`, which was thrown when `data` was decoded.
  ///
  /// - Parameters:
  ///   - error: a `DecodingError` of any JSON decoder, a `JSONDecodingError`, or a `JSON.SyntaxError`. For any other error,
  ///     the location is the whole text.
  ///   - data: the whole text.
  ///   - decoder: the `JSON.Decoder` that decoded the text, if it was one. It supplies the syntax of the text and the strategies.
  ///   - source: the name of the text in messages that refer to its lines.
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
    var error = error
    let isRefusedAsText = (error as? DecodingError)?.isFoundationSyntaxError ?? false
    if let broken = Self.syntaxError(in: bytes, options.parsing, isStrict: isKnown || isRefusedAsText) {
      text = text.broken(at: text.offset(ofOriginal: broken.offset))
      // Foundation's decoder does not report where a text is broken.
      if (error as? DecodingError)?.concernsWholeText == true { error = broken }
    }
    self.init(
      [Fault(error, in: text, options: isKnown ? options : nil)], in: text, extent: .first, source: source)
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
}

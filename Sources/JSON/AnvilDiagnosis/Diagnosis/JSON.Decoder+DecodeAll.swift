public import AnvilBase
public import AnvilJSON

extension JSON.Decoder {
  /// Decodes one value of type `type` from all of `data`, or throws an error with every problem found: each missing key, null and
  /// mismatch in the text, not only the first.
  ///
  ///     do {
  ///       users = try decoder.decodeAll([User].self, from: data)
  ///     } catch {
  ///       print(error)    // 2 problems decoding [User] …
  ///     }
  ///
  /// Decoding a valid text takes no longer than with `decode(_:from:)`. For an invalid one, decoding continues with a
  /// placeholder (`""`, 0, nothing) for each wrong value, and the models' initialisers are called several times. An error that
  /// a model tolerates, by `try?` or otherwise, is not a problem. Errors that a placeholder may have caused are left out.
  ///
  /// A model that traps when it decodes such a value also traps on a placeholder. For such models, use
  /// ``diagnosis(of:decoding:from:search:problemLimit:source:)`` with ``JSON/Diagnosis/Search/asDecoded``.
  ///
  /// - Parameters:
  ///   - problemLimit: the maximum number of problems to look for, at least one.
  ///   - source: the name of the text in messages that refer to its lines.
  /// - Throws: ``JSON/Diagnosis``, also for a text that is not JSON.
  public func decodeAll<T: Decodable>(
    _ type: T.Type, from data: Data, problemLimit: Int = 100, source: String = "text"
  ) throws(JSON.Diagnosis) -> T {
    do {
      return try decode(type, from: data)
    } catch {
      throw diagnosis(of: error, decoding: type, from: data, problemLimit: problemLimit, source: source)
    }
  }

  /// Returns every problem with `data` after decoding a `type` with this decoder failed with `error`. Models and
  /// properties are named, which is not possible from the error alone.
  ///
  /// - Parameters:
  ///   - search: The extent of the search. The default searches for everything, as ``decodeAll(_:from:problemLimit:source:)``
  ///     does.
  ///   - problemLimit: The maximum number of problems to look for, at least one.
  ///   - source: The name of the text in messages that refer to its lines.
  public func diagnosis<T: Decodable>(
    of error: any Error, decoding type: T.Type, from data: Data, search: JSON.Diagnosis.Search = .exhaustive,
    problemLimit: Int = 100, source: String = "text"
  ) -> JSON.Diagnosis {
    let options = options
    let subject = TypeName.of(type)
    func first() -> JSON.Diagnosis {
      let diagnosis = JSON.Diagnosis(error, in: data, decoder: self, source: source)
      return diagnosis.of(diagnosis.subject ?? subject)
    }
    guard let json = try? JSON(parsing: data, options: options.parsing) else { return first() }
    let (_, faults, isComplete) = collectFaults(type, in: json, limit: problemLimit, search: search)
    // A model whose code is not deterministic may decode without a problem this time.
    guard !faults.isEmpty else { return first() }
    let extent: JSON.Diagnosis.Extent =
      switch search {
      case .asDecoded: faults.count < problemLimit ? .first : .limited
      case .exhaustive: isComplete ? .everything : .limited
      }
    return JSON.Diagnosis(
      faults, in: SourceText(Array(data), root: options.parsing.root), extent: extent, subject: subject, source: source)
  }
}
